import { mkdir } from "node:fs/promises";
import path from "node:path";
import { DiagnosticsError, type SourceLocation } from "@plumbline/kit/model";
import { withFixtureFolder, type FixtureFiles } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { readConfig, type Config, type ConfigRequest } from "./config.js";

const kinds = ["client", "server"];

test("reads plumbline.yaml, its paths relative to itself", async () => {
  const yaml = `ruleset: minimal
descriptions:
  - description: api/openapi.yaml
    overlays: [limits.yaml, ../shared/names.yaml]
    requirements: requirements.yaml
    names: {list-pets: paginateList}
    nestedArrays: repeat
    keywords: [x-luhn, x-iban.v2, x-luhn]
    artifacts:
      client: {package: '@pets/client', out: ../out/client, private: true}
      server: {}
`;
  expect(await read({ "spec/plumbline.yaml": yaml }, {})).toEqual({
    ruleset: "minimal",
    precedingDescriptions: [],
    artifactKinds: kinds,
    descriptions: [
      {
        description: "spec/api/openapi.yaml",
        overlays: ["spec/limits.yaml", "shared/names.yaml"],
        boundary: ["spec"],
        requirements: "spec/requirements.yaml",
        names: { "list-pets": "paginateList" },
        nestedArrays: "repeat",
        keywords: ["x-luhn", "x-iban.v2"],
        artifacts: [
          { kind: "client", package: "@pets/client", out: "out/client", private: true, ...noOptions },
          { kind: "server", package: undefined, out: "packages/server", private: false, ...noOptions },
        ],
      },
    ],
  });
});

const plain = "descriptions: [{description: openapi.yaml, artifacts: {client: {package: '@pets/client'}}}]\n";

describe("plumbline.yaml is found", () => {
  test.each([
    ["here", "plumbline.yaml", ".", "openapi.yaml"],
    ["in spec", "spec/plumbline.yaml", ".", "spec/openapi.yaml"],
    ["in spec of a folder above", "spec/plumbline.yaml", "packages/a/src", "spec/openapi.yaml"],
  ])("%s", async (_, name, from, description) => {
    const config = await read({ [name]: plain }, { from });
    expect([config.ruleset, config.descriptions[0]?.description]).toEqual(["strict", description]);
  });

  test("at the path of --spec", async () => {
    expect(
      (await read({ "other/plumbline.yml": plain }, { spec: "other/plumbline.yml" })).descriptions[0]?.description,
    ).toBe("other/openapi.yaml");
  });

  test("beside the description of --spec, if it lists that description", async () => {
    const two = "descriptions: [{description: a.yaml}, {description: b.yaml, names: {x: y}}]\n";
    const config = await read({ "spec/plumbline.yaml": two, "spec/b.yaml": "" }, { spec: "spec/b.yaml" });
    expect(config.descriptions.map(({ description, names }) => ({ description, names }))).toEqual([
      { description: "spec/b.yaml", names: { x: "y" } },
    ]);
    expect(config.precedingDescriptions).toMatchObject([{ description: "spec/a.yaml", overlays: [] }]);
  });
});

test("an artifact has the operations that it includes", async () => {
  const text = `descriptions:
  - {description: a.yaml, artifacts: {client: {include: {tags: [pets], paths: ['/pets/**']}}}}
`;
  const [description] = (await read({ "plumbline.yaml": text }, {})).descriptions;
  const at = (pointer: string, column: number) => ({
    file: "plumbline.yaml",
    pointer: `/descriptions/0/artifacts/client/include/${pointer}`,
    line: 2,
    column,
  });
  expect(description?.artifacts[0]?.include).toEqual({
    tags: [{ name: "pets", location: at("tags/0", 65) }],
    operations: [],
    paths: [{ name: "/pets/**", location: at("paths/0", 80) }],
  });
});

