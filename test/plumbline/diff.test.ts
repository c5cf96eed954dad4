import { execFileSync } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { pets, place } from "../support/pets.js";
import { temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

const config = `ruleset: minimal
descriptions:
  - description: openapi.yaml
    artifacts:
      client: {package: '@pets/client', out: ../packages/client}
      validator: {package: '@pets/validator', out: ../packages/validator}
      server: {package: '@pets/server', out: ../packages/server}
`;

/** Adds a required field to responses, and a parameter to requests. */
const grown = pets
  .replace("required: [id]", "required: [id, age]")
  .replace("name: {type: string}", "name: {type: string}, age: {type: integer}")
  .replace(
    "summary: List pets\n",
    "summary: List pets\n      parameters: [{name: kind, in: query, required: true, schema: {type: string}}]\n",
  );

/** A new operation, a field that is always present, and an error response less. */
const added = pets
  .replace(
    "  /pets/{id}:",
    "  /dogs: {get: {operationId: listDogs, responses: {'200': {description: All.}}}}\n  /pets/{id}:",
  )
  .replace("required: [id]", "required: [id, name]")
  .replace("        '400': {description: No.}\n", "");

/** Breaks programs, but no code. */
const moved = pets.replace("/pets/{id}:", "/animals/{id}:");

const described = pets.replace("summary: List pets", "summary: Lists all pets");

const grownText = `Breaking (1)
  NEW:11:20  parameter-required-added  The required query parameter "kind" was added (GET /pets). The server rejects requests without it, and calls without it do not compile. Breaks callers, wire.

Breaks implementers of a generated server only (1)
  NEW:28:102  response-property-required-added  The required field "age" of Pet was added (GET /pets, GET /pets/{id}). Handlers that do not return it do not compile. Breaks implementers.

`;

describe("plumbline diff of two files", () => {
  it("reports nothing for equal descriptions, even invalid ones", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "a.yaml": "openapi: 9.9.9\n", "b.yaml": "openapi: 9.9.9\n" });
    expect(await plumbline(["diff", "a.yaml", "b.yaml"], { in: folder })).toEqual({
      code: 0,
      out: "No differences.\n",
      error: "",
    });
  });

  it("reports breaking changes first, with location, reason and audience, and fails", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "old.yaml": pets, "new.yaml": grown });
    const closing = "2 breaking (callers 1, implementers 1, wire 1), 0 not breaking.\n";
    expect(await plumbline(["diff", "old.yaml", "new.yaml"], { in: folder })).toEqual({
      code: 1,
      out: `${grownText.replaceAll("NEW", "new.yaml")}${closing}`,
      error: "",
    });
  });

  it.each([
    { what: "what breaks", args: [], next: grown, code: 1 },
    { what: "nothing that is added", args: [], next: added, code: 0 },
    { what: "what breaks implementers, if asked to", args: ["--fail-on", "wire,implementers"], next: added, code: 1 },
    { what: "what breaks others, if not asked to", args: ["--fail-on", "implementers"], next: moved, code: 0 },
    { what: "what does not break", args: [], next: described, code: 0 },
    { what: "anything, if asked to", args: ["--fail-on", "any"], next: described, code: 1 },
    { what: "nothing, if asked to", args: ["--fail-on", "none"], next: grown, code: 0 },
    {
      what: "anything, where there is nothing",
      args: ["--fail-on", "any"],
      next: pets.replace("List pets", "List  pets".replace("  ", " ")),
      code: 0,
    },
  ])("fails on $what: $code", async ({ args, next, code }) => {
    const folder = await temporaryFolder();
    await place(folder, { "old.yaml": pets, "new.yaml": next });
    expect(await plumbline(["diff", "old.yaml", "new.yaml", ...args], { in: folder })).toMatchObject({
      code,
      error: "",
    });
  });

  it("compares the meaning, not the form: other files, other order, other notation", async () => {
    const folder = await temporaryFolder();
    const [head = "", schemas = ""] = pets.split("components:\n");
    await place(folder, {
      "old.yaml": pets,
      "new.yaml": head
        .replaceAll("#/components/schemas/Pet", "schemas.yaml#/Pet")
        .replaceAll("{type: integer}", "{'type': integer}"),
      "schemas.yaml": schemas
        .replace(/^ {2}schemas:\n/, "")
        .replaceAll(/^ {4}/gm, "")
        .replace("id: {type: integer}, name: {type: string}", "name: {type: string}, id: {type: integer}"),
    });
    expect(await plumbline(["diff", "old.yaml", "new.yaml"], { in: folder })).toEqual({
      code: 0,
      out: "No differences.\n",
      error: "",
    });
  });

  it("prints the same as data", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "old.yaml": grown, "new.yaml": pets });
    const { code, out } = await plumbline(["diff", "old.yaml", "new.yaml", "--format", "json"], { in: folder });
    const { counts, packages, differences } = JSON.parse(out) as Record<string, unknown> & {
      differences: readonly object[];
    };
    expect({ code, counts, packages }).toEqual({
      code: 1,
      counts: { total: 2, breaking: 2, callers: 2, implementers: 2, wire: 2 },
      packages: [],
    });
    expect(differences[1]).toEqual({
      code: "response-property-removed",
      breaking: ["callers", "implementers", "wire"],
      affects: [],
      where: { operations: ["GET /pets", "GET /pets/{id}"], location: "Pet in responses", pointer: "/age" },
      origin: { file: "old.yaml", pointer: "/components/schemas/Pet/properties/age", line: 28, column: 102 },
      side: "old",
      message: 'The field "age" of Pet was removed.',
      reason: "Programs no longer receive it, and code that reads or returns it does not compile.",
    });
  });

  it("reports inputs that cannot be compared", async () => {
    const folder = await temporaryFolder();
    await place(folder, {
      "old.yaml": pets,
      "new.yaml": pets.replace("#/components/schemas/Pet'", "missing.yaml#/Pet'"),
    });
    const { code, out, error } = await plumbline(["diff", "old.yaml", "new.yaml"], { in: folder });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toMatch(/^new\.yaml:14:\d+ {2}\S+ {2}/);
  });

  it("reports schemas that contain each other without end", async () => {
    const folder = await temporaryFolder();
    const chain = Array.from(
      { length: 5000 },
      (_, index) => `    A${index}: {properties: {a: {$ref: '#/components/schemas/A${index + 1}'}}}`,
    );
    const deep = `${pets}${chain.join("\n")}\n    A5000: {type: string}\n`;
    await place(folder, { "old.yaml": pets, "new.yaml": deep });
    const { code, out, error } = await plumbline(["diff", "old.yaml", "new.yaml"], { in: folder });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error).toMatch(/^new\.yaml:1:1 {2}error {2}description\/too-deep {2}/);
  });

  it("ignores problems that only lint reports", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "old.yaml": pets, "new.yaml": described.replace("security: []\n", "x-unheard-of: 1\n") });
    expect(await plumbline(["diff", "old.yaml", "new.yaml"], { in: folder })).toMatchObject({ code: 0, error: "" });
  });

  it("prints nothing that controls a terminal or a page", async () => {
    const folder = await temporaryFolder();
    const nasty = "a|b\\n<img src=x>`@everyone\\u001b[31m";
    await place(folder, {
      "old.yaml": pets,
      "new.yaml": pets.replace("name: {type: string}", `"${nasty}": {type: string}`),
    });
    const text = await plumbline(["diff", "old.yaml", "new.yaml"], { in: folder });
    expect(text.out).not.toContain("\u001b");
    expect(text.out.split("\n").filter((line) => line.includes("response-property-added"))).toHaveLength(1);
    const markdown = await plumbline(["diff", "old.yaml", "new.yaml", "--format", "markdown"], { in: folder });
    const row = markdown.out.split("\n").find((line) => line.includes("response-property-added")) ?? "";
    expect(row).not.toMatch(/\u001b|<img|@everyone|&#64;|[^\\]`@|[^\\]\|b/);
    expect(row.split(/(?<!\\)\|/)).toHaveLength(6);
  });
});

