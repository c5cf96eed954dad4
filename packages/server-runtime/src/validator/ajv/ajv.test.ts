import Ajv from "ajv";
import addErrors from "ajv-errors";
import * as languages from "ajv-i18n";
import { describe, expect, test, vi } from "vitest";
import { addIssueAt, defineOperation, type Operation } from "../../http/index.js";
import { isScopeString } from "../checks/scopes.js";
import { createPet } from "../pets.support.js";
import {
  type AjvBodyRules,
  type AjvSource,
  createAjvValidator,
  createNullRemover,
  ajvInputOf,
  type JsonSchema,
  type Localizer,
} from "./index.js";
import { createAjv, petsSource } from "./pets-source.support.js";

/** A source with one operation, whose body has this schema. */
function sourceOf(schema: JsonSchema, rules: AjvBodyRules = {}, operation: Operation = putItem): AjvSource {
  return {
    operations: [operation],
    schemas: {
      putItem: { body: { "application/json": schema }, responses: { "200": { "application/json": schema } } },
    },
    rules: { putItem: { "application/json": rules } },
    formats: ["colour"],
  };
}

const putItem = itemOperation(() => undefined);

function itemOperation(check: (value: unknown, issues: Parameters<typeof addIssueAt>[0]) => void): Operation {
  return defineOperation({
    name: "putItem",
    method: "PUT",
    path: "/item",
    body: { required: true, contents: { "application/json": { check } } },
  });
}

const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties, ...more });

type Settings = Parameters<ReturnType<typeof createAjvValidator>["fetch"]>[0];

/** Sends a body to the operation, and returns the status and the body of the response. */
async function send(validator: ReturnType<typeof createAjvValidator>, body: unknown, settings?: Settings) {
  const handle = validator.fetch(settings)((request) => Response.json(ajvInputOf(putItem, request)));
  const headers = { "content-type": "application/json" };
  const request = new Request("http://localhost/item", { method: "PUT", headers, body: JSON.stringify(body) });
  const response = await handle(request);
  return [response.status, await response.json()];
}

const rejects = (...errors: readonly (readonly [field: string | undefined, reason: string])[]) => [
  400,
  { errors: errors.map(([field, reason]) => (field === undefined ? { reason } : { field, reason })) },
];

/** Its types declare a default export, which Node has under the names of languages. */
const { de: german } = languages.default as unknown as { readonly de: Localizer };

