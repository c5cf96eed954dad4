import { access } from "node:fs/promises";
import path from "node:path";
import { DiagnosticsError, type Diagnostic, type NestedArrays, type SourceLocation } from "@plumbline/kit/model";
import {
  recordMissingFile,
  readSource,
  isInside,
  findRepository,
  type Boundary,
  SpecNode,
} from "@plumbline/kit/openapi/files";
import { readGeneratorEntries, type GeneratorEntry } from "./generator-entries.js";
import { readInclude, reportDifferentIncludes, type IncludeConfig } from "./include.js";
import { readKeywordNames } from "./keyword-names.js";
import { findPackageNameIssue } from "./package-name.js";

/** What to generate, according to `plumbline.yaml` or to a description alone. Paths are absolute. */
export interface Config {
  readonly ruleset: "strict" | "minimal";
  readonly descriptions: readonly DescriptionConfig[];
  /** Descriptions that plumbline.yaml lists before these: linting of a shared file belongs to them. */
  readonly precedingDescriptions: readonly Pick<DescriptionConfig, "description" | "overlays" | "boundary">[];
  /** All artifact names: the built-in ones, and those of the custom generators in plumbline.yaml. */
  readonly artifactKinds: readonly string[];
}

export interface DescriptionConfig {
  readonly description: string;
  /** Overlays of the description, in the order of their application. */
  readonly overlays: readonly string[];
  /** The folders that references must not leave. */
  readonly boundary: Boundary;
  readonly requirements: string | undefined;
  readonly names: Readonly<Record<string, string>>;
  /** How clients write arrays in `deepObject`. Default: `brackets`. */
  readonly nestedArrays: NestedArrays | undefined;
  /** The names of custom keywords that the schemas may have. */
  readonly keywords: readonly string[];
  readonly artifacts: readonly ArtifactConfig[];
}

export interface ArtifactConfig {
  readonly kind: string;
  /** The name of the package. Default: derived from the title. */
  readonly package: string | undefined;
  readonly out: string;
  readonly private: boolean;
  /** Whether `out` gets only the generated sources, without a package around them. */
  readonly sourcesOnly: boolean;
  /** How generated sources import each other. Packages need `js`: Node reads what their compiler writes. */
  readonly importExtension: ImportExtension;
  /** The operations of the artifact. Undefined: all of the description. */
  readonly include: IncludeConfig | undefined;
  /** The values of the generator's own options, as they are in plumbline.yaml. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The entry of the artifact in plumbline.yaml; undefined without one. */
  readonly location: ArtifactLocation | undefined;
  /** The entry of its generator in plumbline.yaml; undefined for a built-in artifact. */
  readonly generator: GeneratorEntry | undefined;
}

export interface ArtifactLocation {
  /** Absolute path of plumbline.yaml. */
  readonly path: string;
  /** The position of the entry. */
  readonly entry: SourceLocation;
  /** The positions of the keys of the entry. */
  readonly keys: Readonly<Record<string, SourceLocation>>;
}

export interface ConfigRequest {
  /** A plumbline.yaml or a description. Default: the nearest plumbline.yaml of `from` or its parent folders. */
  readonly spec: string | undefined;
  /** Additional overlays of the description in `spec`, after those in plumbline.yaml. */
  readonly overlays?: readonly string[];
  readonly out: string | undefined;
  readonly from: string;
  /** The names of the built-in artifacts. */
  readonly artifactKinds: readonly string[];
  /** The artifacts of a description without a plumbline.yaml. Default: `artifactKinds`. */
  readonly artifacts?: readonly string[];
  /** Whether references may leave the folder of plumbline.yaml, or the repository of the description in `spec`. Default: false. */
  readonly allowOutside?: boolean;
  /** Absolute path of the root of the repository, which references must not leave. Default: found from the description. */
  readonly top?: string;
}

/**
 * Finds and reads the configuration.
 *
 * @throws DiagnosticsError for an invalid configuration.
 */
