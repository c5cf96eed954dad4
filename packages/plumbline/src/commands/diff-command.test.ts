import { execFileSync } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { withFixtureFolder, withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { runPlumbline, type CommandResult } from "./run-plumbline.support.js";

const pets = withPaths("/pets: {get: {operationId: listPets, responses: {'200': {description: All of them.}}}}");

test("--out creates the folder of the file", async () => {
  const next = pets.replace("listPets", "allPets");
  await withFixtureFolder({ "old.yaml": pets, "new.yaml": next }, async (folder) => {
    const args = ["diff", "old.yaml", "new.yaml", "--fail-on", "none", "--format", "json", "--out", "a/b/diff.json"];
    expect(await runPlumbline(args, folder)).toEqual({ code: 0, out: "", error: "" });
    const { differences } = JSON.parse(await readFile(path.join(folder, "a/b/diff.json"), "utf8")) as {
      readonly differences: readonly { readonly code: string }[];
    };
    expect(differences.map(({ code }) => code)).toEqual(["operation-renamed"]);
  });
});

test("accepted differences fail no run, until their day", async () => {
  const next = pets.replace("listPets", "allPets");
  const entry = (code: string, until: string, more = ""): string =>
    `- code: ${code}\n  reason: It is planned\n  until: ${until}\n${more}`;
  const files = {
    "old.yaml": pets,
    "new.yaml": next,
    "all.yaml": entry("operation-renamed", "2999-12-31"),
    "one.yaml": entry("operation-renamed", "2999-12-31", "  operation: GET /pets\n"),
    "other.yaml": entry("operation-renamed", "2999-12-31", "  operation: GET /cats\n"),
    "ended.yaml": entry("operation-renamed", "2001-01-31"),
    "unused.yaml": entry("operation-renamed", "2999-12-31") + entry("operation-removed", "2999-12-31"),
    "wrong.yaml": "- {code: operation-renamed, reason: x, until: 2026-02-30}\n- {code: a, until: 2027-01-31, why: x}\n",
    "no-list.yaml": "code: operation-renamed\n",
  };
  await withFixtureFolder(files, async (folder) => {
    const run = async (accept: string, ...more: string[]): Promise<CommandResult> =>
      runPlumbline(["diff", "old.yaml", "new.yaml", "--accept", accept, ...more], folder);
    for (const accept of ["all.yaml", "one.yaml"])
      expect(await run(accept)).toMatchObject({
        code: 0,
        out: expect.stringContaining("Accepted until 2999-12-31: It is planned") as string,
        error: "",
      });
    const { differences } = JSON.parse((await run("all.yaml", "--format", "json")).out) as {
      readonly differences: readonly { readonly accepted?: unknown }[];
    };
    expect(differences.map(({ accepted }) => accepted)).toEqual([{ reason: "It is planned", until: "2999-12-31" }]);
    expect(await run("other.yaml")).toMatchObject({
      code: 1,
      error: "other.yaml:1: nothing of operation-renamed differs any more. Remove the entry.\n",
    });
    expect(await run("ended.yaml")).toMatchObject({
      code: 1,
      error: "ended.yaml:1: operation-renamed was accepted until 2001-01-31.\n",
    });
    expect(await run("unused.yaml")).toMatchObject({
      code: 0,
      error: "unused.yaml:4: nothing of operation-removed differs any more. Remove the entry.\n",
    });
    expect(await run("wrong.yaml")).toMatchObject({
      code: 1,
      error: expect.stringMatching(/2026-02-30" is no day.*\n.*"why".*\n.*`reason` is missing/) as string,
    });
    expect(await run("no-list.yaml")).toMatchObject({
      code: 1,
      error: expect.stringContaining("This is no list") as string,
    });
    expect(await run("missing.yaml")).toMatchObject({
      code: 1,
      error: expect.stringContaining("missing.yaml") as string,
    });
  });
});

test("an entry decides whom a code breaks", async () => {
  const files = {
    "old.yaml": pets,
    "new.yaml": pets.replace("listPets", "allPets"),
    "none.yaml":
      "- {code: operation-renamed, reason: Names are ours, breaks: []}\n- {code: tag-added, reason: x, breaks: [wire]}\n",
    "implementers.yaml": "- {code: operation-renamed, reason: Names are ours, breaks: [implementers]}\n",
    "wrong.yaml": "- {code: operation-renamed, reason: Names are ours, breaks: [readers]}\n",
  };
  await withFixtureFolder(files, async (folder) => {
    const run = async (accept: string, ...more: string[]): Promise<CommandResult> =>
      runPlumbline(["diff", "old.yaml", "new.yaml", "--accept", accept, ...more], folder);
    expect(await run("none.yaml")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Not breaking/) as string,
      error: "",
    });
    expect(await run("implementers.yaml")).toMatchObject({ code: 0 });
    expect(await run("implementers.yaml", "--fail-on", "implementers")).toMatchObject({ code: 1 });
    expect(await run("wrong.yaml")).toMatchObject({
      code: 1,
      error: expect.stringContaining("Write one of callers, implementers, wire.") as string,
    });
  });
});

