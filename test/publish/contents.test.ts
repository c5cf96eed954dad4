import { cp, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { publint } from "publint";
import { beforeAll, describe, expect, it } from "vitest";
import { place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { listPacked, publicNames, type Packed } from "../support/tarballs.js";
import { readTracked } from "../support/tracked.js";
import { excesses, type Sizes } from "./sizes.js";

const names = publicNames();
let packages: ReadonlyMap<string, Packed>;

beforeAll(async () => {
  packages = new Map((await listPacked(names)).map((each) => [each.name, each]));
});

const packed = (name: string): Packed => {
  const found = packages.get(name);
  if (found === undefined) throw new Error(`${name} was not packed`);
  return found;
};

describe.each(names)("%s, as npm packs it,", (name) => {
  it("satisfies publint", async () => {
    expect(await lint(packed(name).folder)).toEqual([]);
  });

  it("contains no path of this machine", async () => {
    const { folder, files } = packed(name);
    const texts = files.map(async (file) => [file, await readFile(path.join(folder, file), "utf8")] as const);
    expect(files.length).toBeGreaterThan(10);
    expect((await Promise.all(texts)).filter(([, text]) => namesMachine(text)).map(([file]) => file)).toEqual([]);
  });

  it("has a source for every map, and a map for every source", async () => {
    const { folder, files } = packed(name);
    const maps = files.filter((file) => file.endsWith(".map"));
    const sources = maps.map(async (file) => {
      const map = JSON.parse(await readFile(path.join(folder, file), "utf8")) as {
        readonly sources: readonly string[];
      };
      return map.sources.map((source) => path.posix.join(path.posix.dirname(file), source));
    });
    const mapped = new Set((await Promise.all(sources)).flat());
    expect([...mapped].sort()).toEqual(files.filter((file) => file.startsWith("src/")));
  });
});

describe("published files", () => {
  it("is the files of contents.txt, and no other", async () => {
    const contents = names.map((name) => [name, ...gathered(packed(name).files)].join("\n  "));
    await expect(`${contents.join("\n\n")}\n`).toMatchFileSnapshot("contents.txt");
  });

  it("has about the sizes of sizes.json", () => {
    const measured = Object.fromEntries([...packages].map(([name, { bytes }]) => [name, bytes]));
    expect(excesses(measured, JSON.parse(readTracked("test/publish/sizes.json")) as Sizes)).toEqual([]);
  });
});

describe("unpublishable files are found when", () => {
  it("an entry leads nowhere, or a file names this machine", async () => {
    const broken = await temporaryFolder();
    const { folder } = packed("@plumbline/client-runtime");
    await cp(path.join(folder, "dist"), path.join(broken, "dist"), { recursive: true });
    const manifest = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as object;
    const wrong = { ...manifest, exports: { ".": { types: "./dist/absent.d.ts", default: "./dist/index.js" } } };
    await place(broken, { "package.json": JSON.stringify(wrong), "dist/index.js": `throw "${repository}/packages";` });
    expect((await lint(broken)).length).toBeGreaterThan(0);
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
  // Parts of a bundle have a hash of their text in their names.
  for (const each of new Set(paths.map((file) => file.replace(/-[A-Z0-9]{8}\.js(?=$|\.map$)/, "-HASH.js")).sort())) {
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

/** The folder of the repository, or a home folder. */
function namesMachine(text: string): boolean {
  return [repository, homedir()].some((each) => each !== "/" && text.includes(`${each}${path.sep}`));
}
