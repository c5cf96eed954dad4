import type { CustomGenerator } from "./generator.js";

export type { ManagedJsonFile, GeneratedFile, TextFile } from "./files.js";
export type { GeneratorOptions, CustomGenerator } from "./generator.js";
export type * from "../../model/src/api.js";
export type { SourceLocation, SourceRef } from "../../model/src/diagnostic.js";

/**
 * Defines a custom generator. It only adds types. Export its result as the default export of a module, and list the module under
 * `generators` in plumbline.yaml.
 *
 * @param generator - The generator.
 * @returns The same generator.
 * @example
 * ```js
 * export default defineGenerator({
 *   files: (api) => [{ path: "title.txt", text: `${api.title}\n` }],
 * });
 * ```
 */
export function defineGenerator(generator: CustomGenerator): CustomGenerator {
  return generator;
}