test("HTML is a page without scripts, in which texts of the description are only texts", async () => {
  const files = {
    "old.yaml": pets,
    "new.yaml": pets.replace("listPets", "allPets").replace("title: Pets", "title: <script>alert(1)</script>"),
  };
  await withFixtureFolder(files, async (folder) => {
    const { code, out } = await runPlumbline(["diff", "old.yaml", "new.yaml", "--format", "html"], folder);
    expect(code).toBe(1);
    expect(out).toMatch(/^<!doctype html>/);
    expect(out).toContain("<h2>Breaking (1)</h2>");
    expect(out).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(out).not.toContain("<script");
    expect((await runPlumbline(["diff", "old.yaml", "old.yaml", "--format", "html"], folder)).out).toContain(
      "The API is the same.",
    );
  });
});

test("SARIF has a result for each difference, and suppresses accepted ones", async () => {
  const files = {
    "a b.yaml": pets,
    "new.yaml": pets.replace("listPets", "allPets"),
    "accepted.yaml": "- {code: operation-renamed, reason: It is planned, until: 2999-12-31}\n",
  };
  await withFixtureFolder(files, async (folder) => {
    const args = ["diff", "a b.yaml", "new.yaml", "--format", "sarif", "--accept", "accepted.yaml"];
    const { code, out } = await runPlumbline(args, folder);
    const log = JSON.parse(out) as { readonly runs: readonly { readonly results: readonly object[] }[] };
    expect({ code, ...log }).toMatchObject({
      code: 0,
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: {
              name: "plumbline",
              rules: [
                {
                  id: "operation-renamed",
                  help: { text: expect.stringContaining("Requests stay the same") as string },
                },
              ],
            },
          },
          results: [
            {
              ruleId: "operation-renamed",
              level: "error",
              message: { text: expect.stringContaining("Accepted until 2999-12-31") as string },
              locations: [{ physicalLocation: { artifactLocation: { uri: "new.yaml" }, region: { startLine: 4 } } }],
              suppressions: [{ kind: "external", justification: "It is planned" }],
            },
          ],
        },
      ],
    });
  });
});

test("reads a revision from the repository only", async () => {
  const spec = pets.replace("{description: All of them.}", "{$ref: '../shared/all.yaml'}");
  const config = "descriptions: [{description: openapi.yaml}]\n";
  const texts = {
    "a/spec/openapi.yaml": spec,
    "a/spec/plumbline.yaml": config,
    "a/shared/all.yaml": "description: All.",
  };
  await withFixtureFolder({ ...texts, "secret.yaml": pets }, async (folder) => {
    const top = path.join(folder, "a");
    await symlink("../secret.yaml", path.join(top, "linked.yaml"));
    const git = (...args: readonly string[]): void =>
      void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: top });
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-qm", "Pets");
    const diff = (...args: readonly string[]): Promise<CommandResult> => runPlumbline(["diff", ...args], top);
    await writeFile(path.join(top, "spec/openapi.yaml"), spec.replace("listPets", "allPets"));
    expect(await diff("main")).toMatchObject({
      code: 1,
      error: expect.stringContaining(
        "../shared/all.yaml is outside of the folder spec; --allow-outside reads it all the same",
      ) as string,
    });
    expect(await diff("main", "--allow-outside")).toMatchObject({ code: 1, error: "" });
    for (const file of ["linked.yaml", "spec/../../../../secret.yaml"])
      expect((await diff(`main:${file}`, "spec/openapi.yaml")).error).toMatch(
        /is outside of the revision main|There is no/,
      );
  });
});

