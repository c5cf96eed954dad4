import { readFile, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { withWatchdog } from "../../packages/plumbline/dist/generate/watchdog.js";
import { collectionSchema } from "../generators/collection-schema.js";
import { withGenerator } from "../support/generator.js";
import { readModel } from "../support/model.js";
import { filesOf, pets, place } from "../support/pets.js";
import { repository, temporaryFolder, unremovedFolder } from "../support/places.js";
import { compileProject, plumbline, plumblineProcess, runNode } from "../support/run.js";

const exampleFile = (name: string) => path.join(repository, "test", "generators", `${name}.mjs`);

describe("the example of the page about generators", () => {
  it("works as the page says", async () => {
    const { folder, command, says } = await example();
    const { code, out, error } = await plumbline(command, { in: folder });
    expect({ code, error, first: out.split("\n")[0] }).toEqual({ code: 0, error: "", first: says });
    expect((await filesOf(folder))["docs/routes/routes.md"]).toBe(
      "# Pet shop 1.2.0\n\n- `GET /pets`: List pets\n- `GET /pets/{id}`: Get a pet\n",
    );
  });

  it("generates from options, files, other artifacts and the document", async () => {
    const { folder } = await example();
    expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0, error: "" });
    const files = await filesOf(path.join(folder, "docs"));
    expect(files["owners/owners.md"]).toBe("# Owners\n\n- listPets: ann\n- getPet: ann\n");
    expect(JSON.parse(files["index/index.json"] ?? "")).toEqual({ api: "Pet shop", routes: ["listPets", "getPet"] });
    expect(JSON.parse(files["bundle/openapi.json"] ?? "")).toMatchObject({ info: { title: "Pet shop" } });
    expect(files["fields/fields.txt"]).toBe("listPets: \ngetPet: id name\n");
    expect(files["listing/client.txt"]).toMatch(/^src\/gen\/types\.ts$/m);
    expect(await plumbline(["generate", "--check"], { in: folder })).toMatchObject({ code: 0 });
    const configuration = (await readFile(path.join(folder, "spec", "plumbline.yaml"), "utf8")).replace(
      "owners: owners.txt",
      "owners: owners.txt, order: size",
    );
    await place(folder, { "spec/plumbline.yaml": configuration });
    expect((await plumbline(["generate"], { in: folder })).error).toMatch(
      /^spec\/plumbline\.yaml:13:\d+ {2}error {2}config\/value {2}The option `order` is not one of: name, path\. /,
    );
  });

  it("has a test, which finds a broken generator", async () => {
    const { folder } = await example();
    const run = () => runNode(["--test", "spec/routes.test.mjs"], { in: folder });
    expect(await run()).toMatchObject({ code: 0 });
    const text = await readFile(path.join(folder, "spec", "routes.mjs"), "utf8");
    await place(folder, { "spec/routes.mjs": text.replace("# $", "## $") });
    expect(await run()).toMatchObject({ code: 1, out: expect.stringContaining("## Pet shop 1.0.0") });
  });

  it("has types, which find misspelt names", async () => {
    const { folder } = await example();
    const compilerOptions = {
      target: "ES2022",
      lib: ["ES2023"],
      module: "NodeNext",
      moduleResolution: "NodeNext",
      types: ["node"],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      allowJs: true,
      checkJs: true,
      noEmit: true,
      skipLibCheck: true,
    };
    await place(folder, {
      "tsconfig.json": JSON.stringify({ compilerOptions, include: ["**/*.mjs"] }),
      "package.json": '{"private": true}',
      ...Object.fromEntries(
        await Promise.all(
          ["postman", "markdown", "wrapped"].map(
            async (name) => [`${name}.mjs`, await readFile(exampleFile(name), "utf8")] as const,
          ),
        ),
      ),
    });
    expect(await compileProject(".", { in: folder })).toEqual({ code: 0, out: "", error: "" });
    const right = (await filesOf(folder))["spec/routes.mjs"] ?? "";
    await place(folder, { "spec/routes.mjs": right.replace("api.operations", "api.operatons") });
    const { code, out } = await compileProject(".", { in: folder });
    expect(code).not.toBe(0);
    expect(out).toContain("'operatons' does not exist on type 'Api'");
  });
});

