import path from "node:path";
import { DiagnosticsError, isJsonObject, valueAt, type Json } from "../../model/index.js";
import { readOverlays } from "../overlays/overlays.js";
import type { Boundary } from "./boundary.js";
import { readSource } from "./source.js";
import { isDispensableReference, parsePointer, type SourceFile } from "./spec-node.js";

/** A description to bundle. */
export interface BundleSource {
  /** Absolute path. */
  readonly description: string;
  /** Overlays, in the order of their application. */
  readonly overlays: readonly string[];
  /** The folders that references must not leave. */
  readonly boundary?: Boundary;
}

/**
 * Returns a description as one JSON document, for tools that read a single OpenAPI file. Overlays are applied; what other files hold
 * becomes a component. Of components with the same name, all but one get a number. The document has no dispensable references to nothing.
 *
 * @throws DiagnosticsError for other references that cannot be resolved, unless they are in extension fields that nothing reads.
 */
export async function bundleDescription({
  description,
  overlays: overlayFiles,
  boundary,
}: BundleSource): Promise<Readonly<Record<string, Json>>> {
  const overlays = await readOverlays(overlayFiles, description);
  const folder = path.dirname(description);
  const { value } = overlays.apply(await readSource(description, folder));
  if (isWhole(value)) return JSON.parse(JSON.stringify(value)) as Readonly<Record<string, Json>>;
  // Loads Redocly, which only descriptions of several files need.
  const [{ bundleDocument }, { detectVersion }, { FileResolver }, { isInForeignExtension }, { describeUnresolved }] =
    await Promise.all([
      import("../lint/redocly/bundle-document.js"),
      import("../lint/redocly/visit-description.js"),
      import("../lint/resolver.js"),
      import("../lint/redocly/interpretations.js"),
      import("../lint/unresolved-references.js"),
    ]);
  // Redocly replaces references in the files themselves, which the next run may find in its cache.
  const copied = (file: SourceFile): SourceFile => ({ ...file, value: structuredClone(file.value) });
  const resolver = new FileResolver(folder, { apply: (file) => copied(overlays.apply(file)) }, boundary);
  const document = await resolver.resolveDocument(null, description);
  if (document instanceof Error) throw document;
  const version = detectVersion(document.parsed);
  if (version === undefined) throw new Error("A bundled description is not of OpenAPI 3.");
  const problems = await bundleDocument({ document, version, resolver });
  const diagnostics = problems.flatMap((problem) => {
    const [{ source, pointer = "" } = { source: undefined }] = problem.location;
    if (source === undefined || isInForeignExtension(pointer)) return [];
    const node = valueAt(resolver.files.get(source.absoluteRef)?.value, parsePointer(pointer.replace("#", "")) ?? []);
    // The address of an example is no reference.
    if (!isJsonObject(node) || typeof node["$ref"] !== "string") return [];
    const isDangling = problem.message === "Can't resolve $ref" && isDispensableReference(node["$ref"]);
    if (!isDangling) return describeUnresolved(problem, resolver);
    delete (node as Record<string, unknown>)["$ref"];
    return [];
  });
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  return JSON.parse(JSON.stringify(document.parsed)) as Readonly<Record<string, Json>>;
}

/** Whether all references of a document lead to parts of it, so that there is nothing to bundle. */
function isWhole(document: unknown): boolean {
  const seen = new Set<unknown>(); // YAML aliases share nodes
  const rest = [document];
  while (rest.length > 0) {
    const node = rest.pop();
    if (typeof node !== "object" || node === null || seen.has(node)) continue;
    seen.add(node);
    if (isJsonObject(node)) {
      const { $ref, discriminator } = node;
      const mapping =
        isJsonObject(discriminator) && isJsonObject(discriminator["mapping"]) ? discriminator["mapping"] : {};
      if (![$ref ?? "#", ...Object.values(mapping)].every((reference) => isLocal(reference, document))) return false;
    }
    rest.push(...(Object.values(node) as readonly unknown[]));
  }
  return true;
}

function isLocal(reference: unknown, document: unknown): boolean {
  if (typeof reference !== "string" || !reference.startsWith("#")) return false;
  const tokens = parsePointer(reference.slice(1));
  return tokens !== undefined && valueAt(document, tokens) !== undefined;
}
