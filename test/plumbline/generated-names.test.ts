import { readdirSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identifiersIn, languageNames, partsOf, withNames } from "../support/adversarial-names.js";
import { repository, unremovedFolder } from "../support/places.js";
import { allKinds, StrictPackages, type Warning } from "../support/strict-packages.js";

const corpus = path.join(repository, "test", "descriptions", "names");
const sample = path.join(corpus, "sample.yaml");
const names = readdirSync(corpus).map((each) => path.basename(each, ".yaml"));
const isFull = process.env["MODE"] === "full";

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

describe("descriptions whose names generated code cannot have", () => {
  it("become packages, with the warnings that the table names, each with the way to decide otherwise", () => {
    const readme = readFileSync(path.join(repository, "test", "descriptions", "README.md"), "utf8");
    const rows = readme.split("\n").filter((line) => line.startsWith("| `names/"));
    const rowOf = ({ name, warnings }: (typeof outcomes)[number]): RegExp => {
      const codes = [...new Set(warnings.map((each) => `\`${each.code}\``))].toSorted();
      return new RegExp(String.raw`^\| \`names/${name}\` \| .* \| ${codes.join(", ")} ?\|$`);
    };
    expect(rows).toEqual(outcomes.map((outcome) => expect.stringMatching(rowOf(outcome)) as unknown));
    const chosen = outcomes.flatMap(({ warnings }) => warnings.filter(({ code }) => !code.startsWith("openapi/")));
    expect(chosen.filter(({ fix }) => fix === undefined)).toEqual([]);
  });

  it("become packages that compile under the strictest settings and can be imported; an injected error is found", async () => {
    const wrong = path.join("sample", "client", "src", "wrong.ts");
    await writeFile(
      path.join(folder, wrong),
      'import { createClient } from "./index.js";\nexport const client: number = createClient();\n',
    );
    const errors = await packages.compile();
    expect(errors.filter((line) => !line.startsWith(`${wrong}(`))).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(await packages.importAll()).toBe("");
  });

  it("check the plain one of media types that differ in parameters only", () => {
    const of = (kind: string, file: string): string =>
      readFileSync(path.join(folder, "media-types-with-parameters", kind, "src", "gen", file), "utf8");
    expect(of("validator", path.join("operations", "default.ts"))).not.toContain('"event"');
    const checks = path.join("validator", "checks.ts");
    expect(of("server", path.join("validator", "responses.ts"))).not.toContain('"event"');
    expect(of("server", checks) + of("server", path.join("validator", "responses.ts"))).toContain('"name"');
  });
});

describe("every name that generated code has", () => {
  /**
   * By default the names of functions of the sample and some of the others, `SEED` says which; in full all of them, all their parts, and all
   * names of the packages of Cloud Compute.
   */
  const chunks = isFull ? 12 : 1;
  let all: readonly string[];

  beforeAll(() => {
    const own = ["client", "validator", "server", "conformance"].flatMap((kind) =>
      identifiersIn(path.join(folder, "sample", kind)),
    );
    expect(own.length).toBeGreaterThan(400);
    all = isFull ? everyName(own) : someNames(own);
  });

  it.each(Array.from({ length: chunks }, (_, index) => index))(
    "can be that of a schema, an operation, a parameter, a tag and a property (%i)",
    async (chunk) => {
      const chosen = all.filter((_, index) => index % chunks === chunk);
      expect(chosen.length).toBeGreaterThan(60);
      const at = await unremovedFolder();
      try {
        // The code of a suite has no names of the description, only data.
        const named = await StrictPackages.in(at, isFull ? allKinds : ["client", "validator", "server"]);
        await writeFile(path.join(at, "names.yaml"), withNames(readFileSync(sample, "utf8"), chosen));
        await named.generate("names", path.join(at, "names.yaml"));
        expect(await named.compile()).toEqual([]);
        expect(await named.importAll()).toBe("");
      } finally {
        await rm(at, { recursive: true });
      }
    },
    300_000,
  );
});

/** All names of these, all their parts, those of the packages of Cloud Compute, and the language's. */
function everyName(own: readonly string[]): readonly string[] {
  const ours = ["client", "validator", "server"].flatMap((each) =>
    identifiersIn(path.join(repository, "packages", each, "src", "gen")),
  );
  const every = new Set([...own, ...partsOf(own), ...ours, ...languageNames]);
  every.delete("__proto__"); // stays with `hostile/prototype-names.yaml`: a key of YAML that is not a key of an object
  return [...every];
}

/** The names of functions, and some of the others, which `SEED` chooses. */
function someNames(own: readonly string[]): readonly string[] {
  const functions = partsOf(own.filter((name) => /^(?:check|normalize|serialize)./.test(name)));
  const seed = Number(process.env["SEED"] ?? 0);
  const others = [...partsOf(own), ...languageNames].filter((name) => name !== "__proto__");
  return [...new Set([...functions, ...others.filter((_, index) => (index + seed) % 12 === 0)])];
}