/** What the examples generate from our API: one run reads it for all. */
let ofOurApi: Readonly<Record<"postman" | "markdown" | "short", Readonly<Record<string, string>>>>;
beforeAll(async () => {
  const folder = await unremovedFolder();
  await place(folder, {
    "plumbline.yaml": JSON.stringify({
      ruleset: "minimal",
      generators: {
        postman: exampleFile("postman"),
        markdown: exampleFile("markdown"),
        short: exampleFile("markdown"),
      },
      descriptions: [
        {
          description: path.join(repository, "spec", "openapi.yaml"),
          artifacts: {
            postman: { out: "postman" },
            markdown: { out: "markdown" },
            short: { out: "short", examples: false },
          },
        },
      ],
    }),
  });
  expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0 });
  const filesIn = async (name: string) => filesOf(path.join(folder, name));
  ofOurApi = { postman: await filesIn("postman"), markdown: await filesIn("markdown"), short: await filesIn("short") };
  await rm(folder, { recursive: true });
});

describe("the Postman collection of our API", () => {
  it("has a request for every operation, the address and the credential", async () => {
    const { operations } = await readModel();
    const collection = readCollection(ofOurApi.postman);
    const requests = collection.item.flatMap((area) => area.item);
    const shown = ({ request: { method, url } }: Item): string =>
      `${method} /${url.path.map((each) => each.replace(/^:(.*)/, "{$1}")).join("/")}`;
    expect(requests.map(shown)).toEqual(operations.map(({ method, path: template }) => `${method} ${template}`));
    expect(requests.length).toBe(operations.length);
    expect(operations.length).toBeGreaterThan(90);
    expect(collection.variable.map(({ key, value }) => [key, value])).toEqual([
      ["baseUrl", "https://api.cloud-compute.example/v4"],
      ["token", ""],
    ]);
    expect(collection.auth).toEqual({
      type: "bearer",
      bearer: [{ key: "token", value: "{{token}}", type: "string" }],
    });
    const open = requests.filter(({ request }) => request.auth !== undefined).map(({ name }) => name);
    expect(open).toEqual(["List the images", "Get an image", "List the regions", "Show a region"]);
    const named = requests.flatMap(({ request: { url } }) =>
      url.path.filter((each) => each.startsWith(":")).map((each) => each.slice(1)),
    );
    expect(named).toEqual(requests.flatMap(({ request: { url } }) => url.variable.map(({ key }) => key)));
    const bodies = requests.flatMap(({ request: { body } }) => (body === undefined ? [] : [body.raw]));
    expect(bodies.length).toBe(operations.filter((each) => each.requestBody !== undefined).length);
    expect(bodies.filter((each) => !isJson(each))).toEqual([]);
  });

  it("is of the form of Postman's collections", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": pets });
    const collection: unknown = readCollection(await generateExample("postman", path.join(folder, "openapi.yaml")));
    const isCollection = new Ajv2020({ strict: true, allErrors: true }).compile(collectionSchema);
    expect(isCollection(collection) || isCollection.errors).toBe(true);
    const broken = JSON.parse(JSON.stringify(collection).replace('"method":"GET"', '"metod":"GET"')) as unknown;
    expect(isCollection(broken)).toBe(false);
  });
});