describe("keywords, formats and messages of the user's Ajv", () => {
  test("a keyword and a format of the instance are validated, and its messages are reasons", async () => {
    const ajv = createAjv();
    ajv.addKeyword({ keyword: "even", type: "number", validate: (_: boolean, value: number) => value % 2 === 0 });
    ajv.addFormat("colour", /^#[0-9a-f]{6}$/);
    const schema = object({ count: { type: "integer", even: true }, colour: { type: "string", format: "colour" } });
    expect(await send(createAjvValidator(ajv, sourceOf(schema)), { count: 3, colour: "red" })).toEqual(
      rejects(["count", 'must pass "even" keyword validation'], ["colour", "must be of the format colour"]),
    );
  });

  test("a format that the instance does not know is ignored", async () => {
    const schema = object({ colour: { type: "string", format: "colour" } });
    expect(await send(createAjvValidator(createAjv(), sourceOf(schema)), { colour: "red" })).toEqual([
      200,
      { body: { colour: "red" } },
    ]);
  });

  test("messages of ajv-errors are reasons", async () => {
    const ajv = createAjv();
    addErrors.default(ajv);
    const schema = object({ name: { type: "string", minLength: 3, errorMessage: "is too short for us" } });
    expect(await send(createAjvValidator(ajv, sourceOf(schema)), { name: "x" })).toEqual(
      rejects(["name", "is too short for us"]),
    );
  });

  test("messages of ajv-i18n are reasons, and the codes stay", async () => {
    const codes: string[] = [];
    const schema = object({ name: { type: "string" } }, { required: ["name"] });
    const validator = createAjvValidator(createAjv(), sourceOf(schema), { localize: german });
    const reason = ({ code }: { readonly code: string }): undefined => void codes.push(code);
    expect(await send(validator, { name: 1 }, { reason })).toEqual(rejects(["name", "muss sein: string"]));
    expect(codes).toEqual(["type"]);
    expect(await send(validator, { name: 1 }, { reason: () => "own text" })).toEqual(rejects(["name", "own text"]));
  });

  test("defaults and types that the instance writes reach the handler", async () => {
    const ajv = createAjv({ useDefaults: true, coerceTypes: true });
    const schema = object({ count: { type: "integer" }, name: { type: "string", default: "x" } });
    expect(await send(createAjvValidator(ajv, sourceOf(schema)), { count: "3" })).toEqual([
      200,
      { body: { count: 3, name: "x" } },
    ]);
  });
});

describe("an instance", () => {
  test("of another draft is rejected: it would ignore keywords", () => {
    expect(() => createAjvValidator(new Ajv.Ajv(), petsSource)).toThrow("does not know JSON Schema 2020-12");
  });

  test("compiles at the first request, or before", async () => {
    const ajv = createAjv();
    const compile = vi.spyOn(ajv, "compile");
    const validator = createAjvValidator(ajv, sourceOf(object({})));
    expect(compile).not.toHaveBeenCalled();
    validator.compile(["putItem"]);
    await send(validator, {});
    await send(validator, {});
    expect(compile).toHaveBeenCalledTimes(1);
    expect(() => validator.compile(["other"])).toThrow('Unknown operation "other".');
  });

  test("that cannot compile a schema says which", () => {
    const validator = createAjvValidator(createAjv(), sourceOf(object({ name: { even: true } })));
    expect(() => validator.compile()).toThrow("Ajv cannot compile the schema of body of putItem: strict mode: unknown");
  });

  test("with an asynchronous schema accepts nothing", async () => {
    const validator = createAjvValidator(createAjv(), sourceOf({ $async: true, type: "object" }));
    await expect(send(validator, {})).rejects.toThrow("asynchronous");
  });

  test("whose errors are missing accepts nothing", async () => {
    const ajv = { ...instance, compile: () => () => false };
    expect(await send(createAjvValidator(ajv, sourceOf({})), {})).toEqual(rejects([undefined, "is not allowed"]));
  });
});

const instance = { ...createAjv(), formats: {}, addFormat: () => undefined, getKeyword: () => true };

describe("what JSON Schema cannot express stays the compiled validator's", () => {
  test("nulls that count as absent", async () => {
    const schema = {
      $ref: "#/$defs/Item",
      $defs: {
        Item: object(
          {
            name: { type: "string" },
            note: { type: ["string", "null"] },
            parts: { type: "array", items: { $ref: "#/$defs/Item" } },
          },
          { required: ["name"] },
        ),
      },
    };
    const body = {
      name: "a",
      note: null,
      parts: [
        { name: null, note: null },
        { name: "b", parts: null },
      ],
    };
    const validator = createAjvValidator(createAjv(), sourceOf(schema, { nulls: createNullRemover }));
    expect(await send(validator, body)).toEqual(rejects(["parts.0.name", "is required"]));
    expect(await send(validator, { name: "a", note: null, parts: null })).toEqual([
      200,
      { body: { name: "a", note: null } },
    ]);
    const strict = createAjvValidator(createAjv(), sourceOf(schema));
    expect(await send(strict, { name: null })).toEqual(rejects(["name", "must be a string"]));
  });

  test("nulls that count as absent, in further properties and items", async () => {
    const named = object({ name: { type: "string" } }, { additionalProperties: false });
    const schema = object(
      {
        pair: { type: "array", prefixItems: [named], items: object({ note: { type: "string" } }) },
        byName: {
          type: "object",
          patternProperties: { "^a": named },
          additionalProperties: object({ b: { type: "string" } }),
        },
      },
      { unevaluatedProperties: named },
    );
    const validator = createAjvValidator(createAjv(), sourceOf(schema, { nulls: createNullRemover }));
    const body = {
      pair: [{ name: null }, { note: null }],
      byName: { a1: { name: null }, other: { b: null, c: null } },
      more: { name: null },
    };
    expect(await send(validator, body)).toEqual([
      200,
      { body: { pair: [{}, {}], byName: { a1: {}, other: { c: null } }, more: {} } },
    ]);
    expect(await send(validator, { pair: [{ note: null }] })).toEqual(rejects(["pair.0.note", "is not a known field"]));
  });

  test("limits and scopes", async () => {
    const operation = itemOperation((value, issues) => {
      addIssueAt(issues, "name", "type", "string");
      if (!isScopeString(String((value as { scopes?: unknown }).scopes), grammar))
        addIssueAt(issues, "scopes", "scopes", "*", "a:b");
    });
    const grammar = { areas: ["a"], levels: ["b"], all: "*", separator: "," };
    const schema = object({ scopes: { type: "string" } });
    const validator = createAjvValidator(createAjv(), sourceOf(schema, { limits: true }, operation));
    const handle = validator.fetch()(() => new Response());
    const request = (scopes: string) =>
      new Request("http://localhost/item", {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ scopes }),
      });
    expect((await handle(request("a:b"))).status).toBe(200);
    expect(await (await handle(request("c"))).json()).toEqual({
      errors: [{ field: "scopes", reason: "must be scopes such as a:b, or *" }],
    });
  });

  test("values that a change repeats", async () => {
    const schema = object({ name: { type: "string", minLength: 3 } });
    const rules = { echoed: { name: { type: "string", maxLength: 1 } } };
    const validator = createAjvValidator(createAjv(), sourceOf(schema, rules));
    expect((await send(validator, { name: "x" }))[0]).toBe(200);
    expect(await send(validator, { name: "xx" })).toEqual(rejects(["name", "must be at least 3 characters"]));
  });

  test("undocumented properties", async () => {
    const handle = createAjvValidator(createAjv(), petsSource).fetch({ unknown: "reject" })((request) =>
      Response.json(ajvInputOf(createPet, request)),
    );
    const headers = { "content-type": "application/json" };
    const response = await handle(
      new Request("http://localhost/pets", { method: "POST", headers, body: '{"name":"x","colour":1}' }),
    );
    expect(await response.json()).toEqual({
      errors: [
        { field: "name", reason: "must be 3 to 20 characters" },
        { field: "colour", reason: "is not a known field" },
      ],
    });
  });
});

