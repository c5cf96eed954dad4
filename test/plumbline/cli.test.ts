import { stat } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { filesOf, pets, place } from "../support/pets.js";
import { temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";
import { readTracked } from "../support/tracked.js";

/** One error in each of two files. */
const broken = {
  "spec/plumbline.yaml": `ruleset: strict
descriptions:
  - description: openapi.yaml
    artifacts: {client: {package: '@pets/client', out: ../client}}
`,
  "spec/openapi.yaml": `openapi: 3.1.0
info: {title: Pet shop, version: 1.2.0, license: {name: MIT, identifier: MIT}}
servers: [{url: https://pets.example/v1}]
security: []
tags: [{name: pets, description: Pets.}]
paths:
  /pets: {$ref: 'pets.yaml#/pets'}
x-inputs: {}
`,
  "spec/pets.yaml": `pets:
  get:
    operationId: listPets
    tags: [pets]
    summary: List pets
    description: Lists the pets.
    x-limits:
      - {id: lists, kind: rate, max: 10, window: "30"}
    responses:
      '200': {description: All of them.}
      '400': {description: No.}
`,
};

describe("an artifact with sources", () => {
  const configured = (artifacts: string) => ({
    "spec/plumbline.yaml": `ruleset: minimal\ndescriptions: [{description: openapi.yaml, artifacts: ${artifacts}}]\n`,
    "spec/openapi.yaml": pets,
  });

  it("adds only generated sources to an application", async () => {
    const folder = await temporaryFolder();
    const own = { "app/package.json": "{}", "app/src/api/mine.ts": "export {};\n", "app/README.md": "Mine.\n" };
    await place(folder, { ...configured("{server: {sources: ../app/src/api}}"), ...own });
    expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0, error: "" });
    const files = await filesOf(path.join(folder, "app"));
    expect(files).toMatchObject({ "package.json": "{}", "src/api/mine.ts": "export {};\n", "README.md": "Mine.\n" });
    const added = Object.keys(files).filter((name) => !Object.hasOwn(own, `app/${name}`));
    expect(added).toEqual(
      expect.arrayContaining(["src/api/.plumbline.json", "src/api/handlers.ts", "src/api/node.ts"]),
    );
    expect(added.filter((name) => !name.startsWith("src/api/"))).toEqual([]);
    expect(await plumbline(["generate", "--check"], { in: folder })).toMatchObject({ code: 0 });
  });

  it.each([
    ["none", ""],
    ["ts", ".ts"],
  ])("imports its files with the extension %s", async (importExtension, extension) => {
    const folder = await temporaryFolder();
    const sources = ["client", "validator", "server"].map(
      (kind) => `${kind}: {sources: ../app/${kind}, importExtension: ${importExtension}}`,
    );
    await place(folder, configured(`{${sources.join(", ")}}`));
    expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0, error: "" });
    const files = await filesOf(path.join(folder, "app"));
    const imports = Object.values(files).flatMap((text) => [...text.matchAll(/(?:from |import\()"(\..*)"/g)]);
    expect(imports.length).toBeGreaterThan(20);
    const extensions = new Set(imports.map(([, specifier]) => path.posix.extname(specifier ?? "")));
    expect([...extensions]).toEqual([extension]);
  });

  it("has to be a client, a validator or a server", async () => {
    const folder = await temporaryFolder();
    await place(folder, configured("{conformance: {sources: ../app}}"));
    const { code, error } = await plumbline(["generate"], { in: folder });
    expect(code).toBe(1);
    expect(error).toContain("config/value  conformance has more than sources.");
  });
});