describe("the Markdown pages", () => {
  it("are a page per tag, and an index", async () => {
    const folder = await temporaryFolder();
    await place(folder, { "openapi.yaml": pets });
    const files = await generateExample("markdown", path.join(folder, "openapi.yaml"));
    expect(files).toEqual({
      "index.md": "# Pet shop 1.2.0\n\n- [pets](pets.md): 2\n",
      "pets.md": `# pets

## List pets

\`GET /pets\`

| status | body         | description  |
| ------ | ------------ | ------------ |
| 200    | array of Pet | All of them. |
| 400    |              | No.          |

## Get a pet

\`GET /pets/{id}\`

| parameter | in   | type    | required | description |
| --------- | ---- | ------- | -------- | ----------- |
| \`id\`      | path | integer | yes      |             |

| status | body | description    |
| ------ | ---- | -------------- |
| 200    | Pet  | It.            |
| 404    |      | There is none. |
`,
    });
  });

  it("of our API have every operation, and examples only if they are wanted", async () => {
    const { operations } = await readModel();
    const pages = Object.values(ofOurApi.markdown).join("");
    const headings = [...pages.matchAll(/^`([A-Z]+ \/\S*)`/gm)].map(([, heading]) => heading);
    expect(headings.length).toBe(operations.length);
    expect(new Set(headings)).toEqual(new Set(operations.map((each) => `${each.method} ${each.path}`)));
    const examples = [...pages.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, text = ""]) => text);
    expect(examples.length).toBeGreaterThan(20);
    expect(examples.filter((each) => !isJson(each))).toEqual([]);
    const short = Object.values(ofOurApi.short).join("");
    expect(short).toContain("`GET /");
    expect(short).not.toContain("```json");
  });
});

describe("a generator that wraps a tool", () => {
  it("gets the description as one document, after overlays", async () => {
    const folder = await temporaryFolder();
    await place(folder, {
      "openapi.yaml": pets.replace("{type: object, required: [id]", "{allOf: [{$ref: named.yaml}], required: [id]"),
      "named.yaml": "type: object\nproperties: {owner: {type: string, example: ann, readOnly: true}}\n",
      "example.overlay.yaml": `overlay: 1.0.0
info: {title: Examples, version: '1'}
actions: [{target: $.components.schemas.Pet.properties.name, update: {example: Rex}}]
`,
      "plumbline.yaml": JSON.stringify({
        ruleset: "minimal",
        generators: { samples: exampleFile("wrapped") },
        descriptions: [
          {
            description: "openapi.yaml",
            overlays: ["example.overlay.yaml"],
            artifacts: { samples: { out: "out", skipReadOnly: true } },
          },
        ],
      }),
    });
    expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0, error: "" });
    const text = (await filesOf(folder))["out/samples.json"] ?? "";
    expect(JSON.parse(text)).toEqual({ Pet: { id: 0, name: "Rex" }, named: {} });
    await place(folder, {
      "plumbline.yaml": (await filesOf(folder))["plumbline.yaml"]?.replace("true", "false") ?? "",
    });
    await plumbline(["generate"], { in: folder });
    const all = (await filesOf(folder))["out/samples.json"] ?? "";
    expect(JSON.parse(all)).toEqual({ Pet: { id: 0, name: "Rex", owner: "ann" }, named: { owner: "ann" } });
  });
});

it("the examples are short", async () => {
  const lines = async (name: string) => (await readFile(exampleFile(name), "utf8")).split("\n").length - 1;
  expect(await lines("postman")).toBeLessThan(90);
  expect(await lines("markdown")).toBeLessThan(90);
  expect(await lines("wrapped")).toBeLessThan(40);
});

