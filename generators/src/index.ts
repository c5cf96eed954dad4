import type { PlumblineGenerator } from "./generator.js";

export type { DataFile, GeneratedFile, TextFile } from "./emit/files.js";
export type { GeneratorOptions, PlumblineGenerator } from "./generator.js";
export type * from "./model/api.js";
export type { Located, Origin } from "./problem.js";

/**
 * Gives a generator its types; see docs/generators.md. It is the default export of a module that `generators` in plumbline.yaml names.
 *
 * ```js
 * import { definePlumblineGenerator } from "@plumbline/generators";
 *
 * export default definePlumblineGenerator({
 *   files: (api) => [{ path: "operations.txt", text: api.operations.map(({ name }) => `${name}\n`).join("") }],
 * });
 * ```
 */
export function definePlumblineGenerator(generator: PlumblineGenerator): PlumblineGenerator {
  return generator;
}