describe("plumbline", () => {
  it("explains itself, and each command with an example", async () => {
    const folder = await temporaryFolder();
    const general = await plumbline(["--help"], { in: folder });
    expect(general).toMatchObject({ code: 0, error: "" });
    const commands = [...general.out.matchAll(/^ {2}([a-z]+) {3}/gm)].map(([, name]) => name ?? "");
    expect(commands.join(" ")).toBe("init generate mock lint model bundle trace diff migrate schema completion");
    for (const command of commands) {
      const { code, out, error } = await plumbline([command, "--help"], { in: folder });
      expect({ code, error }).toEqual({ code: 0, error: "" });
      expect(out).toMatch(
        new RegExp(`^plumbline ${command} .*\n\n[A-Z][^]*\\.\n[^]*\nExamples\n  plumbline ${command}`),
      );
    }
    expect(await filesOf(folder)).toEqual({});
  });

  it("prints its version", async () => {
    const { version } = JSON.parse(readTracked("packages/plumbline/package.json")) as { readonly version: string };
    expect(await plumbline(["--version"], { in: await temporaryFolder() })).toEqual({
      code: 0,
      out: `${version}\n`,
      error: "",
    });
  });

  it.each([
    {
      args: ["draw"],
      says: 'Unknown command "draw". The commands are init, diff, migrate, generate, mock, lint, model, bundle, schema, trace, completion.',
    },
    { args: ["generat"], says: 'Unknown command "generat". Did you mean "generate"?' },
    {
      args: ["constructor"],
      says: 'Unknown command "constructor". The commands are init, diff, migrate, generate, mock, lint, model, bundle, schema, trace, completion.',
    },
    {
      args: ["generate", "--colour"],
      says: "Unknown option --colour. The options are --spec, --overlay, --allow-outside, --out, --only, --check, --dry-run, --no-cache, --keep-going, --watch, --poll, --run, --json.",
    },
    { args: ["generate", "--chek"], says: 'Unknown option --chek. Did you mean "--check"?' },
    {
      args: ["generate", "--spec", "openapi.yaml", "--only", "client,servant"],
      says: 'Unknown artifact "servant". The artifacts are client, validator, server, conformance, types, mcp, mock, handlers, site, description.',
    },
    {
      args: ["lint", "--overlay", "limits.overlay.yaml"],
      says: "--overlay requires a description. Pass one with --spec, or list overlays in plumbline.yaml.",
    },
    { args: ["generate", "--check", "--dry-run"], says: "--check and --dry-run exclude each other." },
    { args: ["generate", "--watch", "--dry-run"], says: "--dry-run and --watch exclude each other." },
    { args: ["generate", "--check=yes"], says: "--check takes no value. Remove the value." },
    { args: ["lint", "--format", "xml"], says: '--format is one of text, json, github, not "xml".' },
    { args: ["lint", "a.yaml", "b.yaml"], says: '"b.yaml" is an unexpected argument.' },
  ])("rejects $args with a hint", async ({ args, says }) => {
    const shown = ["generate", "lint"].includes(args[0] ?? "") ? `${args[0]} ` : "";
    const ended = await plumbline(args, { in: await temporaryFolder() });
    expect(ended).toEqual({ code: 2, out: "", error: `${says}\nSee plumbline ${shown}--help.\n` });
  });

  it("without arguments prints its help, and does nothing", async () => {
    const { code, out } = await plumbline([], { in: await temporaryFolder() });
    expect({ code, begins: out.split("\n")[0] }).toEqual({
      code: 2,
      begins: "plumbline generates packages from an OpenAPI description.",
    });
  });

  it("explains how to name a description when none is found", async () => {
    const folder = await temporaryFolder();
    const { code, error } = await plumbline(["generate"], { in: folder });
    expect(code).toBe(1);
    expect(error).toContain("There is no spec/plumbline.yaml in this folder or its parents.");
    expect(error).toContain("plumbline generate --spec openapi.yaml --out generated");
    expect((await plumbline(["generate", "--spec", "absent.yaml"], { in: folder })).error).toMatch(
      /^absent\.yaml:1:1 .* does not exist\./,
    );
  });
});

describe("plumbline with an invalid description", () => {
  const reported = (
    to: string,
  ) => `${to}openapi.yaml:8:1  error  extension/unknown  "x-inputs" is not an extension field of the vocabulary. Did you mean "x-input"?
${to}pets.yaml:8:42  error  limits/unit  "30" has no unit. Write an ISO 8601 duration, such as PT30S.
2 problems (2 errors, 0 warnings) in 2 files.
`;

  it.each(["generate", "model", "lint"])(
    "%s reports each with location, code, message and fix, and writes nothing",
    async (command) => {
      const folder = await temporaryFolder();
      await place(folder, broken);
      const { code, out, error } = await plumbline([command], { in: folder });
      expect(code).toBe(1);
      expect(command === "lint" ? { out, error } : { out: error, error: out }).toEqual({
        out: reported("spec/"),
        error: "",
      });
      expect(await filesOf(folder)).toEqual(broken);
    },
  );

  it("names files relative to the current folder", async () => {
    const folder = await temporaryFolder();
    await place(folder, { ...broken, "docs/deep/a.md": "" });
    const { out } = await plumbline(["lint"], { in: path.join(folder, "docs", "deep") });
    expect(out).toBe(reported("../../spec/"));
  });

  it("lint writes for machines and for pull requests", async () => {
    const folder = await temporaryFolder();
    await place(folder, broken);
    const json = await plumbline(["lint", "--format", "json"], { in: folder });
    const { diagnostics: problems, errors } = JSON.parse(json.out) as {
      readonly diagnostics: readonly object[];
      readonly errors: number;
    };
    expect({ code: json.code, errors }).toEqual({ code: 1, errors: problems.length });
    expect(problems).toContainEqual({
      code: "limits/unit",
      severity: "error",
      origin: { file: "spec/pets.yaml", pointer: "/pets/get/x-limits/0/window", line: 8, column: 42 },
      message: '"30" has no unit.',
      fix: "Write an ISO 8601 duration, such as PT30S.",
    });
    const github = await plumbline(["lint", "--format", "github"], { in: folder });
    expect(github.code).toBe(1);
    expect(github.out.split("\n")).toContain(
      "::error file=spec/pets.yaml,line=8,col=42,title=limits/unit::" +
        '"30" has no unit. Write an ISO 8601 duration, such as PT30S.',
    );
    expect((await plumbline(["generate", "--json"], { in: folder })).out).toBe(json.out);
  });

  it("has no colours in a pipe, and no progress", async () => {
    const folder = await temporaryFolder();
    await place(folder, { ...broken, "pets.yaml": pets });
    const env = { TERM: "xterm-256color" };
    const runs = [["generate"], ["lint"], ["generate", "--spec", "pets.yaml"], ["lint", "--help"]];
    for (const args of runs) {
      const { out, error } = await plumbline(args, { in: folder, env });
      expect(out + error).not.toMatch(/[\u001b\r]/);
      expect(out + error).not.toBe("");
    }
  });
});

