import { cp, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { publint } from "publint";
import { beforeAll, describe, expect, it } from "vitest";
import { place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { listPacked, publicNames, type Packed } from "../support/tarballs.js";

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

  it("contains what its users need, and nothing else", async () => {
    const { folder, files } = packed(name);
    const manifest = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as Manifest;
    expect(errorsOfContents(manifest, files)).toEqual([]);
  });

  it("contains no path of this machine", async () => {
    const { folder, files } = packed(name);
    const texts = files.map(async (file) => [file, await readFile(path.join(folder, file), "utf8")] as const);
    expect(files.length).toBeGreaterThan(10);
    expect((await Promise.all(texts)).filter(([, text]) => namesMachine(text)).map(([file]) => file)).toEqual([]);
  });

  it("has pages whose relative links lead to its own files", async () => {
    const { folder, files } = packed(name);
    const pages = files.filter((file) => file.endsWith(".md"));
    const texts = pages.map(async (file) => [file, await readFile(path.join(folder, file), "utf8")] as const);
    expect((await Promise.all(texts)).flatMap(([file, text]) => deadLinks(file, text, files))).toEqual([]);
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
    // A bundle also contains code of packages that are not installed with it, and what imports modules of Node for them.
    const bundled = /^\.\.\/command-line\/src\/|^\.\.\/\.\.\/node_modules\/|^dist\/node:/;
    const mapped = new Set((await Promise.all(sources)).flat().filter((source) => !bundled.test(source)));
    expect([...mapped].sort()).toEqual(files.filter((file) => file.startsWith("src/")));
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

  it("a page links to a file of another package, or to none", () => {
    const files = ["README.md", "docs/a.md", "docs/b/c.mjs"];
    const text =
      "[a](a.md#x) [b](b) [top](../README.md) [x](#x) [web](https://pets.example/a) [o](../../o/README.md) [d](d.md)";
    expect(deadLinks("docs/a.md", text, files)).toEqual(["../../o/README.md", "d.md"]);
  });

  it("a file is missing, or is of use to us alone", () => {
    const manifest = {
      exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" }, "./data/*": "./data/*.json" },
      bin: { a: "bin/a.js" },
    };
    const files = [
      "LICENSE",
      "README.md",
      "bin/a.js",
      "data/b.json",
      "dist/index.d.ts",
      "dist/index.js",
      "package.json",
    ];
    expect(errorsOfContents(manifest, files)).toEqual([]);
    expect(errorsOfContents({ ...manifest, bin: "./bin/a.js" }, files)).toEqual([]);
    for (const file of files) {
      const others = files.filter((each) => each !== file);
      expect(errorsOfContents(manifest, others)).toEqual([
        file === "data/b.json" ? "data/*.json is missing" : `${file} is missing`,
      ]);
    }
    const ours = [
      "api.md",
      "dist/.tsbuildinfo",
      "src/a.test.ts",
      "src/b.support.ts",
      "src/tsconfig.json",
      "src/.plumbline.json",
    ];
    expect(errorsOfContents(manifest, [...files, ...ours])).toEqual(ours.map((file) => `${file} is not for users`));
    expect(
      errorsOfContents(manifest, [...files, "dist/testing.js", "src/run/fixtures.ts", "docs/a/.plumbline.json"]),
    ).toEqual([]);
  });
});

/** What a package.json promises to contain. */
interface Manifest {
  readonly exports?: unknown;
  readonly bin?: string | Readonly<Record<string, string>>;
}

/** Tests, settings and caches. A folder of `docs` is a template with its settings. */
const unpublishable =
  /^(?!docs\/)(.*\/)?\.[^/]+$|(^|\/)(node_modules|reports)\/|(^|\/)tsconfig[^/]*\.json$|(^|\/)vitest\.config\.ts$|\.(test|support)\.|\.tsbuildinfo$|^api\.md$/;

/** Files that a package lacks, and files that only this repository needs, a line each. */
function errorsOfContents({ exports, bin = {} }: Manifest, files: readonly string[]): readonly string[] {
  const programs = typeof bin === "string" ? [bin] : Object.values(bin);
  const targets = [...targetsOf(exports), ...programs].map((target) => target.replace(/^\.\//, ""));
  const promised = [...new Set(["LICENSE", "README.md", "package.json", ...targets])];
  const exists = (target: string): boolean => {
    const [before = "", after] = target.split("*");
    return files.some((file) =>
      after === undefined ? file === target : file.startsWith(before) && file.endsWith(after),
    );
  };
  return [
    ...promised.filter((target) => !exists(target)).map((target) => `${target} is missing`),
    ...files.filter((file) => unpublishable.test(file)).map((file) => `${file} is not for users`),
  ];
}

/** The paths in `exports`, below any subpath and condition. */
function targetsOf(exports: unknown): readonly string[] {
  if (typeof exports === "string") return [exports];
  return typeof exports === "object" && exports !== null ? Object.values(exports).flatMap(targetsOf) : [];
}

/** The relative links of a page to files that its package does not contain. npm decides where others are installed, so a page names them. */
function deadLinks(page: string, text: string, files: readonly string[]): readonly string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => {
    const [file = ""] = target.split("#");
    const linked = path.posix.join(path.posix.dirname(page), file);
    return (
      file !== "" && !/^[a-z]+:/.test(file) && !files.some((each) => each === linked || each.startsWith(`${linked}/`))
    );
  });
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
