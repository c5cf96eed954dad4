import { describe, expect, test } from "vitest";
import { buildFixtureApi, withSchemas } from "../../openapi/testing.js";
import type { Api } from "../api.js";
import { findField, collectFields } from "./schema-fields.js";

describe("fields of which the vocabulary says something", () => {
  test("are found in lists, maps, branches and references; others are not", async () => {
    const reported = await annotatedFieldsOf(`
Pet:
  type: object
  x-errors: [{id: odd, status: 400}]
  properties:
    name: {type: string}
    home: {type: string, x-reference: {to: Home}}
    friends: {type: array, items: {type: integer, x-reference: {to: Pet}}}
    toys: {type: object, additionalProperties: {$ref: '#/components/schemas/Toy'}}
    pair: {type: array, prefixItems: [{type: string}, {$ref: '#/components/schemas/Toy'}]}
    size: {type: integer, x-mutability: {rule: increase}}
  anyOf: [{properties: {scopes: {type: string, x-scopes: {atMost: $caller.scopes, error: odd}}}}]
Toy: {type: object, properties: {price: {type: integer, x-value: [{absent: true, set: 1}]}, colour: {type: string}}}
Home: {type: object, x-resource: {owner: [user]}, properties: {id: {type: integer}}}`);
    expect(reported).toEqual(["", "/scopes", "/home", "/friends/*", "/toys/*/price", "/pair/*/price", "/size"]);
  });

  test("of a recursive schema are listed once", async () => {
    const reported = await annotatedFieldsOf(`
Pet: {type: object, properties: {owner: {type: integer, x-reference: {to: Pet}}, child: {$ref: '#/components/schemas/Pet'}}}`);
    expect(reported).toEqual(["/owner"]);
  });

  test("of fields that are all the same shape are those of a map", async () => {
    const reported = await annotatedFieldsOf(`
Pet: {type: object, properties: {mon: {$ref: '#/components/schemas/Id'}, tue: {$ref: '#/components/schemas/Id'}, wed: {$ref: '#/components/schemas/Id'}}}
Id: {type: integer, x-reference: {to: Pet}}`);
    expect(reported).toEqual(["/*"]);
  });

  test("are found though ways fan out at each of sixty levels, as branches", async () => {
    const last = "A60: {type: object, properties: {pet: {type: integer, x-reference: {to: A0}}}}";
    expect(await annotatedFieldsOf(`${fanningOut(60, "allOf: [NEXT, NEXT]")}${last}`, "A0")).toEqual(["/pet"]);
  });

  test("are looked for only where there are some, though ways fan out as fields", async () => {
    const fields = "properties: {a: {oneOf: [NEXT]}, b: NEXT}";
    expect(await annotatedFieldsOf(`${fanningOut(60, fields)}A60: {type: string}`, "A0")).toEqual([]);
  });

  test("at the end of too many paths are rejected", async () => {
    const fields = "properties: {a: {oneOf: [NEXT]}, b: NEXT}";
    const schemas = (levels: number): string =>
      `${fanningOut(levels, fields)}A${levels}: {type: integer, x-reference: {to: A0}}`;
    expect(await annotatedFieldsOf(schemas(10), "A0")).toHaveLength(1024);
    await expect(annotatedFieldsOf(schemas(60), "A0")).rejects.toThrow(RangeError);
  });
});

test("a field is found at the end of its names, in whatever its shape is made of", async () => {
  const api = await buildFixtureApi(
    withSchemas(`
Pet: {allOf: [{$ref: '#/components/schemas/Named'}, {properties: {home: {oneOf: [{$ref: '#/components/schemas/Home'}]}}}]}
Named: {anyOf: [{$ref: '#/components/schemas/Pet'}, {properties: {name: {type: string}}}]}
Home: {properties: {town: {type: integer}}}`),
  );
  const schema = schemaNamed(api, "Pet");
  const typesAt = (...names: readonly string[]) => findField(api, schema, names)?.types;
  expect([typesAt("name"), typesAt("home", "town"), typesAt("town"), typesAt("__proto__")]).toEqual([
    ["string"],
    ["integer"],
    undefined,
    undefined,
  ]);
  expect(findField(api, schema, [])).toBe(schema);
});

/** Returns the pointers of a schema's fields. */
async function annotatedFieldsOf(schemas: string, name = "Pet"): Promise<readonly string[]> {
  const api = await buildFixtureApi(withSchemas(schemas));
  return collectFields(api, { ref: name, types: [], origin: api.origin }).map(({ pointer }) =>
    pointer.map((token) => `/${token}`).join(""),
  );
}

function schemaNamed({ schemas }: Api, name: string): Api["schemas"][number]["schema"] {
  const found = schemas.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found.schema;
}

/** Schemas that refer to the next one in several ways each. */
function fanningOut(levels: number, keywords: string): string {
  return Array.from({ length: levels }, (_, level) => {
    const next = `{$ref: '#/components/schemas/A${level + 1}'}`;
    return `A${level}: {${keywords.replaceAll("NEXT", next)}}\n`;
  }).join("");
}