describe("plumbline with a third-party description", () => {
  it("generates a package, and does nothing the second time", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": pets });
    const first = await plumbline(["generate", "--spec", "openapi.yaml", "--out", "made"], { in: folder });
    expect(first).toMatchObject({ code: 0, error: "" });
    expect(first.out.split("\n").at(-2)).toMatch(
      /^2 operations; 75 files written, 0 unchanged, 0 removed in \d+(\.\d+)? s$/,
    );
    const files = Object.keys(await filesOf(path.join(folder, "made")));
    const reported = [...first.out.matchAll(/^wrote {4}(.*)$/gm)].map(([, file]) => file ?? "");
    expect(
      sorted([
        ...reported,
        "made/client/.plumbline.json",
        "made/validator/.plumbline.json",
        "made/server/.plumbline.json",
        "made/conformance/.plumbline.json",
      ]),
    ).toEqual(files.map((file) => `made/${file}`));
    const times = () => Promise.all(files.map(async (file) => (await stat(path.join(folder, "made", file))).mtimeMs));
    const before = await times();
    const second = await plumbline(["generate", "--spec", "openapi.yaml", "--out", "made"], { in: folder });
    expect(second.out).toMatch(/^2 operations; 0 files written, 75 unchanged, 0 removed in \S+ s\n$/);
    expect(await times()).toEqual(before);
  });

  it("prints only the result as JSON", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": pets });
    const run = () =>
      plumbline(["generate", "--spec", "openapi.yaml", "--out", "made", "--only", "client", "--json"], { in: folder });
    const [first, second] = [await run(), await run()];
    const outcome = JSON.parse(first.out) as { readonly written: readonly string[] };
    expect(outcome).toMatchObject({ unchanged: [], removed: [], warnings: [] });
    expect(outcome.written).toContain("made/client/src/gen/operations/pets.ts");
    expect(JSON.parse(second.out)).toMatchObject({ written: [], unchanged: outcome.written, removed: [] });
    expect(first.error + second.error).toBe("");
  });

  it("removes the files of a removed operation", async () => {
    const folder = await temporaryFolder();
    await place(folder, {
      "openapi.yaml": pets.replaceAll("tags: [pets]\n      summary: Get", "tags: [cats]\n      summary: Get"),
    });
    await plumbline(["generate", "--spec", "openapi.yaml", "--out", "made"], { in: folder });
    await place(folder, { "openapi.yaml": pets });
    const { out } = await plumbline(["generate", "--spec", "openapi.yaml", "--out", "made"], { in: folder });
    expect(out).toContain("removed  made/client/src/gen/operations/cats.ts\n");
    expect(Object.keys(await filesOf(folder))).not.toContain("made/client/src/gen/operations/cats.ts");
  });

  it("prints the same model twice", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": pets });
    const [first, second] = await Promise.all([1, 2].map(() => plumbline(["model", "openapi.yaml"], { in: folder })));
    expect(first).toEqual(second);
    const model = JSON.parse(first?.out ?? "") as { readonly operations: readonly { readonly name: string }[] };
    expect(model.operations.map(({ name }) => name)).toEqual(["listPets", "getPet"]);
  });

  it("reports that it has no requirements to trace", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": pets });
    const { code, error } = await plumbline(["trace", "--spec", "openapi.yaml"], { in: folder });
    expect({ code, error }).toEqual({
      code: 2,
      error: "This description has no requirements to trace.\nSee plumbline trace --help.\n",
    });
  });
});

function sorted(names: readonly string[]): readonly string[] {
  return [...names].sort();
}
