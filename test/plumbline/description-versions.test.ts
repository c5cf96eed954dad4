import { readdirSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository, unremovedFolder } from "../support/places.js";
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
  });
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