export async function readConfig(request: ConfigRequest): Promise<Config> {
  const spec = request.spec === undefined ? await findConfig(request.from) : path.resolve(request.from, request.spec);
  if (spec === undefined) {
    throw new DiagnosticsError([
      {
        code: "config/missing",
        severity: "error",
        origin: { file: "plumbline.yaml", pointer: "", line: 1, column: 1 },
        message: "There is no spec/plumbline.yaml in this folder or its parents.",
        fix: "Pass a description: plumbline generate --spec openapi.yaml --out generated.",
      },
    ]);
  }
  if (isConfigFile(spec)) return readConfigFile(spec, request);
  const overlays = (request.overlays ?? []).map((file) => path.resolve(request.from, file));
  const beside = path.join(path.dirname(spec), "plumbline.yaml");
  if ((await exists(beside)) && request.out === undefined) {
    const config = await readConfigFile(beside, request);
    const only = config.descriptions.find((each) => each.description === spec);
    if (only !== undefined) {
      const before = config.descriptions.slice(0, config.descriptions.indexOf(only));
      const chosen = { ...only, overlays: [...only.overlays, ...overlays] };
      return { ...config, descriptions: [chosen], precedingDescriptions: before };
    }
  }
  const out = path.resolve(request.from, request.out ?? "generated");
  const artifacts = (request.artifacts ?? request.artifactKinds).map((kind) => ({
    kind,
    package: undefined,
    out: path.join(out, kind),
    private: false,
    sourcesOnly: false,
    importExtension: "js" as const,
    include: undefined,
    options: {},
    location: undefined,
    generator: undefined,
  }));
  return {
    ruleset: "minimal",
    precedingDescriptions: [],
    descriptions: [
      {
        description: spec,
        overlays,
        boundary: boundaryOf(spec, undefined, request),
        requirements: undefined,
        names: {},
        nestedArrays: undefined,
        keywords: [],
        artifacts,
      },
    ],
    artifactKinds: request.artifactKinds,
  };
}

/** The boundary of references. For a description outside the folder of its plumbline.yaml, its repository counts too. */
function boundaryOf(
  description: string,
  configFolder: string | undefined,
  { allowOutside, top }: ConfigRequest,
): Boundary {
  if (allowOutside === true) return top === undefined ? undefined : [top];
  if (configFolder !== undefined && isInside(description, configFolder)) return [configFolder];
  const repository = top ?? findRepository(description);
  return configFolder === undefined ? [repository] : [configFolder, repository];
}

/** Whether a file is a plumbline.yaml; any other file is a description. */
export function isConfigFile(file: string): boolean {
  return /(^|[\\/])plumbline\.ya?ml$/.test(file);
}

async function readConfigFile(file: string, request: ConfigRequest): Promise<Config> {
  const folder = path.dirname(file);
  const diagnostics: Diagnostic[] = [];
  const source = await readSource(file, request.from).catch((error: unknown) => {
    if (error instanceof DiagnosticsError) throw error;
    const origin = {
      file: path.relative(request.from, file).split(path.sep).join("/"),
      pointer: "",
      line: 1,
      column: 1,
    };
    throw new DiagnosticsError([
      { code: "description/unreadable", severity: "error", origin, message: "The file is not readable." },
    ]);
  });
  const root = SpecNode.root(source, {
    find: () => undefined,
    report: (diagnostic) => diagnostics.push(diagnostic),
  });
  checkKeys(root, ["ruleset", "generators", "descriptions"]);
  const profile = root.text("ruleset") ?? "strict";
  if (profile !== "strict" && profile !== "minimal") {
    root.child("ruleset")?.report("config/value", `"${profile}" is not a valid ruleset.`, "Write strict or minimal.");
  }
  const generators = readGeneratorEntries(root.get("generators"), file, request.artifactKinds);
  const descriptions = (root.get("descriptions")?.items() ?? []).map((place) =>
    readDescription(place, { file, folder, request, generators }),
  );
  if (descriptions.length === 0)
    root.report(
      "config/value",
      "`descriptions` is missing or empty.",
      "Add descriptions: [{description: openapi.yaml, …}].",
    );
  reportSharedFolders(root, descriptions, folder);
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  const kinds = [...request.artifactKinds, ...generators.keys()];
  return {
    ruleset: profile === "minimal" ? "minimal" : "strict",
    descriptions,
    precedingDescriptions: [],
    artifactKinds: kinds,
  };
}

