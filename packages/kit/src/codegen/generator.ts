import type { Api, Diagnostic, Json, SourceLocation, SourceRef } from "../model/index.js";
import type { GeneratedFile } from "./files.js";
import type { OptionTable, OptionValues } from "./option-table.js";

/** What every emitter may know about its artifact. */
export interface ArtifactOptions {
  /** The name of the generated package. */
  readonly package: string;
  readonly private: boolean;
  /** Whether other artifacts can import the package: plumbline.yaml lists it, and not with `sources`. Default: false. */
  readonly isImportable?: boolean;
  /** Returns the position of a node for readers, such as `spec/openapi.yaml#/paths/~1pets/get`. */
  readonly source: (origin: SourceRef) => string;
  /** Returns the line and column of a node, for diagnostics of this artifact. */
  readonly locate: (origin: SourceRef) => SourceLocation;
}

/** The options of `read`. */
export interface ReadOptions<Values> {
  /** The generator's own options in plumbline.yaml, with defaults. */
  readonly config: Values;
  /** Absolute path of the description. */
  readonly description: string;
  readonly locate: ArtifactOptions["locate"];
  /** Reads another description with its overlays, and returns its model. */
  readonly readApi: (file: string) => Promise<Api>;
  /** Reads a text file. Files that are read otherwise may change without a new run. */
  readonly readText: (file: string) => Promise<string>;
  /** The files that are in the folder of the artifact. */
  readonly output: ArtifactOutput;
}

/** The folder of an artifact, for generators that change files of the user. */
export interface ArtifactOutput {
  /** The path of the folder, relative to that of the description, as paths in diagnostics are. */
  readonly folder: string;
  /** Reads a text file by its path in the folder. Returns undefined where there is none. */
  readonly readText: (path: string) => Promise<string | undefined>;
}

/** The options of `files` and `data`. */
export interface GeneratorOptions<Values = OptionValues<OptionTable>, Input = unknown> extends ArtifactOptions {
  /** The generator's own options in plumbline.yaml, with defaults. */
  readonly config: Values;
  /** The value of `read`. */
  readonly input: Input;
  /** Returns the description as one JSON document, after overlays, with references to other files resolved. */
  readonly document: () => Promise<Readonly<Record<string, Json>>>;
  /** The data of the artifacts that `inputs` and `optionalInputs` list, by name. */
  readonly artifacts: Readonly<Record<string, unknown>>;
  /**
   * Generates the files of a built-in artifact in memory, whether or not the description has it: for a generator whose output contains that of
   * another one. Nothing of them is written or formatted.
   *
   * @param kind - The name of the artifact, such as `server`.
   * @param options - The name of its package, and the options that differ from their defaults.
   * @throws Error for an unknown artifact, and what its generator throws.
   */
  readonly generateFiles: (kind: string, options: GenerateFilesOptions) => Promise<readonly GeneratedFile[]>;
}

/** The options of `generateFiles`. */
export interface GenerateFilesOptions {
  /** The name of the package that imports of the files use. */
  readonly package: string;
  /** Default: none. */
  readonly config?: OptionValues<OptionTable>;
}

/**
 * A generator: the default export of a module. Plumbline formats, writes, lists and compares its files, so the same input has to give the
 * same text.
 */
export interface Generator<Table extends OptionTable = OptionTable, Input = unknown, Data = unknown> {
  /** The options that plumbline.yaml may set for an artifact beside `package`, `out` and `private`: a JSON Schema each. Default: none. */
  readonly options?: Table;
  /**
   * Returns what is wrong with options for this description, by their names: `{ formats: 'lists "ibn", which no schema has' }`. Plumbline reports
   * it at the option in plumbline.yaml, before it calls other functions.
   */
  readonly findOptionIssues?: (
    api: Api,
    config: OptionValues<Table>,
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** The names of artifacts of the same description whose `data` this generator uses. Default: none. */
  readonly inputs?: readonly string[];
  /** The names of artifacts whose `data` this generator uses if the description has them. Default: none. */
  readonly optionalInputs?: readonly string[];
  /**
   * Reads what `files` needs beside the model.
   *
   * @throws DiagnosticsError for invalid files.
   */
  readonly read?: (api: Api, options: ReadOptions<OptionValues<Table>>) => Promise<Input>;
  /**
   * Generates the files of the artifact: a pure function.
   *
   * @param api - The model of the description, frozen.
   * @param options - The name and the settings of the artifact.
   * @returns The files, with paths relative to the folder of the artifact.
   * @throws Any error becomes a diagnostic at the generator's entry in plumbline.yaml; a DiagnosticsError keeps its positions.
   */
  readonly files: (
    api: Api,
    options: GeneratorOptions<OptionValues<Table>, Input>,
  ) => readonly GeneratedFile[] | Promise<readonly GeneratedFile[]>;
  /**
   * Returns what the user should know about the artifact, although it was generated: `plumbline generate` prints it. Not called for an artifact
   * whose generation is deferred.
   */
  readonly warnings?: (
    api: Api,
    options: GeneratorOptions<OptionValues<Table>, Input>,
  ) => readonly Diagnostic[] | Promise<readonly Diagnostic[]>;
  /** Returns what other generators may use of this artifact. */
  readonly data?: (api: Api, options: GeneratorOptions<OptionValues<Table>, Input>) => Data | Promise<Data>;
}

/**
 * Defines a generator. It only adds types. Export its result as the default export of a module, and list the module under `generators` in
 * plumbline.yaml.
 *
 * @param generator - The generator.
 * @returns The same generator.
 * @example
 * ```js
 * export default defineGenerator({
 *   options: { heading: { type: "string", default: "Routes", description: "The first line of the page" } },
 *   files: (api, { config }) => [{ path: "title.md", text: `# ${config.heading} of ${api.title}\n` }],
 * });
 * ```
 */
export function defineGenerator<const Table extends OptionTable, Input, Data>(
  generator: Generator<Table, Input, Data>,
): Generator<Table, Input, Data> {
  return generator;
}