describe("plumbline diff of git revisions", () => {
  it("compares a revision with the working tree, from any folder of it, and cleans up", async () => {
    const folder = await repositoryOf({ "api/spec/plumbline.yaml": config, "api/spec/openapi.yaml": pets });
    await writeFile(path.join(folder, "api/spec/openapi.yaml"), grown);
    const status = git(folder, "status", "--porcelain");
    const env = { TMPDIR: await temporaryFolder() };
    const { code, out, error } = await plumbline(["diff", "main"], { in: path.join(folder, "api"), env });
    expect({ code, error }).toEqual({ code: 1, error: "" });
    expect(out).toBe(
      `${grownText.replaceAll("NEW", "spec/openapi.yaml")}@pets/client: major\n@pets/validator: major\n@pets/server: major\n2 breaking (callers 1, implementers 1, wire 1), 0 not breaking.\n`,
    );
    expect((await plumbline(["diff", "main"], { in: path.join(folder, "api/spec") })).out).toContain(
      "\n  openapi.yaml:11:20",
    );
    expect(git(folder, "status", "--porcelain")).toBe(status);
    expect(await readdir(env.TMPDIR)).toEqual([]);
  });

  it("compares two revisions, and names removed elements by their former location", async () => {
    const folder = await repositoryOf({ "spec/plumbline.yaml": config, "spec/openapi.yaml": grown });
    git(folder, "tag", "v1");
    await writeFile(path.join(folder, "spec/openapi.yaml"), pets);
    git(folder, "commit", "-qam", "Less");
    await rm(path.join(folder, "spec"), { recursive: true });
    const { code, out } = await plumbline(["diff", "v1", "HEAD"], { in: folder });
    expect(code).toBe(1);
    expect(out).toContain("  v1:spec/openapi.yaml:28:102  response-property-removed  ");
    expect((await plumbline(["diff", "HEAD~1", "v1"], { in: folder })).out).toBe("No differences.\n");
  });

  it("accepts a file of a revision, and a single description", async () => {
    const folder = await repositoryOf({ "openapi.yaml": pets, "shared/unused.yaml": "{}" });
    await writeFile(path.join(folder, "openapi.yaml"), described);
    const reported = await plumbline(["diff", "main:openapi.yaml", "openapi.yaml"], { in: folder });
    expect(reported).toMatchObject({ code: 0, error: "" });
    expect(reported.out).toContain("  openapi.yaml:7:5  text-changed  The text of GET /pets changed.");
    expect(await plumbline(["diff", "main", "openapi.yaml"], { in: folder })).toEqual(reported);
    expect(await plumbline(["diff", "main", "--spec", "openapi.yaml"], { in: folder })).toEqual(reported);
  });

  it("accepts revisions by date or by words, and their files relative to the current folder", async () => {
    const folder = await repositoryOf({ "openapi.yaml": "{}", "a/openapi.yaml": pets, "a/b/c.txt": "" });
    git(folder, "commit", "--allow-empty", "-qm", "Next: nothing");
    await writeFile(path.join(folder, "a/openapi.yaml"), described);
    const says = "openapi.yaml:7:5  text-changed  The text of GET /pets changed.";
    for (const revision of ["main@{2038-01-01 10:00:00}", "HEAD^{/Next: no}"])
      for (const file of ["a/openapi.yaml", "./a/openapi.yaml"])
        expect((await plumbline(["diff", `${revision}:${file}`, "a/openapi.yaml"], { in: folder })).out).toContain(
          says,
        );
    expect((await plumbline(["diff", "main@{2038-01-01 10:00:00}", "a/openapi.yaml"], { in: folder })).out).toContain(
      says,
    );
    const inside = { in: path.join(folder, "a") };
    expect((await plumbline(["diff", "main:./openapi.yaml", "openapi.yaml"], inside)).out).toContain(says);
    const deeper = { in: path.join(folder, "a/b") };
    expect((await plumbline(["diff", "main:../openapi.yaml", "../openapi.yaml"], deeper)).out).toContain(says);
    // `main:..` does not name a folder, although joining the texts yields one.
    await place(deeper.in, { "openapi.yaml": described });
    expect(await plumbline(["diff", "main:../../openapi.yaml", "openapi.yaml"], deeper)).toMatchObject({
      code: 1,
      out: "",
    });
    expect(await plumbline(["diff", "main:../../../openapi.yaml", "openapi.yaml"], deeper)).toMatchObject({
      code: 2,
      error: expect.stringContaining("There is no ../openapi.yaml in main.") as string,
    });
  });

  it("uses the repository of the files, also within a git hook", async () => {
    const folder = await repositoryOf({ "openapi.yaml": "{}", "a/openapi.yaml": pets });
    await writeFile(path.join(folder, "a/openapi.yaml"), described);
    for (const GIT_DIR of [path.join(folder, ".git"), ".git"])
      expect(
        await plumbline(["diff", "main", "a/openapi.yaml"], { in: folder, env: { GIT_DIR, GIT_PREFIX: "" } }),
      ).toMatchObject({ code: 0, error: "", out: expect.stringContaining("  text-changed  ") as string });
  });

  it("follows references to files elsewhere in the repository", async () => {
    const [head = "", schemas = ""] = pets.split("components:\n");
    const folder = await repositoryOf({
      "api/openapi.yaml": head.replaceAll("#/components/schemas/Pet", "../shared/schemas.yaml#/Pet"),
      "shared/schemas.yaml": schemas.replace(/^ {2}schemas:\n/, "").replaceAll(/^ {4}/gm, ""),
    });
    const file = path.join(folder, "shared/schemas.yaml");
    await writeFile(file, (await readFile(file, "utf8")).replace("name: {type: string}", "name: {type: integer}"));
    const { code, out } = await plumbline(["diff", "main", "api/openapi.yaml"], { in: folder });
    expect(code).toBe(1);
    expect(out).toContain("  shared/schemas.yaml:1:71  response-type-changed  ");
  });

  it("names arguments that are neither file nor revision, with exit code 2", async () => {
    const [inside, outside] = [
      await repositoryOf({ "spec/plumbline.yaml": config, "spec/openapi.yaml": pets }),
      await temporaryFolder(),
    ];
    await place(outside, { "openapi.yaml": pets, "empty/a.txt": "" });
    const env = { TMPDIR: await temporaryFolder() };
    const errors: readonly (readonly [folder: string, args: readonly string[], says: string])[] = [
      [
        inside,
        ["mian"],
        '"mian" is neither a file or folder nor a git revision: there is no such revision in this repository.',
      ],
      [
        outside,
        ["main", "openapi.yaml"],
        '"main" is neither a file or folder nor a git revision: this is not a git repository.',
      ],
      [inside, ["main:nowhere.yaml"], "There is no nowhere.yaml in main."],
      [outside, ["empty", "openapi.yaml"], "There is no plumbline.yaml in empty."],
      [outside, ["openapi.yaml"], "There is no spec/plumbline.yaml to compare with in this folder or its parents."],
      [
        inside,
        [],
        "Missing argument OLD: a description, a plumbline.yaml, a folder with one, or a git revision such as main, v1.2, HEAD~1 or main:spec/openapi.yaml.",
      ],
      [
        inside,
        ["main", "--format", "xml"],
        '--format is one of text, json, markdown, html, sarif, changeset, github, not "xml".',
      ],
      [
        inside,
        ["main", "--fail-on", "all"],
        '"all" is not a valid value of --fail-on. Use any, none, or a list of callers, implementers, wire.',
      ],
    ];
    for (const [folder, args, says] of errors)
      expect(await plumbline(["diff", ...args], { in: folder, env })).toEqual({
        code: 2,
        out: "",
        error: `${says}\nSee plumbline diff --help.\n`,
      });
    expect(await readdir(env.TMPDIR)).toEqual([]);
  });
});

