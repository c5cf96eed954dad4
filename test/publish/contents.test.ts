import { cp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import path from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesOf, place } from "../support/pets.js";
import { repository, temporaryFolder, unremovedFolder } from "../support/places.js";
import { npm, runNode } from "../support/run.js";
import { packedAll, publicNames, type Tarball } from "../support/tarballs.js";
import { readTracked } from "../support/tracked.js";
import { excesses, type Sizes } from "./sizes.js";

const names = publicNames();
let folder: string;
let tarballs: ReadonlyMap<string, Tarball>;

beforeAll(async () => {
  folder = await unremovedFolder();
  tarballs = new Map((await packedAll(names, folder)).map((each) => [each.name, each]));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const packed = (name: string): Tarball => {
  const found = tarballs.get(name);
  if (found === undefined) throw new Error(`${name} was not packed`);
  return found;
};

describe.each(names)("%s, as npm packs it,", (name) => {
  it("satisfies publint", async () => {
    expect(await lint(packed(name).folder)).toEqual([]);
  });

  it("names no place of this machine", async () => {
    const files = Object.entries(await filesOf(packed(name).folder));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter(([, text]) => namesMachine(text)).map(([file]) => file)).toEqual([]);
  });

  it("has a source for every map, and a map for every source", async () => {
    const files = await filesOf(packed(name).folder);
    const maps = Object.entries(files).filter(([file]) => file.endsWith(".map"));
    const sources = maps.map(([file, text]) => {
      const map = JSON.parse(text) as { readonly sources: readonly string[] };
      return map.sources.map((source) => path.posix.join(path.posix.dirname(file), source));
    });
    expect([...new Set(sources.flat())].sort()).toEqual(Object.keys(files).filter((file) => file.startsWith("src/")));
  });
});

it.each(names)("%s has types that fit, as attw sees it, if programs import it", { timeout: 300_000 }, async (name) => {
  const manifest = JSON.parse(await readFile(path.join(packed(name).folder, "package.json"), "utf8")) as object;
  const isCommand = "bin" in manifest && !("exports" in manifest);
  expect(isCommand || (await attw(packed(name).file)).code === 0).toBe(true);
});

describe("what is published", () => {
  it("is the files of contents.txt, and no other", async () => {
    const contents = await Promise.all(
      names.map(async (name) => [name, ...gathered(Object.keys(await filesOf(packed(name).folder)))].join("\n  ")),
    );
    await expect(`${contents.join("\n\n")}\n`).toMatchFileSnapshot("contents.txt");
  });

  it("has about the sizes of sizes.json", () => {
    const measured = Object.fromEntries([...tarballs].map(([name, { bytes }]) => [name, bytes]));
    expect(excesses(measured, JSON.parse(readTracked("test/publish/sizes.json")) as Sizes)).toEqual([]);
  });
});

describe("what is not fit to be published is caught where", () => {
  it("an entry leads nowhere, or a file names this machine", { timeout: 300_000 }, async () => {
    const broken = await temporaryFolder();
    await cp(packed("@plumbline/client-runtime").folder, broken, { recursive: true });
    const manifest = JSON.parse(await readFile(path.join(broken, "package.json"), "utf8")) as object;
    const wrong = { ...manifest, exports: { ".": { types: "./dist/absent.d.ts", default: "./dist/index.js" } } };
    await place(broken, { "package.json": JSON.stringify(wrong), "dist/index.js": `throw "${repository}/packages";` });
    expect((await lint(broken)).length).toBeGreaterThan(0);
    const { out } = await npm(["pack", "--json"], { in: broken });
    expect(out).toContain("plumbline-client-runtime-");
    const file = Object.keys(await filesOf(broken)).find((each) => each.endsWith(".tgz"));
    expect((await attw(path.join(broken, file ?? ""))).code).toBe(1);
    expect(namesMachine(await readFile(path.join(broken, "dist/index.js"), "utf8"))).toBe(true);
  });

  it("a file has no script, or one of the four is missing", () => {
    const made = [
      "dist/a.js",
      "dist/a.d.ts",
      "dist/a.js.map",
      "dist/a.d.ts.map",
      "README.md",
      "dist/b.js",
      "dist/c.txt",
    ];
    expect(gathered(made)).toEqual(["README.md", "dist/a.{d.ts,d.ts.map,js,js.map}", "dist/b.{js}", "dist/c.txt"]);
  });

  it("a package has grown, has shrunk a lot, or is unknown", () => {
    const budget = { packed: 1000, unpacked: 10_000 };
    const known = { a: budget, b: budget, c: budget, gone: budget };
    const found = {
      a: { packed: 1000, unpacked: 9000 },
      b: { packed: 1001, unpacked: 9500 },
      c: { packed: 950, unpacked: 8499 },
      new: budget,
    };
    expect(excesses(found, known)).toEqual([
      "b: packed 1001 bytes, where 1000 are allowed",
      "c: unpacked 8499 bytes, far from the 10000 that are allowed: 8923 would do",
      "gone: is not published",
      "new: packed 1000 and unpacked 10000 bytes, where nothing is allowed",
    ]);
  });
});

/** Paths in order, those of a compiler's four files of one source in one line. */
function gathered(paths: readonly string[]): readonly string[] {
  const lines = new Map<string, string[]>();
  for (const each of [...paths].sort()) {
    const [, stem, ending] = /^(dist\/.*?)\.((?:d\.ts|js)(?:\.map)?)$/.exec(each) ?? [];
    if (stem === undefined || ending === undefined) lines.set(each, []);
    else lines.set(stem, [...(lines.get(stem) ?? []), ending]);
  }
  return [...lines].map(([stem, endings]) => (endings.length === 0 ? stem : `${stem}.{${endings.join(",")}}`));
}

/** What publint finds, as a program reads it. */
async function lint(pkgDir: string): Promise<readonly string[]> {
  const { messages } = await publint({ pkgDir, strict: true, pack: false });
  return messages.map(({ type, code, path: at }) => `${type} ${code} ${at.join(".")}`);
}

async function attw(tarball: string): ReturnType<typeof runNode> {
  const manifest = createRequire(import.meta.url).resolve("@arethetypeswrong/cli/package.json");
  const { bin } = JSON.parse(await readFile(manifest, "utf8")) as { readonly bin: { readonly attw: string } };
  return runNode([path.join(path.dirname(manifest), bin.attw), tarball, "--profile", "esm-only"], { in: folder });
}

/** The folder of the repository, or somebody's home. */
function namesMachine(text: string): boolean {
  return [repository, homedir()].some((each) => each !== "/" && text.includes(`${each}${path.sep}`));
}
