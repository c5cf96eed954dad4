import { access } from "node:fs/promises";
import path from "node:path";
import { noteMissing } from "./inputs.js";
import { readGenerators, type NamedGenerator } from "./named-generators.js";
import { packageNameIssue } from "./package-name.js";
import { ProblemError, type Problem } from "./problem.js";
import { readSource } from "./spec/source.js";
import { isInside, repositoryOf, type Boundary } from "./spec/boundary.js";
import { Place } from "./spec/place.js";

/** What to generate, from `plumbline.yaml` or from a description alone. Paths are absolute. */
export interface Config {
  readonly profile: "owner" | "foreign";
  readonly descriptions: readonly DescriptionConfig[];
  /** Descriptions that plumbline.yaml lists before these: they judge the files that they share with them. */
  readonly earlier: readonly Pick<DescriptionConfig, "description" | "overlays" | "boundary">[];
  /** The artifacts that exist: ours, and those of the generators that plumbline.yaml names. */
  readonly kinds: readonly string[];
}

export interface DescriptionConfig {
  readonly description: string;
  /** What changes the description before it is read, in this order. */
  readonly overlays: readonly string[];
  /** The folders that references may not leave. */
  readonly boundary: Boundary;
  readonly requirements: string | undefined;
  /** Where the assumptions are collected for readers. */
  readonly assumptions: string | undefined;
  readonly names: Readonly<Record<string, string>>;
  readonly artifacts: readonly ArtifactConfig[];
}

export interface ArtifactConfig {
  readonly kind: string;
  /** The package's name; worked out from the title where it is not given. */
  readonly package: string | undefined;
  readonly out: string;
  readonly private: boolean;
  /** What the owner says beside the description, for a suite. */
  readonly settings: string | undefined;
  /** The folder of the workflows. */
  readonly workflows: string | undefined;
  /** The description of the server's test controls. */
  readonly controls: string | undefined;
  /** What changes that one. */
  readonly controlsOverlays: readonly string[];
  /** Who makes it, where that is none of ours. */
  readonly generator: NamedGenerator | undefined;
}

export interface ConfigRequest {
  /** A plumbline.yaml or a description; looked for from `from` upwards when absent. */
  readonly spec: string | undefined;
  /** Overlays of a description that is named, besides those that plumbline.yaml lists for it. */
  readonly overlays?: readonly string[];
  readonly out: string | undefined;
  readonly from: string;
  /** The artifacts of ours. */
  readonly kinds: readonly string[];
  /** Whether references may lead to files outside of the folder of plumbline.yaml, or of the repository of a description that is named. */
  readonly allowOutside?: boolean;
  /** Absolute path of the folder that stands for the repository, which nothing leaves; looked for where it is absent. */
  readonly top?: string;
}

/** Finds and reads what to generate. Throws a ProblemError for a configuration that cannot be. */
export async function readConfig(request: ConfigRequest): Promise<Config> {
  const given = request.spec === undefined ? await findConfig(request.from) : path.resolve(request.from, request.spec);
  if (given === undefined) {
    throw new ProblemError([
      {
        code: "config/missing",
        severity: "error",
        origin: { file: "plumbline.yaml", pointer: "", line: 1, column: 1 },
        message: "There is no spec/plumbline.yaml here or above.",
        fix: "Name a description: plumbline generate --spec openapi.yaml --out generated.",
      },
    ]);
  }
  if (isConfigFile(given)) return readFile(given, request);
  const overlays = (request.overlays ?? []).map((file) => path.resolve(request.from, file));
  const beside = path.join(path.dirname(given), "plumbline.yaml");
  if ((await exists(beside)) && request.out === undefined) {
    const config = await readFile(beside, request);
    const only = config.descriptions.find((each) => each.description === given);
    if (only !== undefined) {
      const before = config.descriptions.slice(0, config.descriptions.indexOf(only));
      const chosen = { ...only, overlays: [...only.overlays, ...overlays] };
      return { ...config, descriptions: [chosen], earlier: before };
    }
  }
  const out = path.resolve(request.from, request.out ?? "generated");
  const artifacts = request.kinds.map((kind) => ({
    kind,
    package: undefined,
    out: path.join(out, kind),
    private: false,
    ...noInput,
  }));
  return {
    profile: "foreign",
    earlier: [],
    descriptions: [
      {
        description: given,
        overlays,
        boundary: boundaryOf(given, undefined, request),
        requirements: undefined,
        assumptions: undefined,
        names: {},
        artifacts,
      },
    ],
    kinds: request.kinds,
  };
}