interface ConfigContext {
  /** Absolute path of plumbline.yaml. */
  readonly file: string;
  readonly folder: string;
  readonly request: ConfigRequest;
  readonly generators: ReadonlyMap<string, GeneratorEntry>;
}

const descriptionKeys: readonly string[] = [
  "description",
  "overlays",
  "requirements",
  "names",
  "nestedArrays",
  "keywords",
  "artifacts",
];

function readDescription(place: SpecNode, context: ConfigContext): DescriptionConfig {
  const { folder, request } = context;
  checkKeys(place, descriptionKeys);
  const resolve = (key: string): string | undefined => {
    const name = place.text(key);
    return name === undefined ? undefined : path.resolve(folder, name);
  };
  const description = resolve("description");
  if (description === undefined)
    place.report("config/value", "Missing key `description`.", "Add description: openapi.yaml.");
  const artifacts = (place.get("artifacts")?.entries() ?? []).map(([kind, each]) => readArtifact(kind, each, context));
  const list = place.child("artifacts");
  if (list !== undefined) reportDifferentIncludes(list, artifacts);
  return {
    description: description ?? "",
    overlays: readOverlays(place.get("overlays"), folder),
    boundary: boundaryOf(description ?? folder, folder, request),
    requirements: resolve("requirements"),
    names: Object.fromEntries((place.get("names")?.entries() ?? []).map(([key, name]) => [key, String(name.raw)])),
    nestedArrays: readNestedArrays(place),
    keywords: readKeywordNames(place.get("keywords")),
    artifacts,
  };
}

function readArtifact(
  kind: string,
  place: SpecNode,
  { file, folder, request, generators }: ConfigContext,
): ArtifactConfig {
  const kinds = [...request.artifactKinds, ...generators.keys()];
  if (!kinds.includes(kind))
    place.report("config/value", `Unknown artifact "${kind}".`, `Write one of: ${kinds.join(", ")}.`);
  const options = place.entries().filter(([key]) => !ownKeys.includes(key));
  const packageName = readPackageName(place);
  const sources = readSources(kind, place);
  const out =
    request.out === undefined
      ? path.resolve(folder, sources ?? place.text("out") ?? path.join("..", "packages", kind))
      : path.resolve(request.from, request.out, packageName?.split("/").at(-1) ?? kind);
  return {
    kind,
    package: packageName,
    out,
    private: place.isTrue("private"),
    sourcesOnly: sources !== undefined,
    importExtension: readImportExtension(place),
    include: readInclude(place),
    options: Object.fromEntries(options.map(([key, value]) => [key, value.raw])),
    location: {
      path: file,
      entry: place.located,
      keys: Object.fromEntries(options.map(([key, value]) => [key, value.located])),
    },
    generator: generators.get(kind),
  };
}

/** The values of `nestedArrays`. */
export const nestedArrayStyles: readonly string[] = ["brackets", "indices", "repeat"] satisfies readonly NestedArrays[];

function readNestedArrays(place: SpecNode): NestedArrays | undefined {
  const value = place.child("nestedArrays");
  if (value === undefined) return undefined;
  if (nestedArrayStyles.includes(String(value.raw))) return value.raw as NestedArrays;
  value.report("config/value", "`nestedArrays` is not valid.", `Write one of: ${nestedArrayStyles.join(", ")}.`);
  return undefined;
}