test("overlays of the command line follow those of plumbline.yaml", async () => {
  const listed = "descriptions: [{description: a.yaml, overlays: [one.yaml]}]\n";
  const texts = { "spec/plumbline.yaml": listed, "spec/a.yaml": "" };
  const config = await read(texts, { spec: "spec/a.yaml", overlays: ["two.yaml"] });
  expect(config.descriptions[0]?.overlays).toEqual(["spec/one.yaml", "two.yaml"]);
  const alone = await read({ "a.yaml": "" }, { spec: "a.yaml", overlays: ["two.yaml", "three.yaml"] });
  expect(alone.descriptions[0]?.overlays).toEqual(["two.yaml", "three.yaml"]);
});

describe("references must not leave", () => {
  const listed = (file: string): string => `descriptions: [{description: ${file}}]\n`;
  const git = { "api/.git/HEAD": "", "api/v1/openapi.yaml": "" };
  test.each([
    ["the folder of plumbline.yaml", { "spec/plumbline.yaml": listed("v1/a.yaml") }, {}, ["spec"]],
    ["also that of a description elsewhere", { "spec/plumbline.yaml": listed("../a.yaml") }, {}, ["spec", "."]],
    ["its repository", { ...git, "spec/plumbline.yaml": listed("../api/v1/openapi.yaml") }, {}, ["spec", "api"]],
    ["the repository of the file that --spec names", git, { spec: "api/v1/openapi.yaml" }, ["api"]],
    ["its folder where there is no repository", { "api/v1/a.yaml": "" }, { spec: "api/v1/a.yaml" }, ["api/v1"]],
    ["nothing with --allow-outside", git, { spec: "api/v1/openapi.yaml", allowOutside: true }, undefined],
  ])("%s", async (_, texts, request, boundary) => {
    expect((await read(texts, request)).descriptions[0]?.boundary).toEqual(boundary);
  });
});

test("a custom generator adds an artifact of its name", async () => {
  const listed = `generators: {postman: ./postman.mjs, wiki: '@acme/wiki'}
descriptions: [{description: a.yaml, artifacts: {postman: {out: out}, client: {out: client}}}]
`;
  const { artifactKinds: all, descriptions } = await read({ "plumbline.yaml": listed }, {});
  expect(all).toEqual(["client", "server", "postman", "wiki"]);
  const postman = {
    name: "postman",
    module: "./postman.mjs",
    config: "plumbline.yaml",
    location: { file: "plumbline.yaml", pointer: "/generators/postman", line: 1, column: 14 },
  };
  expect(descriptions[0]?.artifacts.map(({ kind, out, generator }) => ({ kind, out, generator }))).toEqual([
    { kind: "postman", out: "out", generator: postman },
    { kind: "client", out: "client", generator: undefined },
  ]);
});

test("a description alone has all artifacts, in --out or generated", async () => {
  const artifact = (kind: string, out: string): object => ({
    kind,
    package: undefined,
    out: `${out}/${kind}`,
    private: false,
    sourcesOnly: false,
    importExtension: "js",
    include: undefined,
    options: {},
  });
  const alone = (out: string): object => ({
    ruleset: "minimal",
    precedingDescriptions: [],
    artifactKinds: kinds,
    descriptions: [
      {
        description: "api.yaml",
        overlays: [],
        boundary: ["."],
        requirements: undefined,
        names: {},
        nestedArrays: undefined,
        keywords: [],
        artifacts: [artifact("client", out), artifact("server", out)],
      },
    ],
  });
  expect(await read({ "api.yaml": "" }, { spec: "api.yaml" })).toEqual(alone("generated"));
  expect(await read({ "api.yaml": "" }, { spec: "api.yaml", out: "here" })).toEqual(alone("here"));
  expect(await read({ "api.yaml": "", "plumbline.yaml": plain }, { spec: "api.yaml" })).toEqual(alone("generated"));
});

test("--out has the packages of a plumbline.yaml, in folders of their short names", async () => {
  expect((await read({ "plumbline.yaml": plain }, { out: "here" })).descriptions[0]?.artifacts[0]?.out).toBe(
    "here/client",
  );
});