describe("plumbline diff for a release", () => {
  it("writes breaking changes for a pull request as a table, and folds the rest", async () => {
    const folder = await repositoryOf({ "spec/plumbline.yaml": config, "spec/openapi.yaml": pets });
    await writeFile(path.join(folder, "spec/openapi.yaml"), grown.replace("summary: Get a pet", "summary: Gets a pet"));
    const { out } = await plumbline(["diff", "main", "--format", "markdown"], { in: folder });
    expect(out).toBe(`**2 breaking (callers 1, implementers 1, wire 1), 1 not breaking.**

### Breaking

| Where | What | Why | Whom | Rule |
| --- | --- | --- | --- | --- |
| GET /pets<br>spec/openapi.yaml:11 | The required query parameter "kind" was added. | The server rejects requests without it, and calls without it do not compile. | callers, wire | \`parameter-required-added\` |

### Breaks implementers of a generated server only

| Where | What | Why | Whom | Rule |
| --- | --- | --- | --- | --- |
| GET /pets, GET /pets/\\{id\\}<br>Pet in responses /age<br>spec/openapi.yaml:28 | The required field "age" of Pet was added. | Handlers that do not return it do not compile. | implementers | \`response-property-required-added\` |

<details><summary>Not breaking (1)</summary>

| Where | What | Why | Rule |
| --- | --- | --- | --- |
| GET /pets/\\{id\\}<br>spec/openapi.yaml:18 | The text of GET /pets/\\{id\\} changed. | Titles, summaries and descriptions are documentation. | \`text-changed\` |

</details>

Release: @&#8203;pets/client major, @&#8203;pets/validator major, @&#8203;pets/server major
`);
  });

  it("writes a changeset with the bump of each package", async () => {
    const folder = await repositoryOf({
      "spec/plumbline.yaml": config,
      "spec/openapi.yaml": pets,
      ".changeset/config.json": "{}",
      "packages/client/package.json": '{"name": "@pets/client", "version": "1.2.3"}',
      "packages/validator/package.json": '{"name": "@pets/validator", "version": "0.2.3"}',
      "packages/server/package.json": '{"name": "@pets/server", "version": "2.0.0"}',
    });
    const same = await plumbline(["diff", "main", "--format", "changeset", "--out", ".changeset/api.md"], {
      in: folder,
    });
    expect(same).toEqual({ code: 0, out: "", error: "No differences: no changeset is needed.\n" });
    expect(await readdir(path.join(folder, ".changeset"))).toEqual(["config.json"]);
    await writeFile(path.join(folder, "spec/openapi.yaml"), grown);
    const args = ["diff", "main", "--fail-on", "none", "--format", "changeset", "--out", ".changeset/api.md"];
    expect(await plumbline(args, { in: folder })).toEqual({ code: 0, out: "", error: "" });
    expect(await readFile(path.join(folder, ".changeset/api.md"), "utf8")).toBe(`---
"@pets/client": major
"@pets/validator": minor
"@pets/server": major
---

The API has breaking changes.

Breaking:

- The required query parameter "kind" was added (GET /pets).
- The required field "age" of Pet was added (GET /pets, GET /pets/\\{id\\}).
`);
  });

  it("has no changeset for a description without packages", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "old.yaml": pets, "new.yaml": grown });
    expect(await plumbline(["diff", "old.yaml", "new.yaml", "--format", "changeset"], { in: folder })).toMatchObject({
      code: 2,
      error: "A changeset requires package names. Set `package` in plumbline.yaml.\nSee plumbline diff --help.\n",
    });
  });
});

/** A git repository with these files, committed to `main`. */
async function repositoryOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  await place(folder, { ...files, ".gitignore": "node_modules\nstatus.json\n" });
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "As it was");
  return folder;
}

function git(folder: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...who, ...args], { cwd: folder, encoding: "utf8" });
}