describe("files of a custom generator", () => {
  it("are reported as stale, missing or orphaned, and restored by the next run", async () => {
    const folder = await withGenerator(
      "(api) => api.operations.map(({ name }) => ({ path: `${name}.txt`, text: name }))",
    );
    await plumbline(["generate"], { in: folder });
    const whole = await filesOf(folder);
    expect(whole["out/.plumbline.json"]).toContain('"getPet.txt"');
    await place(folder, {
      "out/getPet.txt": "changed",
      "out/notes.txt": "another author's",
      "openapi.yaml": pets.replace("operationId: listPets", "operationId: allPets"),
    });
    const { code, out } = await plumbline(["generate", "--check"], { in: folder });
    expect(code).toBe(1);
    expect(out.split("\n").filter((line) => /^[a-z]+ +out/.test(line))).toEqual([
      "stale    out/.plumbline.json",
      "missing  out/allPets.txt",
      "stale    out/getPet.txt",
      "orphaned out/listPets.txt",
    ]);
    expect(out).toContain("-changed\n+getPet\n");
    await place(folder, { "openapi.yaml": pets });
    expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0, error: "" });
    expect(await filesOf(folder)).toEqual({ ...whole, "out/notes.txt": "another author's" });
  });

  it("are formatted if the formatter knows the language, and may come from a promise", async () => {
    const folder = await withGenerator(
      "async () => [{ path: 'a/b.ts', text: 'export const a={b:1}' }, { path: 'c.proto', text: 'a={b:1}' }]",
    );
    expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0, error: "" });
    expect(await filesOf(path.join(folder, "out"))).toMatchObject({
      "a/b.ts": "// Generated by plumbline from openapi.yaml. Do not edit.\n\nexport const a = { b: 1 };\n",
      "c.proto": "a={b:1}",
    });
  });

  it("keep foreign keys if the generator says so", async () => {
    const folder = await withGenerator(
      "(api) => [{ path: 'package.json', managedKeys: { name: 'a', description: api.title }, defaults: { version: '0.1.0' } }]",
    );
    await plumbline(["generate"], { in: folder });
    await place(folder, { "out/package.json": '{"name": "a", "version": "2.0.0", "main": "b.js"}' });
    await plumbline(["generate"], { in: folder });
    const written = (await filesOf(folder))["out/package.json"] ?? "";
    expect(JSON.parse(written)).toEqual({ name: "a", version: "2.0.0", description: "Pet shop", main: "b.js" });
  });

  it("come from packages too, beside built-in generators", async () => {
    const folder = await temporaryFolder();
    await place(folder, {
      "openapi.yaml": pets,
      "node_modules/@acme/wiki/package.json": '{"name": "@acme/wiki", "type": "module", "exports": "./made.js"}',
      "node_modules/@acme/wiki/made.js":
        "export default { files: (api, { package: name, private: hidden, source }) => [{ path: 'a.txt', text: [name, hidden, source(api.operations[0].origin)].join('\\n') }] };",
      "spec/plumbline.yaml": `ruleset: minimal
generators: {wiki: '@acme/wiki'}
descriptions: [{description: ../openapi.yaml, artifacts: {client: {out: ../client}, wiki: {out: ../wiki, private: true}}}]
`,
    });
    expect(await plumbline(["generate", "--only", "wiki"], { in: folder })).toMatchObject({ code: 0, error: "" });
    const files = await filesOf(folder);
    expect(files["wiki/a.txt"]).toBe("pet-shop-wiki\ntrue\nopenapi.yaml#/paths/~1pets/get");
    expect(Object.keys(files).filter((file) => file.startsWith("client/"))).toEqual([]);
    expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0, error: "" });
    expect(Object.keys(await filesOf(path.join(folder, "client")))).toContain("src/gen/client.ts");
    expect(await plumbline(["generate", "--only", "wikis"], { in: folder })).toEqual({
      code: 2,
      out: "",
      error: 'Unknown artifact "wikis". Did you mean "wiki"?\nSee plumbline generate --help.\n',
    });
  });
});