/** Where a description is not below the plumbline.yaml that names it, its repository counts as well. */
function boundaryOf(
  description: string,
  configFolder: string | undefined,
  { allowOutside, top }: ConfigRequest,
): Boundary {
  if (allowOutside === true) return top === undefined ? undefined : [top];
  if (configFolder !== undefined && isInside(description, configFolder)) return [configFolder];
  const repository = top ?? repositoryOf(description);
  return configFolder === undefined ? [repository] : [configFolder, repository];
}

/** Whether a file says what to generate; any other is a description. */
export function isConfigFile(file: string): boolean {
  return /(^|[\\/])plumbline\.ya?ml$/.test(file);
}

const noInput = {
  settings: undefined,
  workflows: undefined,
  controls: undefined,
  controlsOverlays: [],
  generator: undefined,
};

async function readFile(file: string, request: ConfigRequest): Promise<Config> {
  const folder = path.dirname(file);
  const problems: Problem[] = [];
  const source = await readSource(file, request.from).catch((error: unknown) => {
    if (error instanceof ProblemError) throw error;
    const origin = {
      file: path.relative(request.from, file).split(path.sep).join("/"),
      pointer: "",
      line: 1,
      column: 1,
    };
    throw new ProblemError([
      { code: "description/unreadable", severity: "error", origin, message: "This file cannot be read." },
    ]);
  });
  const root = Place.root(source, {
    find: () => undefined,
    report: (problem) => problems.push(problem),
  });
  checkKeys(root, ["profile", "generators", "descriptions"]);
  const profile = root.text("profile") ?? "owner";
  if (profile !== "owner" && profile !== "foreign") {
    root.child("profile")?.report("config/value", `"${profile}" is no profile.`, "Write owner or foreign.");
  }
  const generators = readGenerators(root.get("generators"), file, request.kinds);
  const read = (root.get("descriptions")?.items() ?? []).map((place) =>
    readDescription(place, { folder, request, generators }),
  );
  const descriptions = read.map((each) => withControls(each, read));
  if (descriptions.length === 0)
    root.report("config/value", "No description is listed.", "Add descriptions: [{description: openapi.yaml, …}].");
  reportShared(root, descriptions, folder);
  if (problems.length > 0) throw new ProblemError(problems);
  const kinds = [...request.kinds, ...generators.keys()];
  return { profile: profile === "foreign" ? "foreign" : "owner", descriptions, earlier: [], kinds };
}

/** The description of test controls may be listed too, and have overlays. */
function withControls(config: DescriptionConfig, all: readonly DescriptionConfig[]): DescriptionConfig {
  const overlaysOf = (file: string): readonly string[] => all.find((each) => each.description === file)?.overlays ?? [];
  const artifacts = config.artifacts.map((each) => ({
    ...each,
    controlsOverlays: each.controls === undefined ? [] : overlaysOf(each.controls),
  }));
  return { ...config, artifacts };
}

interface Around {
  readonly folder: string;
  readonly request: ConfigRequest;
  readonly generators: ReadonlyMap<string, NamedGenerator>;
}

