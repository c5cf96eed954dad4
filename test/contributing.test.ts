import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { cloneInto, git } from "./support/clone.js";
import { place } from "./support/pets.js";
import { repository, temporaryFolder } from "./support/places.js";
import { plumbline, run } from "./support/run.js";
import { readTracked } from "./support/tracked.js";

const isFull = process.env["MODE"] === "full";
const minutes = 60_000;

describe.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("%s", (page) => {
  it("names files, folders and commands that exist", () => {
    const text = readTracked(page);
    expect(pathsIn(text).length).toBeGreaterThan(10);
    expect(missingPaths(text)).toEqual([]);
    expect(missingScripts(text)).toEqual([]);
  });
});

it("finds paths and commands that do not exist", () => {
  const text = "`spec/openapi.yaml`, `packages/gone/`, [a](test/gone.ts), `npm run build`, npm run gone, `a/b`, `@x/y`";
  expect(missingPaths(text)).toEqual(["packages/gone/", "test/gone.ts"]);
  expect(missingScripts(text)).toEqual(["gone"]);
});

describe("the first change of CONTRIBUTING.md", () => {
  const text = readTracked("CONTRIBUTING.md");
  const blocks = [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language, block = ""]) => ({
    language,
    block,
  }));
  const linesOf = (language: string) =>
    blocks.filter((each) => each.language === language).map(({ block }) => block.trim().split("\n"));
  const commands = linesOf("sh").flat();
  const [files = [], [rule = ""] = [], [failure = ""] = []] = linesOf("");
  const patch = blocks.find(({ language }) => language === "diff")?.block ?? "";

  it("changes these files, with this meaning, and fails that test", { timeout: 15 * minutes }, async () => {
    expect(commands).toEqual([
      "npm ci",
      "npm run build",
      "npm run generate",
      "git diff --stat",
      "npx plumbline diff HEAD --fail-on none",
      "npm test -- server/limits",
      "npx changeset",
      "npm run format",
      "npm test",
    ]);
    const folder = await temporaryFolder();
    await cloneInto(folder);
    await place(folder, { "first.patch": patch });
    await git(folder, "apply", "first.patch");
    // The suite takes longest, so only the long form generates it.
    const only = isFull ? [] : ["--only", "client,server"];
    expect(await plumbline(["generate", ...only], { in: folder, timeout: 5 * minutes })).toMatchObject({ code: 0 });
    const changed = (await git(folder, "diff", "--name-only")).split("\n");
    expect(changed).toEqual(files.filter((file) => isFull || !file.startsWith("packages/conformance/")));
    const { out } = await plumbline(["diff", "HEAD", "--fail-on", "none"], { in: folder });
    expect(out).toContain(rule);
    if (!isFull) return;
    const tests = await run("npm", ["test", "--", "server/limits"], { in: folder, timeout: 8 * minutes });
    expect(tests.code).toBe(1);
    expect(tests.out).toContain(failure);
  });
});

/** Paths of the repository in code spans, and the targets of local links. */
function pathsIn(text: string): readonly string[] {
  const spans = [...text.matchAll(/`((?:spec|packages|generators|test|\.github|\.changeset|\.ci)\/[\w./-]*)`/g)];
  const links = [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)].filter(([, link = ""]) => !/^[a-z]+:/.test(link));
  return [...spans, ...links].map(([, each = ""]) => each);
}

function missingPaths(text: string): readonly string[] {
  return pathsIn(text).filter((each) => !existsSync(path.join(repository, each)));
}

function missingScripts(text: string): readonly string[] {
  const { scripts } = JSON.parse(readTracked("package.json")) as { readonly scripts: Readonly<Record<string, string>> };
  const names = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name);
  return names.filter((name) => !Object.hasOwn(scripts, name));
}
