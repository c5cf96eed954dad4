import { readdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readTracked } from "../support/tracked.js";
import { consumers, readProjects, type MarkedProject } from "./consumers.support.js";
import { knownMismatches } from "./known-mismatches.js";

const names = readdirSync(path.join(consumers, "descriptions"));
const projects = new Map<string, MarkedProject>();
beforeAll(async () => {
  for (const name of names) for (const [project, found] of await readProjects(name)) projects.set(project, found);
});

/** What is missing (`-`) or too much (`+`) in the report about a project. */
function mismatchesOf({ marked, reported }: MarkedProject): readonly string[] {
  return [
    ...marked.filter((each) => !reported.includes(each)).map((each) => `- ${each}`),
    ...reported.filter((each) => !marked.includes(each)).map((each) => `+ ${each}`),
  ];
}

describe("the code that changes concern, marked by hand in consumers", () => {
  it("is found, except for the known mismatches", () => {
    const found = [...projects].map(([name, project]) => [name, mismatchesOf(project)] as const);
    const expected = found.map(([name]) => [name, (knownMismatches[name] ?? []).map(([mismatch]) => mismatch)]);
    expect(found).toEqual(expected);
    expect(Object.keys(knownMismatches).filter((name) => !projects.has(name))).toEqual([]);
  });

  it("has the figures of the README", () => {
    const all = [...projects.values()];
    const count = (of: (project: MarkedProject) => number): number => all.reduce((sum, each) => sum + of(each), 0);
    const marked = count((each) => each.marked.length);
    const hits = count(({ marked: marks, reported }) => marks.filter((each) => reported.includes(each)).length);
    const percent = (of: number): string => `${((100 * hits) / of).toFixed(1)} %`;
    const reported = count((each) => each.reported.length);
    expect(readTracked("test/consumers/README.md")).toContain(
      `${all.length} projects, ${marked} marks: precision ${percent(reported)}, recall ${percent(marked)}`,
    );
  });
});
