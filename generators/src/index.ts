import type { PlumblineGenerator } from "./generator.js";

export type { DataFile, GeneratedFile, TextFile } from "./emit/files.js";
export type { GeneratorOptions, PlumblineGenerator } from "./generator.js";
export type * from "./model/api.js";
export type { Located, Origin } from "./problem.js";

/**
 * Defines a custom generator. It only adds types. Export its result as the default export of a module, and list the module under
 * `generators` in plumbline.yaml.
 *
 * @param generator - The generator.
 * @returns The same generator.
 * @example
 * ```js
 * export default definePlumblineGenerator({
 *   files: (api) => [{ path: "title.txt", text: `${api.title}\n` }],
 * });
 * ```
 */
export function definePlumblineGenerator(generator: PlumblineGenerator): PlumblineGenerator {
  return generator;
}
