import { DiagnosticsError, isJsonObject, type Json } from "@plumbline/model";
import type { Plugin } from "@redocly/openapi-core";
import { readOverlays } from "../overlays/overlays.js";
import type { Boundary } from "./boundary.js";

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
 * becomes a component.
 *
 * @throws DiagnosticsError for references that cannot be resolved.
 */
export async function bundleDescription({
  description,
  overlays: overlayFiles,
  boundary,
}: BundleSource): Promise<Readonly<Record<string, Json>>> {
  // Loads Redocly, which only generators of documents need.
  const [{ bundle, createConfig }, { FileResolver }, { extendTypes }] = await Promise.all([
    import("@redocly/openapi-core"),
    import("../lint/resolver.js"),
    import("../lint/types.js"),
  ]);
  // Without the types of extension fields, Redocly leaves references in them as they are.
  const vocabulary: Plugin = { id: "vocabulary", typeExtension: { oas3: (types) => extendTypes(types) } };
  const overlays = await readOverlays(overlayFiles, description);
  const resolver = new FileResolver(description, overlays, boundary);
  const { bundle: bundled, problems } = await bundle({
    ref: description,
    config: await createConfig({ plugins: [vocabulary] }),
    externalRefResolver: resolver,
    removeUnusedComponents: false,
  });
  const [problem] = problems;
  if (problem !== undefined)
    throw new DiagnosticsError([
      {
        code: "description/reference",
        severity: "error",
        origin: { file: description, pointer: problem.location[0]?.pointer ?? "", line: 1, column: 1 },
        message: problem.message,
      },
    ]);
  const document: unknown = JSON.parse(JSON.stringify(bundled.parsed));
  if (!isJsonObject(document)) throw new Error("A bundled description is not an object.");
  return document as Readonly<Record<string, Json>>;
}
