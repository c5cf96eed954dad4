import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "./support/places.js";
import { readTracked } from "./support/tracked.js";

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