describe("reports", () => {
  test.each<[string, FixtureFiles, Partial<ConfigRequest>, readonly string[]]>([
    [
      "nowhere",
      {},
      {},
      ["plumbline.yaml:1:1 config/missing There is no spec/plumbline.yaml in this folder or its parents."],
    ],
    [
      "missing",
      {},
      { spec: "spec/plumbline.yaml" },
      ["spec/plumbline.yaml:1:1 description/unreadable The file is not readable."],
    ],
    [
      "broken",
      { "spec/plumbline.yaml": "a: [" },
      {},
      [expect.stringMatching(/^spec\/plumbline\.yaml:1:5 description\/syntax /)],
    ],
    ["empty", { "plumbline.yaml": "" }, {}, ["plumbline.yaml:1:1 config/value `descriptions` is missing or empty."]],
    [
      "wrong in several ways",
      {
        "spec/plumbline.yaml":
          "ruleset: mine\nrulset: strict\ndescriptions:\n  - descripton: a.yaml\n    artifacts: {sever: {}, client: {pakage: a}}\n",
      },
      {},
      [
        'spec/plumbline.yaml:2:1 config/unknown Unknown key "rulset".',
        'spec/plumbline.yaml:1:1 config/value "mine" is not a valid ruleset.',
        'spec/plumbline.yaml:4:5 config/unknown Unknown key "descripton".',
        "spec/plumbline.yaml:4:5 config/value Missing key `description`.",
        'spec/plumbline.yaml:5:17 config/value Unknown artifact "sever".',
      ],
    ],
    [
      "with overlays and generators that are none",
      {
        "plumbline.yaml": `generators: {client: ./a.mjs, Wiki: ./b.mjs, postman: [c]}
descriptions:
  - {description: a.yaml, overlays: a.yaml}
  - {description: b.yaml, overlays: [{file: b.yaml}], artifacts: {other: {}}}
`,
      },
      {},
      [
        'plumbline.yaml:1:14 generator/name "client" is the name of a built-in artifact.',
        'plumbline.yaml:1:31 generator/name "Wiki" is not a valid name.',
        'plumbline.yaml:1:46 generator/missing "postman" has no module.',
        "plumbline.yaml:3:27 config/value `overlays` is not a list.",
        'plumbline.yaml:4:67 config/value Unknown artifact "other".',
        "plumbline.yaml:4:38 config/value An overlay has to be a path.",
      ],
    ],
    [
      "with keywords that are none",
      {
        "plumbline.yaml": `descriptions:
  - {description: a.yaml, keywords: x-luhn}
  - {description: b.yaml, keywords: [luhn, 5, x-limits, x-]}
`,
      },
      {},
      [
        "plumbline.yaml:2:27 config/value `keywords` is not a list.",
        'plumbline.yaml:3:38 config/value "luhn" is not a valid keyword.',
        "plumbline.yaml:3:44 config/value 5 is not a valid keyword.",
        'plumbline.yaml:3:47 config/value "x-limits" is an extension field of the vocabulary.',
        'plumbline.yaml:3:57 config/value "x-" is not a valid keyword.',
      ],
    ],
    [
      "with operations to include that are none",
      {
        "plumbline.yaml": `descriptions:
  - description: a.yaml
    artifacts:
      client: {include: {tag: [pets], operations: listPets, paths: [5]}}
  - description: b.yaml
    artifacts:
      client: {out: b, include: }
      server: {out: c, include: {tags: []}}
`,
      },
      {},
      [
        'plumbline.yaml:4:26 config/unknown Unknown key "tag".',
        "plumbline.yaml:4:39 config/value `operations` is not a list of names.",
        "plumbline.yaml:4:69 config/value An item of `paths` is not a text.",
        "plumbline.yaml:7:24 config/value `include` has no list.",
        "plumbline.yaml:8:34 config/value `tags` is not a list of names.",
      ],
    ],
    [
      "with a validator that includes other operations than its server",
      {
        "plumbline.yaml": `descriptions:
  - description: a.yaml
    artifacts:
      validator: {include: {tags: [pets]}}
      mock: {}
      server: {include: {tags: [pets, toys]}}
`,
      },
      { artifactKinds: ["validator", "server", "mock"] },
      [
        "plumbline.yaml:5:7 config/value `mock` and `validator` include different operations.",
        "plumbline.yaml:6:7 config/value `server` and `validator` include different operations.",
      ],
    ],
    [
      "with two generators of one name",
      { "plumbline.yaml": "generators:\n  wiki: ./a.mjs\n  wiki: ./b.mjs\n" },
      {},
      ["plumbline.yaml:3:3 description/syntax This is not valid YAML or JSON: duplicated mapping key."],
    ],
    [
      "with two packages in one folder",
      {
        "plumbline.yaml":
          "descriptions:\n  - {description: a.yaml, artifacts: {client: {}}}\n  - {description: b.yaml, artifacts: {client: {}}}\n",
      },
      {},
      ["plumbline.yaml:1:1 config/value Two packages share the folder ../packages/client."],
    ],
  ])("%s", async (_, texts, request, diagnostics) => {
    const error = await read(texts, request).catch((thrown: unknown) => thrown);
    if (!(error instanceof DiagnosticsError)) throw error;
    expect(
      error.diagnostics.map(
        ({ code, message, origin: { file, line, column } }) => `${file}:${line}:${column} ${code} ${message}`,
      ),
    ).toEqual(diagnostics);
  });
});

