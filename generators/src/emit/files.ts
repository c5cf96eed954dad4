import type { Json } from "../model/api.js";

/** A file of a package, with a path relative to the package and forward slashes. */
export type GeneratedFile = TextFile | DataFile;

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** A JSON file of which the generator owns named keys; the others, such as `version`, belong to whoever wrote them. */
export interface DataFile {
  readonly path: string;
  readonly owned: Readonly<Record<string, Json>>;
  /** Written where the key is not there yet, and left alone afterwards. */
  readonly initial: Readonly<Record<string, Json>>;
}

/** What a run makes of one package. */
export interface GeneratedPackage {
  /** Absolute path of the package's folder. */
  readonly folder: string;
  readonly files: readonly GeneratedFile[];
}
