import { rm, symlink } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import mockGenerator from "@plumbline/generators/mock";
import serverGenerator from "@plumbline/generators/server";
import validatorGenerator from "@plumbline/generators/validator";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import type { Server } from "@plumbline/server-runtime";
import { nodeListener } from "@plumbline/server-runtime/node";
import type { inputOf as InputOf, Operation } from "@plumbline/server-runtime/validator";
import type { AjvValidator } from "@plumbline/server-runtime/validator/ajv";
import type { CustomChecks } from "@plumbline/server-runtime/validator/custom";
import type { StandardSchema } from "@plumbline/server-runtime/validator/standard";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createUserAjv } from "../support/ajv.js";
import { scriptOf } from "../support/examples.js";
import { placeScripts, portOf, validatedServers, type ValidatorAdapters } from "../support/generated-validator.js";
import { listen } from "../support/hosts.js";
import { place } from "../support/pets.js";
import { unremovedFolder } from "../support/places.js";

const description = `openapi: 3.1.0
info: {title: Cards, version: 1.0.0}
servers: [{url: https://cards.example}]
paths:
  /cards/{cardId}:
    put:
      operationId: putCard
      tags: [cards]
      parameters:
        - {name: cardId, in: path, required: true, schema: {type: string, x-prefix: card-}}
        - {name: price, in: query, schema: {type: number, format: money}}
        - {name: code, in: query, schema: {type: string, format: money}}
      requestBody:
        required: true
        x-input: {unchanged: validate}
        content:
          application/json: {schema: {$ref: '#/components/schemas/Card'}}
          application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Card'}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Card'}}}}}
    patch:
      operationId: patchCard
      tags: [cards]
      parameters: [{name: cardId, in: path, required: true, schema: {type: string, x-prefix: card-}}]
      requestBody:
        required: true
        x-input: {unchanged: accept}
        content: {application/json: {schema: {type: object, properties: {account: {type: string, format: iban}}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Card'}}}}}
components:
  schemas:
    Card:
      type: object
      x-together: [a, b]
      properties:
        account: {type: string, format: iban}
        mail: {type: string, format: email}
        owner: {anyOf: [{type: string, x-prefix: o-}, {type: object, properties: {id: {type: string, x-prefix: o-}}}]}
        tags: {type: array, items: {type: string, not: {x-prefix: bad-}}}
        rounded: {type: integer, x-value: [{matches: {x-equals: 0}, set: 1}]}
        'a"b\${1}\u2028': {x-equals: {'\`\${1}"': ['*/', '__proto__']}}
`;

const keywords = ["x-prefix", "x-together", "x-equals"];

const checks: Required<CustomChecks> = {
  formats: {
    iban: /^[A-Z]{2}\d{2}/g, // a flag that makes `test` remember where it stopped
    money: { type: "number", validate: (value) => Number.isInteger(value * 100) },
    email: (value) => {
      if (value === "throw@example.org") throw new Error("no such host");
      return value.endsWith("@example.org");
    },
  },
  keywords: {
    "x-prefix": (value, prefix) =>
      typeof value !== "string" || value.startsWith(String(prefix)) || `must begin with ${String(prefix)}`,
    "x-together": (value, names) => {
      const sent = (names as readonly string[]).filter((name) => Object.hasOwn(Object(value), name));
      return sent.length === 0 || sent.length === 2;
    },
    "x-equals": (value, expected) => JSON.stringify(value) === JSON.stringify(expected),
  },
};

/** What a generated package exports. */
interface Generated extends ValidatorAdapters {
  readonly putCard: Operation<{ readonly body: { readonly rounded?: number } }>;
  readonly inputOf: typeof InputOf;
  readonly withChecks: <Target>(target: Target, checks: CustomChecks) => Target;
  readonly ajvValidator: (ajv: ReturnType<typeof createUserAjv>) => AjvValidator;
  readonly ajvInputOf: typeof InputOf;
  readonly CardSchema: StandardSchema<unknown>;
  readonly putCardInput: StandardSchema<unknown> & { readonly body: StandardSchema<unknown> };
}

let folder: string;
let generated: Generated;
beforeAll(async () => {
  const config = { formats: ["iban", "money", "email"], ajv: true, standard: true };
  const files = await testGenerator(validatorGenerator, { description, config, keywords });
  folder = await unremovedFolder();
  const { load, adapters } = await placeScripts(folder, files);
  const { ajvValidator, inputOf: ajvInputOf } = await load("gen/ajv");
  generated = {
    ...(await load("index")),
    ...(await load("gen/standard")),
    ...adapters,
    ajvValidator,
    ajvInputOf,
  } as unknown as Generated;
});
afterAll(() => rm(folder, { recursive: true }));

