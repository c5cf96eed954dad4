import type { ConformanceInput } from "../../../generators/conformance/src/settings.js";
import type { GeneratedFile, TextFile } from "./files.js";
import type { Api } from "../../model/src/api.js";
import type { SourceLocation, SourceRef } from "../../model/src/diagnostic.js";

/** The concerns of a description. Every built-in generator has an entry for each of them. */
export type Concern = "schemas" | "operations" | "resources" | "scopes" | "limits" | "states" | "errors" | "workflows";

/** The options of a generator, besides the model. */
export interface ArtifactOptions {
  /** The name of the generated package. */
  readonly package: string;
  readonly private: boolean;
  /** Returns the position of a node for readers, such as `spec/openapi.yaml#/paths/~1pets/get`. */
  readonly source: (origin: SourceRef) => string;
  /** Returns the line and column of a node, for diagnostics of this artifact. */
  readonly locate: (origin: SourceRef) => SourceLocation;
  /** The inputs of a conformance suite besides the description. */
  readonly conformance?: ConformanceInput;
}

/** Generates the sources of one concern. A pure function of the model and the options. */
export type ConcernEmitter = (api: Api, options: ArtifactOptions) => readonly TextFile[];

/** A concern that a generator does not use, with the reason. */
export interface SkippedConcern {
  readonly skip: string;
}

export interface ArtifactGenerator {
  readonly name: string;
  readonly concerns: Readonly<Record<Concern, ConcernEmitter | SkippedConcern>>;
  /** Generates the files around the sources, such as package.json and README.md. */
  readonly package: (api: Api, options: ArtifactOptions) => readonly GeneratedFile[];
}

/** The options of a custom generator. */
export type GeneratorOptions = Pick<ArtifactOptions, "package" | "private" | "source" | "locate">;

/**
 * A custom generator: the default export of a module that `generators` in plumbline.yaml lists. Plumbline formats, writes, lists and
 * compares its files like those of built-in generators, so the same model has to give the same text.
 */
export interface CustomGenerator {
  /**
   * Generates the files of the artifact.
   *
   * @param api - The model of the description, frozen.
   * @param options - The name and the settings of the artifact.
   * @returns The files, with paths relative to the folder of the artifact.
   * @throws Any error becomes a diagnostic at the generator's entry in plumbline.yaml.
   */
  readonly files: (api: Api, options: GeneratorOptions) => readonly GeneratedFile[] | Promise<readonly GeneratedFile[]>;
}

export function skipConcern(reason: string): SkippedConcern {
  return { skip: reason };
}

/** Runs a built-in generator, and returns all of its files. */
export function runGenerator(
  generator: ArtifactGenerator,
  api: Api,
  options: ArtifactOptions,
): readonly GeneratedFile[] {
  const sources = Object.values(generator.concerns).flatMap((concern) =>
    typeof concern === "function" ? concern(api, options) : [],
  );
  return [...sources, ...generator.package(api, options)];
}