/** Reads the folder of an artifact that is no package. Undefined: the artifact is one. */
function readSources(kind: string, artifact: SpecNode): string | undefined {
  const value = artifact.child("sources");
  if (value === undefined) return undefined;
  if (!sourcesKinds.has(kind))
    value.report(
      "config/value",
      `${kind} has more than sources.`,
      `Only ${[...sourcesKinds].join(", ")} have \`sources\`.`,
    );
  if (typeof value.raw !== "string")
    value.report("config/value", "`sources` is not a path.", "Write a folder, such as sources: ../src/api.");
  if (artifact.child("out") !== undefined)
    value.report(
      "config/value",
      "`sources` and `out` both set the folder.",
      "Keep `sources` for files in an application, or `out` for a package.",
    );
  return artifact.text("sources");
}

/** The values of `importExtension`. */
export const importExtensions = ["js", "ts", "none"] as const;
export type ImportExtension = (typeof importExtensions)[number];

function readImportExtension(artifact: SpecNode): ImportExtension {
  const value = artifact.child("importExtension");
  const extension = importExtensions.find((each) => value === undefined || each === value.raw);
  if (extension === undefined)
    value?.report("config/value", "`importExtension` is not valid.", `Write one of: ${importExtensions.join(", ")}.`);
  else if (value !== undefined && artifact.child("sources") === undefined)
    value.report(
      "config/value",
      "A package has one way to import its files.",
      "Write `sources` with the folder in place of `out`.",
    );
  return extension ?? "js";
}

/** The keys of every artifact. Its generator knows the others. */
export const ownKeys: readonly string[] = ["package", "out", "private", "sources", "importExtension", "include"];

/** Their sources work in any package. A suite has data and a command beside its sources, and the files of other generators are unknown. */
export const sourcesKinds: ReadonlySet<string> = new Set(["client", "validator", "server"]);

/** The name of a package; with `--out` also the name of its folder. */
function readPackageName(place: SpecNode): string | undefined {
  const name = place.text("package");
  const issue = name === undefined ? undefined : findPackageNameIssue(name);
  if (issue === undefined) return name;
  place
    .child("package")
    ?.report(
      "config/value",
      `"${name}" ${issue}.`,
      "Write lower-case letters, digits, dots, hyphens and underscores, such as '@acme/client'.",
    );
  return undefined;
}

function readOverlays(place: SpecNode | undefined, folder: string): readonly string[] {
  if (place !== undefined && place.items().length === 0)
    place.report("config/value", "`overlays` is not a list.", "Write overlays: [limits.overlay.yaml].");
  return (place?.items() ?? []).flatMap((item) => {
    if (typeof item.raw === "string") return [path.resolve(folder, item.raw)];
    item.report("config/value", "An overlay has to be a path.", "Write the path of a file, relative to this one.");
    return [];
  });
}

/** Reports packages that share a folder: each would remove the files of the other as orphaned. */
function reportSharedFolders(root: SpecNode, descriptions: readonly DescriptionConfig[], from: string): void {
  const used = new Set<string>();
  for (const { artifacts } of descriptions) {
    for (const { out: folder } of artifacts) {
      const shown = path.relative(from, folder).split(path.sep).join("/") || ".";
      if (used.has(folder))
        root.report(
          "config/value",
          `Two packages share the folder ${shown}.`,
          "Set a different `out` or `sources` for each.",
        );
      used.add(folder);
    }
  }
}

function checkKeys(place: SpecNode, known: readonly string[]): void {
  for (const [key, child] of place.entries()) {
    if (!known.includes(key))
      child.report("config/unknown", `Unknown key "${key}".`, `Known keys: ${known.join(", ")}.`);
  }
}

/** Finds the plumbline.yaml of a folder or of its nearest parent. */
export async function findConfig(from: string): Promise<string | undefined> {
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    for (const name of [path.join("spec", "plumbline.yaml"), "plumbline.yaml"]) {
      if (await exists(path.join(folder, name))) return path.join(folder, name);
    }
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** Whether a file exists. A missing file is recorded as an input, too. */
async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => (recordMissingFile(file), false),
  );
}