/** Each kind of server, with a handler that responds with the validated body. */
const servers = validatedServers(() => generated, bodyOf);

function bodyOf(request: object): object {
  return generated.inputOf(generated.putCard, request).body;
}

const odd = 'a"b${1}\u2028';

/** Requests to `/cards/`, and their responses: a status, with the errors or the body. */
const cases: readonly (readonly [target: string, body: unknown, status: number, result: unknown])[] = [
  ["card-1", { account: "DE00" }, 200, { account: "DE00" }],
  ["card-1", { account: "DE0" }, 400, [["account", "must be of the format iban"]]],
  ["card-1", { mail: "a@example.org" }, 200, { mail: "a@example.org" }],
  ["card-1", { mail: "a@example.com" }, 400, [["mail", "must be an email address"]]],
  ["card-1?price=1.25", {}, 200, {}],
  ["card-1?price=1.255", {}, 400, [["price", "must be of the format money"]]],
  ["card-1?code=1.255", {}, 200, {}],
  ["disk-1", {}, 404, [[undefined, "Not found"]]],
  ["card-1", { owner: "o-1", tags: ["good"] }, 200, { owner: "o-1", tags: ["good"] }],
  ["card-1", { owner: "x" }, 400, [["owner", "must begin with o-"]]],
  ["card-1", { owner: { id: "x" } }, 400, [["owner.id", "must begin with o-"]]],
  ["card-1", { tags: ["a", "bad-b"] }, 400, [["tags.1", "matches a schema that is not allowed"]]],
  ["card-1", { a: 1 }, 400, [[undefined, "must satisfy x-together"]]],
  ["card-1", { a: 1, b: 1 }, 200, { a: 1, b: 1 }],
  ["card-1", { rounded: 0 }, 200, { rounded: 1 }],
  ["card-1", { rounded: 2 }, 200, { rounded: 2 }],
  ["card-1", { [odd]: { '`${1}"': ["*/", "__proto__"] } }, 200, { [odd]: { '`${1}"': ["*/", "__proto__"] } }],
  ["card-1", { [odd]: 1 }, 400, [[odd, "must satisfy x-equals"]]],
  ["card-1", new URLSearchParams({ account: "DE00" }), 200, { account: "DE00" }],
  ["card-1", new URLSearchParams({ account: "DE" }), 400, [["account", "must be of the format iban"]]],
  ["card-1", { mail: "throw@example.org" }, 500, "Error: no such host"],
];

describe.each(Object.entries(servers))("custom formats and keywords in %s", (_name, start) => {
  it("are checked in parameters and bodies", async () => {
    const port = await start(checks);
    for (const round of [1, 2])
      for (const [target, body, status, result] of cases)
        expect([round, target, body, ...(await send(port, target, body))]).toEqual([
          round,
          target,
          body,
          status,
          result,
        ]);
  });

  it("are checked in responses", async () => {
    const reports: unknown[] = [];
    const onInvalidResponse = ({ issues }: { readonly issues: unknown }) => reports.push(issues);
    // The body of the response is normalized: an integer that the keyword then rejects.
    const keywordChecks = { ...checks.keywords, "x-together": (value: unknown) => Object(value).rounded !== 1 };
    const port = await start({ ...checks, keywords: keywordChecks, validateResponses: "enforce", onInvalidResponse });
    expect(await send(port, "card-1", { rounded: 2 })).toEqual([200, { rounded: 2 }]);
    expect((await send(port, "card-1", { rounded: 0 }))[0]).toBe(500);
    expect(reports).toEqual([[{ in: "response", code: "rule", reason: "must satisfy x-together" }]]);
  });

  it("need their functions at the start", async () => {
    const { iban: _, ...someFormats } = checks.formats;
    await expect(start({ ...checks, formats: someFormats })).rejects.toThrow("Missing option `formats.iban`.");
    await expect(start({ formats: checks.formats })).rejects.toThrow("Missing option `keywords.x-equals`.");
    await expect(start({ ...checks, formats: { ...checks.formats, ibn: /a/ } })).rejects.toThrow(
      "Unknown name `ibn` in option `formats`. The validator has email, iban, money.",
    );
  });

  it("are those of one validator", async () => {
    const lenient = await start({ ...checks, formats: { ...checks.formats, iban: () => true } });
    const strict = await start(checks);
    const both = await Promise.all(
      Array.from({ length: 10 }, async () => [
        (await send(lenient, "card-1", { account: "x" }))[0],
        (await send(strict, "card-1", { account: "x" }))[0],
      ]),
    );
    expect(new Set(both.map(String))).toEqual(new Set(["200,400"]));
  });
});

