import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Diagnostic } from "@plumbline/kit/model";
import { withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { lintInProcess } from "../../kit/src/openapi/lint/lint-in-process.support.js";
import { artifactKinds } from "./artifact-kinds.js";
import { readConfig } from "./config/config.js";
import { planGeneration, type GenerationPlan } from "./generation-plan.js";
import { memoryCache, type Cache } from "./incremental/cache.js";
import { createIncremental } from "./incremental/incremental.js";

const description = `openapi: 3.1.0
info: {title: Pets, version: '1', license: {name: MIT, identifier: MIT}}
servers: [{url: https://pets.example}]
security: []
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      responses: {'200': {description: All., content: {application/json: {schema: {type: array, items: {$ref: 'pet.yaml'}}}}}}
`;
const files = {
  "plumbline.yaml": `ruleset: minimal
descriptions:
  - description: openapi.yaml
    artifacts:
      client: {out: client}
      conformance: {out: conformance, settings: conformance.yaml}
`,
  "openapi.yaml": description,
  "pet.yaml": "type: object\nproperties: {name: {type: string, maxLength: 9}}\n",
  "conformance.yaml": "operations: {}\n",
};

test.each<readonly [string, string, string, readonly string[]]>([
  [
    "a bound",
    "pet.yaml",
    "type: object\nproperties: {name: {type: string, maxLength: 8}}\n",
    ["client", "conformance"],
  ],
  ["a comment at the end", "pet.yaml", `${files["pet.yaml"]}# that is all\n`, []],
  ["a line before all others", "openapi.yaml", `# pets\n${description}`, ["conformance"]],
  ["what is set for the suite", "conformance.yaml", "untested: {}\n", ["conformance"]],
  [
    "the configuration",
    "plumbline.yaml",
    files["plumbline.yaml"].replace("client}", "client, private: true}"),
    ["client"],
  ],
])("after a change of %s, generates only the affected artifacts again", async (_, name, text, made) => {
  await withFixtureFolder(files, async (folder) => {
    const cache = counted(memoryCache());
    await planned(folder, cache);
    expect(cache.made()).toEqual(["client", "conformance", "plan"]);
    await planned(folder, cache);
    expect(cache.made()).toEqual([]);
    await writeFile(path.join(folder, name), text);
    const after = await planned(folder, cache);
    expect(cache.made()).toEqual([...made, "plan"]);
    expect(after).toEqual(await planned(folder, undefined));
  });
});

test("a removed or added file is a change; another timestamp is not", async () => {
  await withFixtureFolder(files, async (folder) => {
    const cache = counted(memoryCache());
    await planned(folder, cache);
    cache.made();
    const pet = path.join(folder, "pet.yaml");
    await rename(pet, `${pet}.saved`);
    expect((await planned(folder, cache)).rejected).toHaveLength(1);
    expect(cache.made()).toEqual([]);
    await rename(`${pet}.saved`, pet);
    await writeFile(pet, files["pet.yaml"]);
    expect((await planned(folder, cache)).rejected).toEqual([]);
    expect(cache.made()).toEqual([]);
  });
});

test("a file in the folder of the workflows is a change", async () => {
  const config = files["plumbline.yaml"].replace("settings: conformance.yaml", "workflows: workflows");
  await withFixtureFolder({ ...files, "plumbline.yaml": config }, async (folder) => {
    await mkdir(path.join(folder, "workflows"));
    const cache = counted(memoryCache());
    await planned(folder, cache);
    cache.made();
    const added = path.join(folder, "workflows", "notes.txt");
    await writeFile(added, "");
    await planned(folder, cache);
    expect(cache.made()).toEqual(["plan"]);
    await rm(added);
  });
});

test("of several failing artifacts, reports the first", async () => {
  await withFixtureFolder(failing, async (folder) => {
    const { packages, rejected } = await planned(folder, undefined);
    const codes = rejected.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
    expect({ packages, codes }).toEqual({ packages: [], codes: ["names/collision"] });
  });
});

test("a run that keeps going has the other artifacts, and is not cached", async () => {
  await withFixtureFolder(failing, async (folder) => {
    const cache = counted(memoryCache());
    const { packages, rejected, missing } = await planned(folder, cache, { keepGoing: true });
    expect(packages.map((each) => path.basename(each.folder))).toEqual(["a"]);
    expect(rejected).toEqual([]);
    expect(missing.map(({ kind, out, diagnostics }) => [kind, out, diagnostics.map(({ code }) => code)])).toEqual([
      ["server", path.join(folder, "b"), ["names/collision"]],
      ["conformance", path.join(folder, "conformance"), [expect.any(String)]],
    ]);
    expect(cache.made()).not.toContain("plan");
  });
});

test("with errors of the linter, no slow artifact and none of plumbline.yaml is begun", async () => {
  const config = `generators: {mine: ./mine.mjs}\n${files["plumbline.yaml"].replace("artifacts:", "artifacts:\n      mine: {out: mine}")}`;
  const mine =
    "import { writeFileSync } from 'node:fs';\nexport default { files: () => { writeFileSync(new URL('./begun', import.meta.url), ''); return []; } };\n";
  const begun = async (found: readonly Diagnostic[]): Promise<readonly [boolean, readonly string[]]> =>
    withFixtureFolder({ ...files, "plumbline.yaml": config, "mine.mjs": mine }, async (folder) => {
      let made = (): void => undefined;
      const others = new Promise<void>((resolve) => (made = resolve));
      const cache = memoryCache();
      const put: Cache["put"] = async (key, value) => cache.put(key, value).then(made);
      const { rejected } = await planned(folder, { ...cache, put }, { startLinting: lintAfter(others, found) });
      const codes = rejected.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
      return [existsSync(path.join(folder, "begun")), codes];
    });
  expect(await begun([])).toEqual([true, []]);
  const origin = { file: "openapi.yaml", line: 1, column: 1, pointer: "" };
  const error = { severity: "error", code: "a/code", message: "It is wrong.", fix: "Correct it.", origin } as const;
  expect(await begun([error])).toEqual([false, ["a/code"]]);
});

/** Finds this after something that does not wait for the linter. */
function lintAfter(other: Promise<void>, found: readonly Diagnostic[]): typeof lintInProcess {
  return (jobs) => ({ ...lintInProcess([]), diagnostics: jobs.map(async () => other.then(() => found)) });
}

/** A server and a suite that fail, beside a validator. */
const failing = {
  ...files,
  "plumbline.yaml": files["plumbline.yaml"].replace(
    "client: {out: client}",
    "validator: {out: a}\n      server: {out: b}",
  ),
  "openapi.yaml": `${description.replace("      tags", "      x-limits: [{id: a-1, kind: rate, max: 1, window: PT1M, error: many}, {id: a1, kind: rate, max: 2, window: PT1M, error: many}]\n      tags")}x-errors: [{id: many, status: 429}]\n`,
  "conformance.yaml": "clocks: {}\n",
};

async function planned(
  folder: string,
  cache: Cache | undefined,
  { keepGoing = false, startLinting = lintInProcess } = {},
): Promise<GenerationPlan> {
  const config = await readConfig({
    spec: path.join(folder, "plumbline.yaml"),
    out: undefined,
    from: folder,
    artifactKinds,
  });
  return planGeneration(config, {
    only: [],
    keepGoing,
    startLinting,
    ...(cache && { incremental: createIncremental(cache) }),
  });
}

/** Returns the artifacts that were cached since the last call; `plan` stands for all of them. */
function counted(cache: Cache): Cache & { readonly made: () => readonly string[] } {
  let kept: string[] = [];
  return {
    get: cache.get,
    put: async (key, value) => {
      kept.push(artifactOf(value));
      await cache.put(key, value);
    },
    made: () => {
      const cached = kept.toSorted();
      kept = [];
      return cached;
    },
  };
}

function artifactOf(value: unknown): string {
  if (typeof value !== "object" || value === null || !("files" in value)) return "plan";
  return JSON.stringify(value.files).includes("suite.json") ? "conformance" : "client";
}