describe("a generator that goes wrong", () => {
  it.each([
    ["throws", "() => { throw new Error('no pets'); }", "failed", /^mine failed: no pets\. Fix \.\/mine\.mjs\.$/],
    [
      "writes what does not parse",
      "() => [{ path: 'a.json', text: '{' }]",
      "text",
      /^a\.json does not parse: .* Fix the output of \.\/mine\.mjs\.$/,
    ],
    ["writes elsewhere", "() => [{ path: '../a.txt', text: 'a' }]", "path", /^mine may not write "\.\.\/a\.txt"\. /],
  ])("because it %s is reported where it is named, and nothing is written", async (_, files, code, says) => {
    const folder = await withGenerator(files);
    const before = await filesOf(folder);
    const ended = await plumbline(["generate"], { in: folder });
    expect(ended.code).toBe(1);
    const [at, , reported, words] = (ended.error.split("\n")[0] ?? "").split("  ");
    expect([at, reported]).toEqual(["spec/plumbline.yaml:2:14", `generator/${code}`]);
    expect(words).toMatch(says);
    expect(await filesOf(folder)).toEqual(before);
  });

  it.each([
    ["ends the command", "() => process.exit(0)", 0],
    ["throws outside of its promise", "() => new Promise(() => setTimeout(() => { throw new Error('late'); }))", 1],
  ])("because it %s fails the command, and says so", async (_, files, exit) => {
    const folder = await withGenerator(files);
    const before = await filesOf(folder);
    const { code, error } = await plumblineProcess(["generate", "--only", "mine"], { in: folder });
    expect(error).toContain(
      `spec/plumbline.yaml:2:14  error  generator/failed  mine ended the command, by process.exit or an error outside of its promise (exit code ${exit}). Fix ./mine.mjs.\n`,
    );
    expect(code).toBe(1);
    expect(await filesOf(folder)).toEqual(before);
  });

  it("because it takes long is reported, and awaited", async () => {
    const written: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((said) => written.push(String(said)) > 0);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    });
    const describeExit = (): never => {
      throw new Error("the process has not ended");
    };
    let finish: (files: string) => void = () => undefined;
    const made = withWatchdog(
      { name: "mine", describeExit },
      () => new Promise<string>((resolve) => (finish = resolve)),
    );
    vi.advanceTimersByTime(4999);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(written).toEqual(["mine is still running after 5 s.\n"]);
    finish("its files");
    expect(await made).toBe("its files");
  });

  it("does not affect lint, which runs no generators", async () => {
    const folder = await withGenerator("() => { throw new Error('no pets'); }");
    expect(await plumbline(["lint"], { in: folder })).toMatchObject({ code: 0 });
  });
});

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly auth?: object;
    readonly url: { readonly path: readonly string[]; readonly variable: readonly { readonly key: string }[] };
    readonly body?: { readonly raw: string };
  };
}

interface Collection {
  readonly auth: object;
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly { readonly item: readonly Item[] }[];
}

function readCollection({ "collection.json": text = "" }: Readonly<Record<string, string>>): Collection {
  return JSON.parse(text) as Collection;
}

/** The files that an example generates from a description, without the list of files. */
async function generateExample(name: string, description: string): Promise<Readonly<Record<string, string>>> {
  const folder = await temporaryFolder();
  await place(folder, {
    "plumbline.yaml": JSON.stringify({
      ruleset: "minimal",
      generators: { example: exampleFile(name) },
      descriptions: [{ description, artifacts: { example: { out: "out" } } }],
    }),
  });
  expect(await plumbline(["generate"], { in: folder })).toMatchObject({ code: 0 });
  const { ".plumbline.json": _, ...files } = await filesOf(path.join(folder, "out"));
  return files;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A folder with the files of the page, each behind its path, and the pets; the first command of the page, and the first line of its output. */
async function example(): Promise<{
  readonly folder: string;
  readonly command: readonly string[];
  readonly says: string;
}> {
  const page = await readFile(path.join(repository, "packages", "plumbline", "docs", "generators.md"), "utf8");
  const files = [...page.matchAll(/`(spec\/[\w.]+)`:\n\n```\w+\n([^]*?)^```$/gm)];
  const [, command = "", says = ""] = /^\$ npx plumbline (.*)\n(.*)$/m.exec(page) ?? [];
  const folder = await temporaryFolder();
  await place(folder, {
    ...Object.fromEntries(files.map(([, name = "", text = ""]) => [name, text] as const)),
    "spec/openapi.yaml": pets,
    "spec/owners.txt": "pets: ann\n",
  });
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  return { folder, command: command.split(" "), says };
}
