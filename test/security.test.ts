import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "./support/places.js";
import { readTracked } from "./support/tracked.js";

/** The rows of the table of guarantees, without its head. */
function guaranteesIn(page: string): readonly string[] {
  const [, section = ""] = /^## Guarantees, and against whom\n([^]*?)^## /m.exec(page) ?? [];
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2);
}

/** Guarantees without a test, and tests that do not exist. */
function problemsIn(page: string): readonly string[] {
  const untested = guaranteesIn(page).filter((row) => testsIn(row).length === 0);
  const missing = testsIn(page).filter(({ file, title }) => !hasTest(file, title));
  return [...untested, ...missing.map(({ file, title }) => `${file} "${title}"`)];
}

function testsIn(text: string): readonly { readonly file: string; readonly title: string }[] {
  const links = text.matchAll(/\]\(([\w./-]+\.test\.ts) "([^"]+)"\)/g);
  return [...links].map(([, file = "", title = ""]) => ({ file, title }));
}

function hasTest(file: string, title: string): boolean {
  const place = path.join(repository, file);
  return existsSync(place) && readFileSync(place, "utf8").includes(JSON.stringify(title));
}

describe("SECURITY.md", () => {
  const page = readTracked("SECURITY.md");

  it("names existing tests for each guarantee", () => {
    expect(guaranteesIn(page).length).toBeGreaterThan(20);
    expect(problemsIn(page)).toEqual([]);
  });

  it.each([
    ["a guarantee without a test", (text: string) => text.replace(/\| \[1\][^|]+\|/, "| |")],
    ["a test that no longer exists", (text: string) => text.replace("rejects a token that is revoked", "rejects it")],
    ["a file that no longer exists", (text: string) => text.replace("dns/steady-transfer.test", "dns/steady.test")],
  ])("fails for %s", (_, change) => {
    expect(problemsIn(change(page))).toHaveLength(1);
  });
});
