import { cp, readdir, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { describeAreas } from "./areas.js";
import { filesOf, place } from "./pets.js";
import { temporaryFolder, unremovedFolder } from "./places.js";
import { plumbline } from "./run.js";

/** Two descriptions of which each has files that the other has not, and says something else in most of the files they share. */
export type Edition = "a" | "b";

const areas = Array.from({ length: 36 }, (_, index) => `area-${String.fromCharCode(97 + (index % 26))}${index}`);
const descriptions = {
  "spec/a.yaml": describeAreas({ title: "Corner shop", areas: areas.slice(0, 24) }),
  "spec/b.yaml": describeAreas({ title: "Grand store", areas: areas.slice(12) }),
};

/** What is not the generator's, beside and among what is. */
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

/** Texts of files by their path, and whatever else would show that somebody had been there. */
export type State = Readonly<Record<string, string>>;

export function generating(edition: Edition, out = "made"): readonly string[] {
  return ["generate", "--spec", `spec/${edition}.yaml`, "--out", out];
}

export interface Made {
  readonly folder: string;
  readonly state: State;
}

/** A workspace of either edition as a run that nothing disturbs leaves it; whoever makes them removes them. */
export async function bothEditions(): Promise<Readonly<Record<Edition, Made>>> {
  const made = async (edition: Edition): Promise<Made> => {
    const folder = await unremovedFolder();
    await place(folder, others);
    for (const name of theirs) await utimes(path.join(folder, name), longAgo, longAgo);
    const { code, error } = await plumbline(generating(edition), { in: folder });
    if (code !== 0) throw new Error(error);
    return { folder, state: await stateOf(folder) };
  };
  const [a, b] = await Promise.all([made("a"), made("b")]);
  return { a, b };
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

/** The names of what is not the same in two states. */
export function differing(one: State, another: State): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(another)]);
  return [...names].filter((name) => one[name] !== another[name]);
}
