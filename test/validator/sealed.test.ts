import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { projectOf } from "../support/examples.js";
import { place } from "../support/pets.js";
import { repository } from "../support/places.js";
import { runNode } from "../support/run.js";

const packages = ["packages/validator", "packages/server-runtime"];

describe("the validator creates no code at run time:", () => {
  it("every entry loads and validates where code cannot be created from strings", async () => {
    const entries = entriesOf("packages/validator", "@cloud-compute/validator");
    expect(entries).toContain("@cloud-compute/validator/responses");
    const script = `
const entries = ${JSON.stringify(entries)};
const loaded = await Promise.all(entries.map((entry) => import(entry)));
const { createInstance } = loaded[0];
const results = [
  loaded.filter((each) => Object.keys(each).length > 0).length,
  createInstance.body({ region: "us-east", type: "g6-standard-1" }),
  createInstance.body({ region: "us-east", label: "ab" }),
];
console.log(JSON.stringify(results));
`;
    const { code, out, error } = await run(script);
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(JSON.parse(out)).toEqual([
      entries.length - 1, // types have no values
      { ok: true, input: expect.objectContaining({ booted: true }) as object },
      {
        ok: false,
        issues: [
          { in: "body", field: "type", code: "required", reason: "is required" },
          { in: "body", field: "label", code: "length", reason: "must be 3 to 64 characters" },
        ],
      },
    ]);
  });

  it("creating code fails where it is disabled", async () => {
    const { code, error } = await run('console.log(new Function("return 1")());');
    expect(code).not.toBe(0);
    expect(error).toContain("Code generation from strings disallowed");
  });

  it("the build contains no code that could", () => {
    const files = packages.flatMap((folder) => scriptsIn(path.join(repository, folder, "dist")));
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => makesCode(readFileSync(file, "utf8")))).toEqual([]);
  });

  it("such code would be found", () => {
    const texts = ['require("ajv")', "eval (text)", "new Function(text)", "Function(text)", "setTimeout('a()', 1)"];
    expect(texts.map(makesCode)).toEqual([true, true, true, true, true]);
    expect(["isRequired(value)", "evaluate(a)", "checkFunction(a)", "setTimeout(next, 1)"].filter(makesCode)).toEqual(
      [],
    );
  });
});

async function run(script: string) {
  const project = await projectOf([]);
  await place(project, { "use.js": script });
  return runNode(["--disallow-code-generation-from-strings", "use.js"], { in: project });
}

/** What a package can be imported as, its own name first. */
function entriesOf(folder: string, name: string): readonly string[] {
  const { exports } = JSON.parse(readFileSync(path.join(repository, folder, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  return Object.keys(exports).flatMap((entry) => (entry.endsWith(".json") ? [] : [name + entry.slice(1)]));
}

function scriptsIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return entries.filter((file) => file.endsWith(".js")).map((file) => path.join(folder, file));
}

/** True for a text that loads code, or creates it from strings. */
function makesCode(text: string): boolean {
  return /\b(?:require|eval|Function)\s*\(|\bset(?:Timeout|Interval)\s*\(\s*["'`]/.test(text);
}
