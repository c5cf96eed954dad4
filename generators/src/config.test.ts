import { mkdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig, type Config, type ConfigRequest } from "./config.js";
import { inFolder, type Texts } from "./model/testing.support.js";
import { ProblemError } from "./problem.js";

const kinds = ["client", "server"];

test("reads plumbline.yaml, its paths relative to itself", async () => {
  const yaml = `profile: foreign
descriptions:
  - description: api/openapi.yaml
    requirements: requirements.yaml
    assumptions: ASSUMPTIONS.md
    names: {list-pets: listAll}
    artifacts:
      client: {package: '@pets/client', out: ../out/client, private: true}
      server: {}
`;
  expect(await read({ "spec/plumbline.yaml": yaml }, {})).toEqual({
    profile: "foreign",
    earlier: [],
    descriptions: [
      {
        description: "spec/api/openapi.yaml",
        requirements: "spec/requirements.yaml",
        assumptions: "spec/ASSUMPTIONS.md",
        names: { "list-pets": "listAll" },
        artifacts: [
          { kind: "client", package: "@pets/client", out: "out/client", private: true },
          { kind: "server", package: undefined, out: "packages/server", private: false, ...noInput },
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
    expect([config.profile, config.descriptions[0]?.description]).toEqual(["owner", description]);
  });

  test("where --spec says", async () => {
    expect(
      (await read({ "other/plumbline.yml": plain }, { spec: "other/plumbline.yml" })).descriptions[0]?.description,
    ).toBe("other/openapi.yaml");
  });

  test("beside the description that --spec names, of which it lists the names and artifacts", async () => {
    const two = "descriptions: [{description: a.yaml}, {description: b.yaml, names: {x: y}}]\n";
    const config = await read({ "spec/plumbline.yaml": two, "spec/b.yaml": "" }, { spec: "spec/b.yaml" });
    expect(config.descriptions.map(({ description, names }) => ({ description, names }))).toEqual([
      { description: "spec/b.yaml", names: { x: "y" } },
    ]);
    expect(config.earlier).toEqual(["spec/a.yaml"]);
  });
});

test("a description alone gives every artifact, under --out or generated", async () => {
  const artifact = (kind: string, out: string): object => ({
    kind,
    package: undefined,
    out: `${out}/${kind}`,
    private: false,
    ...noInput,
  });
  const alone = (out: string): object => ({
    profile: "foreign",
    earlier: [],
    descriptions: [
      {
        description: "api.yaml",
        requirements: undefined,
        assumptions: undefined,
        names: {},
        artifacts: [artifact("client", out), artifact("server", out)],
      },
    ],
  });
  expect(await read({ "api.yaml": "" }, { spec: "api.yaml" })).toEqual(alone("generated"));
  expect(await read({ "api.yaml": "" }, { spec: "api.yaml", out: "here" })).toEqual(alone("here"));
  expect(await read({ "api.yaml": "", "plumbline.yaml": plain }, { spec: "api.yaml" })).toEqual(alone("generated"));
});

test("--out puts every package of a plumbline.yaml below it, by its short name", async () => {
  expect((await read({ "plumbline.yaml": plain }, { out: "here" })).descriptions[0]?.artifacts[0]?.out).toBe(
    "here/client",
  );
});

describe("is refused", () => {
  test.each<[string, Texts, Partial<ConfigRequest>, readonly string[]]>([
    ["nowhere", {}, {}, ["plumbline.yaml:1:1 config/missing There is no spec/plumbline.yaml here or above."]],
    [
      "missing",
      {},
      { spec: "spec/plumbline.yaml" },
      ["spec/plumbline.yaml:1:1 description/unreadable This file cannot be read."],
    ],
    [
      "broken",
      { "spec/plumbline.yaml": "a: [" },
      {},
      [expect.stringMatching(/^spec\/plumbline\.yaml:1:5 description\/syntax /)],
    ],
    ["empty", { "plumbline.yaml": "" }, {}, ["plumbline.yaml:1:1 config/value No description is listed."]],
    [
      "wrong in several ways",
      {
        "spec/plumbline.yaml":
          "profile: mine\nprofil: owner\ndescriptions:\n  - descripton: a.yaml\n    artifacts: {sever: {}, client: {pakage: a}}\n",
      },
      {},
      [
        'spec/plumbline.yaml:2:1 config/unknown "profil" means nothing here.',
        'spec/plumbline.yaml:1:1 config/value "mine" is no profile.',
        'spec/plumbline.yaml:4:5 config/unknown "descripton" means nothing here.',
        "spec/plumbline.yaml:4:5 config/value This entry names no description.",
        'spec/plumbline.yaml:5:17 config/value "sever" is no artifact.',
        'spec/plumbline.yaml:5:37 config/unknown "pakage" means nothing here.',
      ],
    ],
    [
      "with two packages in one folder",
      {
        "plumbline.yaml":
          "descriptions:\n  - {description: a.yaml, artifacts: {client: {}}}\n  - {description: b.yaml, artifacts: {client: {}}}\n",
      },
      {},
      ["plumbline.yaml:1:1 config/value Two packages would be written to ../packages/client."],
    ],
    [
      "with two pages of assumptions in one folder",
      {
        "plumbline.yaml":
          "descriptions:\n  - {description: a.yaml, assumptions: a.md}\n  - {description: b.yaml, assumptions: b.md}\n",
      },
      {},
      ["plumbline.yaml:1:1 config/value Two packages would be written to .."],
    ],
  ])("%s", async (_, texts, request, problems) => {
    const error = await read(texts, request).catch((thrown: unknown) => thrown);
    if (!(error instanceof ProblemError)) throw error;
    expect(
      error.problems.map(
        ({ code, message, origin: { file, line, column } }) => `${file}:${line}:${column} ${code} ${message}`,
      ),
    ).toEqual(problems);
  });
});

/** The configuration, with paths relative to the folder that holds the texts. */
async function read(texts: Texts, request: Partial<ConfigRequest>): Promise<Config> {
  return inFolder(texts, async (folder) => {
    const from = path.join(folder, request.from ?? ".");
    await mkdir(from, { recursive: true });
    const config = await readConfig({ spec: undefined, out: undefined, kinds, ...request, from });
    return JSON.parse(JSON.stringify(config).replaceAll(`${folder}/`, "")) as Config;
  });
}

/** What only a suite is made from. */
const noInput = { settings: undefined, workflows: undefined, controls: undefined };