const described = (create: string, kinds: string): string =>
  `openapi: 3.1.0
info: {title: Pets, version: '1'}
servers: [{url: 'https://pets.example'}]
security: []
tags: [{name: pets}]
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      summary: List
      responses: {'200': {description: All, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}}
    post:
      operationId: createPet
      tags: [pets]
      summary: Create
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/PetCreate'}}}}
      responses: {'201': {description: Created}}
components:
  schemas:
    Pet: {type: object, required: [name, kind], properties: {name: {type: string}, kind: {type: string, enum: [${kinds}]}, weight: {type: integer}}}
    PetCreate: {type: object, required: [name], properties: {name: {type: string}${create}}}
`;

/** The example of docs/diff.md. */
test("--code reports what concerns the code, and where", async () => {
  const texts = {
    "v4.yaml": described(", chip: {type: string}", "cat, dog"),
    "v5.yaml": described("", "cat, dog, fish").replace(", weight: {type: integer}", ""),
    // Without the types of browsers, which take longer than all else here.
    "tsconfig.json":
      '{"compilerOptions": {"lib": ["esnext"], "target": "esnext", "module": "preserve", "strict": true}}',
    "src/api.ts": `// Generated by plumbline from the description. Change that, and generate again.
export interface Pet { readonly name: string; readonly kind: "cat" | "dog"; readonly weight?: number }
export interface PetCreate { readonly name: string; readonly chip?: string }
export declare function listPets(client: object): Promise<Pet[]>;
export declare function createPet(client: object, request: { readonly body: PetCreate }): Promise<void>;
`,
    "src/pets.ts": `import { createPet, listPets } from "./api.js";

const client = {};
await createPet(client, { body: { name: "Rex", chip: "985" } });
for (const pet of await listPets(client)) {
  if (pet.kind === "dog") console.log(pet.name);
}
`,
  };
  await withFixtureFolder(texts, async (folder) => {
    const diff = (...args: readonly string[]): Promise<CommandResult> =>
      runPlumbline(["diff", "v4.yaml", "v5.yaml", ...args], folder);
    const page = await readFile(new URL("../../docs/diff.md", import.meta.url), "utf8");
    const { code, out } = await diff("--code", "src");
    expect(code).toBe(1);
    const [, example] = /```\n(Breaking, and concerns[^]*?)```/.exec(page) ?? [];
    expect(out).toBe(example);
    const annotations = await diff("--code", "src", "--format", "github");
    expect(annotations.out.split("\n")).toContain(
      '::error file=src/pets.ts,line=4,col=48,title=request-property-removed::The field "chip" of PetCreate was removed (POST /pets).',
    );
    expect((await diff("--code", "none")).code).toBe(2);
    expect(await diff("--format", "github")).toMatchObject({
      code: 2,
      error: expect.stringContaining("without --code") as string,
    });
  });
});

test("says what only implementers notice, and that a URL is not a file", async () => {
  const more = `${pets.trimEnd()}\n  /cats: {get: {operationId: listCats, responses: {'200': {description: All of them.}}}}\n`;
  await withFixtureFolder({ "old.yaml": pets, "new.yaml": more }, async (folder) => {
    const { code, out } = await runPlumbline(["diff", "old.yaml", "new.yaml"], folder);
    expect([code, out.split("\n")[0]]).toEqual([0, "Breaks implementers of a generated server only (1)"]);
    const markdown = await runPlumbline(["diff", "old.yaml", "new.yaml", "--format", "markdown"], folder);
    expect(markdown.out).toContain("### Breaks implementers of a generated server only\n");
    const url = await runPlumbline(["diff", "https://pets.example/openapi.json", "new.yaml"], folder);
    expect(url).toMatchObject({ code: 2, error: expect.stringContaining("A URL is not a file. Save") as string });
  });
});