function readDescription(place: Place, { folder, request, generators }: Around): DescriptionConfig {
  const kinds = [...request.kinds, ...generators.keys()];
  checkKeys(place, ["description", "overlays", "requirements", "assumptions", "names", "artifacts"]);
  const named = (from: Place, key: string): string | undefined => {
    const name = from.text(key);
    return name === undefined ? undefined : path.resolve(folder, name);
  };
  const resolve = (key: string): string | undefined => named(place, key);
  const description = resolve("description");
  if (description === undefined)
    place.report("config/value", "This entry names no description.", "Add description: openapi.yaml.");
  const names = Object.fromEntries(
    (place.get("names")?.entries() ?? []).map(([key, name]) => [key, String(name.raw)] as const),
  );
  const artifacts = (place.get("artifacts")?.entries() ?? []).map(([kind, each]): ArtifactConfig => {
    checkKeys(each, [
      "package",
      "out",
      "private",
      ...(kind === "conformance" ? ["settings", "workflows", "controls"] : []),
    ]);
    if (!kinds.includes(kind))
      each.report("config/value", `"${kind}" is no artifact.`, `Write one of: ${kinds.join(", ")}.`);
    const stated =
      request.out === undefined
        ? path.resolve(folder, each.text("out") ?? path.join("..", "packages", kind))
        : undefined;
    const packageName = packageNameIn(each);
    const shortName = packageName?.split("/").at(-1) ?? kind;
    const out = stated ?? path.resolve(request.from, request.out ?? "", shortName);
    return {
      kind,
      package: packageName,
      out,
      private: each.flag("private"),
      settings: named(each, "settings"),
      workflows: named(each, "workflows"),
      controls: named(each, "controls"),
      controlsOverlays: [],
      generator: generators.get(kind),
    };
  });
  return {
    description: description ?? "",
    overlays: readOverlays(place.get("overlays"), folder),
    boundary: boundaryOf(description ?? folder, folder, request),
    requirements: resolve("requirements"),
    assumptions: resolve("assumptions"),
    names,
    artifacts,
  };
}

/** The name of a package, which is also that of its folder with `--out`. */
function packageNameIn(place: Place): string | undefined {
  const name = place.text("package");
  const issue = name === undefined ? undefined : packageNameIssue(name);
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

function readOverlays(place: Place | undefined, folder: string): readonly string[] {
  if (place !== undefined && place.items().length === 0)
    place.report("config/value", "This is no list of overlays.", "Write overlays: [limits.overlay.yaml].");
  return (place?.items() ?? []).flatMap((item) => {
    if (typeof item.raw === "string") return [path.resolve(folder, item.raw)];
    item.report("config/value", "This is no overlay.", "Write the path of a file, seen from this one.");
    return [];
  });
}

/** Two packages in one folder would each take the other's files for left over. */
function reportShared(root: Place, descriptions: readonly DescriptionConfig[], from: string): void {
  const taken = new Set<string>();
  for (const { artifacts, assumptions } of descriptions) {
    const folders = [
      ...artifacts.map((artifact) => artifact.out),
      ...(assumptions === undefined ? [] : [path.dirname(assumptions)]),
    ];
    for (const folder of folders) {
      const shown = path.relative(from, folder).split(path.sep).join("/") || ".";
      if (taken.has(folder))
        root.report("config/value", `Two packages would be written to ${shown}.`, 'Give each an "out" of its own.');
      taken.add(folder);
    }
  }
}

function checkKeys(place: Place, known: readonly string[]): void {
  for (const [key, child] of place.entries()) {
    if (!known.includes(key))
      child.report("config/unknown", `"${key}" means nothing here.`, `Known keys: ${known.join(", ")}.`);
  }
}

/** The plumbline.yaml of a folder or of one above. */
export async function findConfig(from: string): Promise<string | undefined> {
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    for (const name of [path.join("spec", "plumbline.yaml"), "plumbline.yaml"]) {
      if (await exists(path.join(folder, name))) return path.join(folder, name);
    }
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** Whether there is a file; that there is none counts as read. */
async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => (noteMissing(file), false),
  );
}
