import type { ConformanceInput } from "./conformance/settings.js";
import type { GeneratedFile, TextFile } from "./emit/files.js";
import type { Api } from "./model/api.js";
import type { Located, Origin } from "./problem.js";

/** What a description is about; every generator answers for each of them. */
export type Concern = "shapes" | "operations" | "resources" | "scopes" | "limits" | "states" | "errors" | "workflows";

/** What a generator is told beside the model. */
export interface ArtifactOptions {
  /** The name of the package to be made. */
  readonly package: string;
  readonly private: boolean;
  /** Where in the repository a node of the description stands, as a reader would look for it. */
  readonly source: (origin: Origin) => string;
  /** Where a node is, for a problem that only this artifact has with it. */
  readonly locate: (origin: Origin) => Located;
  /** What a suite is made from beside the description. */
  readonly conformance?: ConformanceInput;
}

/** Makes the sources of one concern. Pure: it reads the model, and touches nothing. */
export type Emit = (api: Api, options: ArtifactOptions) => readonly TextFile[];

/** A concern about which a generator has nothing to say, and why. */
export interface Skip {
  readonly skip: string;
}

export interface Generator {
  readonly name: string;
  readonly concerns: Readonly<Record<Concern, Emit | Skip>>;
  /** What makes a package of the sources: its package.json, README and so on. */
  readonly package: (api: Api, options: ArtifactOptions) => readonly GeneratedFile[];
}

/** What a generator of somebody else's is told. */
export type GeneratorOptions = Pick<ArtifactOptions, "package" | "private" | "source" | "locate">;

/**
 * A generator of somebody else's, the default export of a module that plumbline.yaml names. Its files are formatted, written, listed and
 * compared like ours, so the same model has to give the same text.
 */
export interface PlumblineGenerator {
  /** Everything that it makes of a model, with paths relative to its folder. What it throws is told as a problem. */
  readonly files: (api: Api, options: GeneratorOptions) => readonly GeneratedFile[] | Promise<readonly GeneratedFile[]>;
}

export function skip(reason: string): Skip {
  return { skip: reason };
}

/** Everything that a generator makes of a model. */
export function runGenerator(generator: Generator, api: Api, options: ArtifactOptions): readonly GeneratedFile[] {
  const sources = Object.values(generator.concerns).flatMap((concern) =>
    typeof concern === "function" ? concern(api, options) : [],
  );
  return [...sources, ...generator.package(api, options)];
}
