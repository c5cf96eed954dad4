import { readdirSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository, unremovedFolder } from "../support/places.js";
import { plumblineProgram, runNode } from "../support/run.js";
import { StrictPackages, type Warning } from "../support/strict-packages.js";

const corpus = path.join(repository, "test", "descriptions", "versions");
const names = readdirSync(corpus).map((each) => path.basename(each, ".yaml"));

describe("descriptions of other versions", () => {
  let folder: string;
  let packages: StrictPackages;
  const outcomes: { readonly name: string; readonly warnings: readonly Warning[] }[] = [];

  beforeAll(async () => {
    folder = await unremovedFolder();
    packages = await StrictPackages.in(folder);
    for (const name of names)
      outcomes.push({ name, warnings: await packages.generate(name, path.join(corpus, `${name}.yaml`)) });
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true }));

  it("become packages, with the warnings that the table names, each with the way to decide otherwise", () => {
    const readme = readFileSync(path.join(repository, "test", "descriptions", "README.md"), "utf8");
    const rows = readme.split("\n").filter((line) => line.startsWith("| `versions/"));
    const rowOf = ({ name, warnings }: (typeof outcomes)[number]): RegExp => {
      const codes = [...new Set(warnings.map((each) => `\`${each.code}\``))].toSorted();
      return new RegExp(String.raw`^\| \`versions/${name}\` \| .* \| ${codes.join(", ")} ?\|$`);
    };
    expect(rows).toEqual(outcomes.map((outcome) => expect.stringMatching(rowOf(outcome)) as unknown));
    expect(outcomes.flatMap(({ warnings }) => warnings.filter(({ fix }) => fix === undefined))).toEqual([]);
  });

  it("become packages that compile under the strictest settings and can be imported; an injected error is found", async () => {
    const wrong = path.join(names[0] ?? "", "client", "src", "wrong.ts");
    await writeFile(
      path.join(folder, wrong),
      'import { createClient } from "./index.js";\nexport const client: number = createClient();\n',
    );
    const errors = await packages.compile();
    expect(errors.filter((line) => !line.startsWith(`${wrong}(`))).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(await packages.importAll()).toBe("");
  }, 300_000);

  it("are rejected with a way out where nothing can convert them", async () => {
    // A hook stands for a project without the library.
    const hook = `export const resolve = (name, context, next) => { if (name.startsWith("@scalar/")) throw new Error("missing"); return next(name, context); };`;
    const register = `import { register } from "node:module"; register(${JSON.stringify(dataUrl(hook))});`;
    const spec = path.join(corpus, "swagger-2.0.yaml");
    const args = ["--import", dataUrl(register), plumblineProgram, "lint", spec];
    const { code, out } = await runNode(args, { in: corpus });
    expect(code).toBe(1);
    expect(out).toBe(
      "swagger-2.0.yaml:1:1  error  description/version  This is Swagger 2.0; OpenAPI 3.0, 3.1 and 3.2 can be read. Install @scalar/openapi-upgrader, which converts it, or convert it once with npx swagger2openapi.\n1 problem (1 error, 0 warnings) in 1 file.\n",
    );
  });

  it("have clients that read streams item by item", () => {
    const client = readFileSync(
      path.join(folder, "openapi-3.2", "client", "src", "gen", "operations", "notes.ts"),
      "utf8",
    );
    expect(client).toContain("globalThis.AsyncIterable<Note>");
    expect(client).toContain('decodeByStatus({ "200": asJsonLines, "202": asEvents })');
    expect(client).toContain('defineOperation("QUERY", ');
  });
});

function dataUrl(module: string): string {
  return `data:text/javascript,${encodeURIComponent(module)}`;
}
