import path from "node:path";
import type { Plugin } from "@redocly/openapi-core";
import { DiagnosticsError, isJsonObject, valueAt, type Json } from "../../model/index.js";
import { readOverlays } from "../overlays/overlays.js";
import type { Boundary } from "./boundary.js";
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
  // Loads Redocly, which only generators of documents need.
  const [
    { bundle, createConfig },
    { FileResolver },
    { extendTypes },
    { isInForeignExtension },
    { describeUnresolved },
  ] = await Promise.all([
    import("@redocly/openapi-core"),
    import("../lint/resolver.js"),
    import("../lint/types.js"),
    import("../lint/redocly/interpretations.js"),
    import("../lint/unresolved-references.js"),
  ]);
  // Without the types of extension fields, Redocly leaves references in them as they are.
  const vocabulary: Plugin = { id: "vocabulary", typeExtension: { oas3: (types) => extendTypes(types) } };
  const overlays = await readOverlays(overlayFiles, description);
  // Redocly replaces references in the files themselves, which the next run may find in its cache.
  const copied = (file: SourceFile): SourceFile => ({ ...file, value: structuredClone(file.value) });
  const resolver = new FileResolver(
    path.dirname(description),
    { apply: (file) => copied(overlays.apply(file)) },
    boundary,
  );
  const { bundle: bundled, problems } = await bundle({
    ref: description,
    config: await createConfig({ plugins: [vocabulary] }),
    externalRefResolver: resolver,
    removeUnusedComponents: false,
    componentRenamingConflicts: "off",
  });
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
  const document: unknown = JSON.parse(JSON.stringify(bundled.parsed));
  if (!isJsonObject(document)) throw new Error("A bundled description is not an object.");
  return document as Readonly<Record<string, Json>>;
}
