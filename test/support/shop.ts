import { cp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import type { GeneratedPackage } from "@plumbline/kit/codegen";
import { artifactKinds } from "../../packages/plumbline/dist/artifact-kinds.js";
import { readConfig } from "../../packages/plumbline/dist/config/config.js";
import { planGeneration } from "../../packages/plumbline/dist/generation-plan.js";
import { writePackages } from "../../packages/plumbline/dist/write/writer.js";
import { describeAreas } from "./areas.js";
import { filesOf, place } from "./pets.js";
import { temporaryFolder, unremovedFolder } from "./places.js";
import { plumbline } from "./run.js";

/** Two descriptions, each with files that the other lacks, and with differences in most of the files they share. */
export type Edition = "a" | "b";

const isFull = process.env["MODE"] === "full";

const areas = Array.from({ length: 36 }, (_, index) => `area-${String.fromCharCode(97 + (index % 26))}${index}`);
const descriptions = {
  "spec/a.yaml": describeAreas({ title: "Corner shop", areas: areas.slice(0, 24) }),
  "spec/b.yaml": describeAreas({ title: "Grand store", areas: areas.slice(12) }),
};

/** Foreign files, beside and among generated ones. */
const others = {
  ...descriptions,
  "made/README.md": "About all packages.\n",
  "made/till/src/gen/types.ts": "export type Theirs = 1;\n",
  "made/client/CHANGELOG.md": "## 3.1.4\n",
  "made/client/src/mine.ts": 'export * from "./gen/index.js";\n',
  "made/client/src/gen/operations/by-hand.ts": "export {};\n",
  "made/client/package.json": '{"version": "3.1.4", "homepage": "https://shop.example", "keywords": ["mine"]}\n',
};

/** The only one of those files that the generator has keys in. */
const shared = "made/client/package.json";
const theirs = Object.keys(others).filter((name) => name !== shared);
const longAgo = new Date("2020-02-02");

/** Texts of files by their path, and all other traces that a run could leave. */
export type State = Readonly<Record<string, string>>;

export function generating(edition: Edition, out = "made"): readonly string[] {
  return [
    "generate",
    "--spec",
    `spec/${edition}.yaml`,
    "--out",
    out,
    ...(only.length > 0 ? ["--only", only.join()] : []),
  ];
}

/** Two packages suffice to see whether a run writes all or nothing; the others take several times as long. */
const only = isFull ? [] : ["client", "validator"];

/** A workspace after an undisturbed run. */
export interface Made {
  readonly folder: string;
  readonly state: State;
  /** A file with the packages of the edition, as `write-each.mjs` reads it. */
  readonly plan: string;
}

/** A workspace of either edition; `removeEditions` removes them. */
export async function bothEditions(): Promise<Readonly<Record<Edition, Made>>> {
  const made = async (edition: Edition): Promise<Made> => {
    const folder = await unremovedFolder();
    await place(folder, others);
    for (const name of theirs) await utimes(path.join(folder, name), longAgo, longAgo);
    const planned = await planPackages(edition, folder);
    if (isFull) await generate(edition, folder);
    else await writePackages(...planned); // as the runs of the short form do
    return { folder, state: await stateOf(folder), plan: await writePlan(planned, folder) };
  };
  return { a: await made("a"), b: await made("b") };
}

export async function removeEditions({ a, b }: Readonly<Record<Edition, Made>>): Promise<void> {
  for (const each of [a.folder, b.folder, path.dirname(a.plan), path.dirname(b.plan)])
    await rm(each, { recursive: true, force: true });
}

async function generate(edition: Edition, folder: string): Promise<void> {
  const { code, error } = await plumbline(generating(edition), { in: folder });
  if (code !== 0) throw new Error(error);
}

async function planPackages(edition: Edition, folder: string): Promise<readonly GeneratedPackage[]> {
  const spec = path.join(folder, "spec", `${edition}.yaml`);
  const config = await readConfig({ spec, out: "made", from: folder, artifactKinds });
  const { packages } = await planGeneration(config, { only });
  return packages;
}

async function writePlan(planned: readonly GeneratedPackage[], folder: string): Promise<string> {
  const made = path.join(folder, "made");
  const plan = path.join(await unremovedFolder(), "plan.json");
  const relative = planned.map((each) => ({ ...each, folder: path.relative(made, each.folder) }));
  await writeFile(plan, JSON.stringify(relative));
  return plan;
}

/** One run for an edition. */
export interface Writing {
  readonly edition: Edition;
  readonly in: string;
  readonly out?: string;
}

/**
 * The script of this folder that does these runs, and the list that is its argument: the complete command in the full form; otherwise what the
 * command does once it has planned, which takes a tenth of the time.
 */
export function writingEach(
  editions: Readonly<Record<Edition, Made>>,
  runs: readonly Writing[],
): readonly [script: string, list: readonly object[]] {
  if (isFull)
    return ["run-each.mjs", runs.map(({ edition, out, in: folder }) => ({ args: generating(edition, out), folder }))];
  const list = runs.map(({ edition, out = "made", in: folder }) => ({ plan: editions[edition].plan, out, folder }));
  return ["write-each.mjs", list];
}

/** A copy of a workspace, for one test to disturb. */
export async function copyOf(workspace: string): Promise<string> {
  const folder = await temporaryFolder();
  await cp(workspace, folder, { recursive: true, preserveTimestamps: true });
  return folder;
}

/** Everything below a folder, with the texts of files; of those that are not the generator's, when they were last written too. */
export async function stateOf(folder: string): Promise<State> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const folders = entries.filter((each) => each.isDirectory()).map((each) => path.join(each.parentPath, each.name));
  const times = theirs.map(async (name) => {
    const written = await stat(path.join(folder, name)).then(
      ({ mtime }) => mtime.toISOString(),
      () => "never",
    );
    return [`${name}, last written`, written] as const;
  });
  return {
    ...Object.fromEntries(folders.map((each) => [`${path.relative(folder, each)}/`, ""] as const)),
    ...(await filesOf(folder)),
    ...Object.fromEntries(await Promise.all(times)),
  };
}

/** The names of files that differ between two states. */
export function differing(one: State, another: State): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(another)]);
  return [...names].filter((name) => one[name] !== another[name]);
}