describe("a generated server beside the validator", () => {
  it("imports its checks, and takes the same functions", async () => {
    const artifacts = {
      validator: { package: "@cards/validator", custom: { formats: Object.keys(checks.formats), keywords } },
    };
    const files = await testGenerator(serverGenerator, { description, keywords, artifacts });
    expect(Object.keys(files).filter((name) => name.startsWith("src/gen/validator/"))).toEqual([]);
    expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({ dependencies: { "@cards/validator": "^0.1.0" } });
    const modules = Object.entries(files).filter(([name]) => name.startsWith("src/gen/"));
    await place(folder, {
      "server/package.json": '{"type":"module"}',
      "node_modules/@cards/validator/package.json": '{"type":"module","exports":{"./*":"./src/gen/*.js"}}',
      ...Object.fromEntries(modules.map(([name, text]) => [`server/${name.replace(/\.ts$/, ".js")}`, scriptOf(text)])),
    });
    await symlink(path.join(folder, "src"), path.join(folder, "node_modules", "@cards", "validator", "src"), "dir");
    const { createServer } = (await import(pathToFileURL(path.join(folder, "server/src/gen/server.js")).href)) as {
      readonly createServer: (handlers: object, options: object) => Server;
    };
    const handle = ({ body }: { readonly body: unknown }) => ({ status: 200, body });
    const handlers = { putCard: handle, patchCard: handle };
    const port = await portOf(
      listen(nodeListener(createServer(handlers, { ...checks, validateResponses: "enforce" }))),
    );
    for (const [target, body, status, result] of cases.filter(([, , each]) => each !== 500)) {
      const [sent, errors] = await send(port, target, body);
      // A server sends documented fields only.
      expect([target, body, sent, sent === 200 ? result : errors]).toEqual([target, body, status, result]);
    }
    const patched = async (account: string) =>
      resultOf(
        await fetch(`http://127.0.0.1:${port}/cards/card-1`, {
          method: "PATCH",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ account }),
        }),
      );
    expect(await patched("DE00")).toEqual([200, { account: "DE00" }]);
    expect(await patched("DE")).toEqual([400, [["account", "must be of the format iban"]]]);
    expect(() => createServer(handlers, {})).toThrow("Missing option `formats.");
  });

  it("is what a mock creates, with the same functions", async () => {
    const artifacts = {
      validator: { package: "@cards/validator", custom: { formats: Object.keys(checks.formats), keywords } },
    };
    const files = await testGenerator(mockGenerator, {
      description,
      keywords,
      artifacts,
      package: "@cards/mock",
      config: { server: "@cards/server" },
    });
    expect(files["src/gen/mock.ts"]).toContain('Pick<ServerOptions, "formats" | "keywords">');
    await place(folder, {
      "node_modules/@cards/server/package.json": '{"type":"module","exports":"./src/gen/server.js"}',
      "mock/package.json": '{"type":"module"}',
      ...Object.fromEntries(
        ["mock", "definition"].map((name) => [`mock/${name}.js`, scriptOf(files[`src/gen/${name}.ts`] ?? "")]),
      ),
    });
    await symlink(
      path.join(folder, "server", "src"),
      path.join(folder, "node_modules", "@cards", "server", "src"),
      "dir",
    );
    const { createMock } = (await import(pathToFileURL(path.join(folder, "mock/mock.js")).href)) as {
      readonly createMock: (options: object) => { readonly fetch: (request: Request) => Promise<Response> };
    };
    const patch = async (account: string) =>
      createMock(checks).fetch(
        new Request("https://cards.example/cards/card-1", {
          method: "PATCH",
          headers: { "content-type": "application/json", authorization: "Bearer any" },
          body: JSON.stringify({ account }),
        }),
      );
    expect((await patch("DE")).status).toBe(400);
    expect((await patch("DE00")).status).not.toBe(400);
    expect(() => createMock({})).toThrow("Missing option `formats.");
  });

  it("carries them without one, so that its own formats are not checked", async () => {
    const files = await testGenerator(serverGenerator, { description, keywords });
    expect(files["src/gen/validator/checks.ts"]).not.toContain("hasCustomFormat");
    expect(files["src/gen/types.ts"]).toContain('export type * from "./validator/types.js";');
    expect(files["src/gen/server.ts"]).toContain('import("./validator/responses.js")');
  });
});

