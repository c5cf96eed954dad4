import type { PlumblineGenerator } from "./generator.js";

export type { DataFile, GeneratedFile, TextFile } from "./emit/files.js";
export type { GeneratorOptions, PlumblineGenerator } from "./generator.js";
export type * from "./model/api.js";
export type { Located, Origin } from "./problem.js";

/**
 * Gives a generator its types, and does nothing else. It is the default export of a module that `generators` in plumbline.yaml names;
 * docs/generators.md begins with an example.
 */
export function definePlumblineGenerator(generator: PlumblineGenerator): PlumblineGenerator {
  return generator;
}
