import { access } from "node:fs/promises";
import path from "node:path";
import { ProblemError, type Problem } from "./problem.js";
import { readSource } from "./spec/source.js";
import { Place } from "./spec/place.js";

/** What to generate, from `plumbline.yaml` or from a description alone. Paths are absolute. */
export interface Config {
  readonly profile: "owner" | "foreign";
  readonly descriptions: readonly DescriptionConfig[];
  /** Descriptions that plumbline.yaml lists before these: they judge the files that they share with them. */
  readonly earlier: readonly string[];
}

export interface DescriptionConfig {
  readonly description: string;
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
}

export interface ConfigRequest {
  /** A plumbline.yaml or a description; looked for from `from` upwards when absent. */
  readonly spec: string | undefined;
  readonly out: string | undefined;
  readonly from: string;
  /** The artifacts that exist. */
  readonly kinds: readonly string[];
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
  if (/(^|[\\/])plumbline\.ya?ml$/.test(given)) return readFile(given, request);
  const beside = path.join(path.dirname(given), "plumbline.yaml");
  if ((await exists(beside)) && request.out === undefined) {
    const config = await readFile(beside, request);
    const only = config.descriptions.find((each) => each.description === given);
    if (only !== undefined) {
      const before = config.descriptions.slice(0, config.descriptions.indexOf(only));
      return { ...config, descriptions: [only], earlier: before.map((each) => each.description) };
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
    descriptions: [{ description: given, requirements: undefined, assumptions: undefined, names: {}, artifacts }],
  };
}

const noInput = { settings: undefined, workflows: undefined, controls: undefined };

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
  checkKeys(root, ["profile", "descriptions"]);
  const profile = root.text("profile") ?? "owner";
  if (profile !== "owner" && profile !== "foreign") {
    root.child("profile")?.report("config/value", `"${profile}" is no profile.`, "Write owner or foreign.");
  }
  const descriptions = (root.get("descriptions")?.items() ?? []).map((place) =>
    readDescription(place, folder, request),
  );
  if (descriptions.length === 0)
    root.report("config/value", "No description is listed.", "Add descriptions: [{description: openapi.yaml, …}].");
  reportShared(root, descriptions, folder);
  if (problems.length > 0) throw new ProblemError(problems);
  return { profile: profile === "foreign" ? "foreign" : "owner", descriptions, earlier: [] };
}

function readDescription(place: Place, folder: string, request: ConfigRequest): DescriptionConfig {
  checkKeys(place, ["description", "requirements", "assumptions", "names", "artifacts"]);
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
    if (!request.kinds.includes(kind))
      each.report("config/value", `"${kind}" is no artifact.`, `Write one of: ${request.kinds.join(", ")}.`);
    const stated =
      request.out === undefined
        ? path.resolve(folder, each.text("out") ?? path.join("..", "packages", kind))
        : undefined;
    const packageName = each.text("package");
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
    };
  });
  return {
    description: description ?? "",
    requirements: resolve("requirements"),
    assumptions: resolve("assumptions"),
    names,
    artifacts,
  };
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

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