/** The configuration, with paths relative to the folder of the texts. */
async function read(texts: FixtureFiles, request: Partial<ConfigRequest>): Promise<Config> {
  return withFixtureFolder(texts, async (folder) => {
    const from = path.join(folder, request.from ?? ".");
    await mkdir(from, { recursive: true });
    const config = await readConfig({ spec: undefined, out: undefined, artifactKinds: kinds, ...request, from });
    return JSON.parse(JSON.stringify(config).replaceAll(`${folder}/`, "").replaceAll(`"${folder}"`, '"."')) as Config;
  });
}

/** An artifact of plumbline.yaml without options. */
const noOptions = {
  sourcesOnly: false,
  importExtension: "js",
  include: undefined,
  options: {},
  location: {
    path: "spec/plumbline.yaml",
    entry: expect.objectContaining({ file: "spec/plumbline.yaml" }) as SourceLocation,
    keys: {},
  },
};

test.each([
  ["x/..", "has characters that npm rejects in a package name"],
  ["@pets/..", "has characters that npm rejects in a package name"],
  ["Pets", "has characters that npm rejects in a package name"],
  ["a/b/c", "has characters that npm rejects in a package name"],
  ["_pets", "has characters that npm rejects in a package name"],
  ["http", "is a name that npm reserves"],
  ["node_modules", "is a name that npm reserves"],
  ["a".repeat(215), "has more than 214 characters"],
])("%s is not a valid package name", async (name, issue) => {
  const yaml = `descriptions: [{description: openapi.yaml, artifacts: {client: {package: '${name}'}}}]\n`;
  await expect(read({ "plumbline.yaml": yaml }, { out: "generated" })).rejects.toMatchObject({
    diagnostics: [{ code: "config/value", message: `"${name}" ${issue}.` }],
  });
});

test.each(["pets", "@pets/client", "a".repeat(214), "pets.v2_client-1"])(
  "%s is the name of a package",
  async (name) => {
    const yaml = `descriptions: [{description: openapi.yaml, artifacts: {client: {package: '${name}'}}}]\n`;
    const config = await read({ "plumbline.yaml": yaml }, {});
    expect(config.descriptions[0]?.artifacts[0]?.package).toBe(name);
  },
);