describe("without a server", () => {
  const body = { account: "x", rounded: 0 };
  const rejected = { issues: [{ message: "must be of the format iban", path: ["account"] }] };

  it("an operation is bound to functions", () => {
    const { putCard, withChecks } = generated;
    const bound = withChecks(putCard, checks);
    expect(bound.body(body)).toMatchObject({ ok: false, issues: [{ field: "account", code: "format" }] });
    expect(bound({ path: { cardId: "card-1" }, body: { rounded: 0 } })).toMatchObject({
      ok: true,
      input: { body: { rounded: 1 } },
    });
    expect(() => withChecks(putCard, {})).toThrow("Missing option `formats.email`.");
  });

  it("a Standard Schema is bound to functions, with its parts", () => {
    const { CardSchema, putCardInput, withChecks } = generated;
    expect(withChecks(CardSchema, checks)["~standard"].validate(body)).toEqual(rejected);
    expect(withChecks(putCardInput, checks).body["~standard"].validate(body)).toEqual(rejected);
    expect(withChecks(putCardInput, checks).body["~standard"].validate({ rounded: 0 })).toEqual({
      value: { rounded: 1 },
    });
    expect(CardSchema["~standard"].jsonSchema.input({ target: "draft-07" })).toMatchObject({
      "x-together": ["a", "b"],
    });
  });

  it("nothing is accepted without functions", () => {
    const { putCard, CardSchema } = generated;
    expect(() => putCard.body(body)).toThrow("Missing option `formats.iban`. Without a server, call `withChecks`");
    expect(() => CardSchema["~standard"].validate({})).toThrow("Missing option `keywords.x-together`.");
  });
});

describe("the user's own Ajv", () => {
  it("checks them instead", async () => {
    const ajv = createUserAjv();
    for (const [name, format] of Object.entries(checks.formats)) ajv.addFormat(name, format);
    for (const keyword of keywords)
      ajv.addKeyword({
        keyword,
        validate: (stated: unknown, value: unknown) => checks.keywords[keyword]?.(value, stated) === true,
      });
    const handle = generated.ajvValidator(ajv).fetch({ unknown: "reject" })((request) =>
      Response.json(generated.ajvInputOf(generated.putCard, request).body),
    );
    const exchange = async (target: string, sent: object): Promise<unknown> =>
      resultOf(await handle(requestOf(`http://localhost/cards/${target}`, sent)));
    expect(await exchange("card-1", { account: "DE00" })).toEqual([200, { account: "DE00" }]);
    expect(await exchange("card-1", { account: "x" })).toEqual([400, [["account", "must be of the format iban"]]]);
    expect(await exchange("card-1?price=1.255", {})).toEqual([400, [["price", "must be of the format money"]]]);
  });

  it("has no functions for conditions of `x-value`", async () => {
    const ajv = createUserAjv();
    for (const name of Object.keys(checks.formats)) ajv.addFormat(name, true);
    for (const keyword of keywords) ajv.addKeyword(keyword);
    const handle = generated.ajvValidator(ajv).fetch()(() => Response.json({}));
    await expect(handle(requestOf("http://localhost/cards/card-1", { rounded: 0 }))).rejects.toThrow(
      "Missing option `keywords.x-equals`.",
    );
  });

  it("does not compile the schemas without them", () => {
    expect(() => generated.ajvValidator(createUserAjv()).compile()).toThrow("Ajv cannot compile the schema of");
  });
});

function requestOf(url: string, body: unknown): Request {
  if (body instanceof URLSearchParams) return new Request(url, { method: "PUT", body });
  const headers = { "content-type": "application/json" };
  return new Request(url, { method: "PUT", headers, body: JSON.stringify(body) });
}

async function send(port: number, target: string, body: unknown): Promise<readonly [status: number, result: unknown]> {
  return resultOf(await fetch(requestOf(`http://127.0.0.1:${port}/cards/${target}`, body)));
}

async function resultOf(response: Response): Promise<readonly [status: number, result: unknown]> {
  const body = (await response.json()) as {
    readonly error?: string;
    readonly errors?: readonly { readonly field?: string; readonly reason: string }[];
  };
  return [response.status, body.error ?? body.errors?.map(({ field, reason }) => [field, reason]) ?? body];
}