test("responses are validated, with messages of the instance", async () => {
  const ajv = createAjv();
  addErrors.default(ajv);
  const reports: unknown[] = [];
  const schema = object({ name: { type: "string", errorMessage: "has to be a name" } });
  const handle = createAjvValidator(ajv, sourceOf(schema)).fetch({
    validateResponses: "report",
    onInvalidResponse: ({ status, issues }) => reports.push([status, issues]),
  })(() => Response.json({ name: 1 }));
  const headers = { "content-type": "application/json" };
  await handle(new Request("http://localhost/item", { method: "PUT", headers, body: "{}" }));
  expect(reports).toEqual([[200, [{ in: "response", field: "name", code: "rule", reason: "has to be a name" }]]]);
});

test.each<[schema: JsonSchema, value: unknown, errors: readonly (readonly [string | undefined, string])[]]>([
  [{ type: ["string", "null"] }, 1, [[undefined, "must be a string or null"]]],
  [{ const: 1 }, 2, [[undefined, "must be 1"]]],
  [{ enum: ["a", 2] }, 3, [[undefined, "must be a or 2"]]],
  [object({ a: false }), { a: 1 }, [["a", "is not allowed"]]],
  [object({ a: { type: "integer", format: "int32" } }), { a: 2 ** 40 }, [["a", "must be -2147483648 to 2147483647"]]],
  [{ type: "object", additionalProperties: false }, { a: 1 }, [["a", "is not a known field"]]],
  [{ type: "object", unevaluatedProperties: false }, { "a/b": 1 }, [["a/b", "is not a known field"]]],
  [
    object(
      { id: true },
      { unevaluatedProperties: false, anyOf: [object({ a: { const: 1 } }), object({ b: { const: 1 } })] },
    ),
    { id: 1, a: 2, b: 2 },
    [[undefined, "must match one of the allowed schemas; for the closest one, a must be 1"]],
  ],
  [{ type: "object", propertyNames: { maxLength: 1 } }, { ab: 1 }, [["ab", "is not an allowed name"]]],
  [{ type: "object", dependentRequired: { a: ["b"] } }, { a: 1 }, [["b", "is required together with a"]]],
  [{ type: "object", minProperties: 1, maxProperties: 2 }, {}, [[undefined, "must have 1 to 2 fields"]]],
  [{ type: "array", uniqueItems: true }, [1, 1], [[undefined, "must not have two equal items"]]],
  [{ type: "array", minItems: 1 }, [], [[undefined, "must have at least 1 item"]]],
  [
    { type: "array", contains: { type: "string" }, minContains: 1 },
    [1],
    [[undefined, "must have at least 1 matching item"]],
  ],
  [
    { type: "number", multipleOf: 2, exclusiveMinimum: 3 },
    3,
    [
      [undefined, "must be greater than 3"],
      [undefined, "must be a multiple of 2"],
    ],
  ],
  [{ not: { type: "string" } }, "a", [[undefined, "matches a schema that is not allowed"]]],
  [{ type: "object", if: { required: ["a"] }, then: { required: ["b"] } }, { a: 1 }, [["b", "is required"]]],
  [
    object(
      { a: { anyOf: [{ type: "string" }, object({ b: { type: "string", maxLength: 1 } })] } },
      { required: ["c"] },
    ),
    { a: { b: "xx" } },
    [
      ["a", "must match one of the allowed schemas; for the closest one, b must be at most 1 character"],
      ["c", "is required"],
    ],
  ],
  [
    { oneOf: [{ type: "integer" }, { type: "number" }] },
    1,
    [[undefined, "must match only one of the allowed schemas"]],
  ],
])("the errors of %j for %j are issues", async (schema, value, errors) => {
  const validator = createAjvValidator(createAjv({ strict: false }), sourceOf(schema));
  const [status, body] = await send(validator, value);
  const sorted = (all: readonly unknown[]) => all.map((each) => JSON.stringify(each)).toSorted();
  const wanted = errors.map(([field, reason]) => (field === undefined ? { reason } : { field, reason }));
  expect([status, sorted((body as { errors: unknown[] }).errors)]).toEqual([400, sorted(wanted)]);
});
