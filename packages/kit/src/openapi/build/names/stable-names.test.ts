import { describe, expect, test } from "vitest";
import { buildForeignFixture, withPaths, withSchemas } from "../../testing.js";

const get = (id: string, more = ""): string =>
  `{get: {operationId: ${id}, ${more}responses: {'200': {description: ok}}}}`;

async function operationNames(paths: string, configured: Readonly<Record<string, string>> = {}) {
  const { api, warnings } = await buildForeignFixture(withPaths(paths), configured);
  return { names: api.operations.map(({ name }) => name), warnings };
}

async function schemaNames(schemas: string, configured: Readonly<Record<string, string>> = {}) {
  const { api, warnings } = await buildForeignFixture(withSchemas(schemas), configured);
  return { names: api.schemas.map(({ name }) => name), warnings };
}

describe("operations of a description that cannot be edited", () => {
  test.each([
    ["a word of the language", [get("delete"), get("get")], ["deleteOperation", "getOperation"]],
    ["a function of generated code", [get("createClient"), get("then")], ["createClientOperation", "thenOperation"]],
    [
      "a replacement that exists",
      [get("delete"), get("deleteOperation")],
      ["deleteOperation_619759", "deleteOperation"],
    ],
    ["no letter", [get("'宠物'"), get("'1foo'")], ["operation_82a3a5", "operation1foo"]],
    ["names but for signs", [get("fooBar"), get("Foo.bar")], ["fooBar", "fooBar_2963ed"]],
    ["no exact name", [get("foo-bar"), get("foo.bar")], ["fooBar_7d89c4", "fooBar_2595d0"]],
    ["names but for case", [get("listPets"), get("listpets")], ["listPets", "listpets"]],
    ["one operationId", [get("list"), get("list"), get("getA")], ["list_ea27e8", "getB", "getA"]],
    ["an unusable x-name", [get("a", "x-name: 'a; b', ")], ["a"]],
    ["a name that x-name takes", [get("a", "x-name: b, "), get("b")], ["b", "b_3e23e8"]],
  ])("with %s get names of their own", async (_, items, expected) => {
    const paths = items.map((item, index) => `/${"abc"[index]}: ${item}`);
    const { names, warnings } = await operationNames(paths.join("\n"));
    expect(names).toEqual(expected);
    const reversed = await operationNames(paths.toReversed().join("\n"));
    expect(reversed.names.toReversed()).toEqual(expected);
    expect(warnings.length).toBe(reversed.warnings.length);
  });

  test("that share an operationId with HEAD leave it to the other method", async () => {
    const operation = "{operationId: pets, responses: {'200': {description: ok}}}";
    expect((await operationNames(`/a: {head: ${operation}, get: ${operation}}`)).names).toEqual(["headPets", "pets"]);
  });

  test("are reported once, with the place and the way to choose", async () => {
    const { warnings } = await operationNames(`/a: ${get("delete")}\n/b: ${get("b")}\n/c: ${get("b")}`);
    expect(warnings).toEqual([
      'openapi.yaml:4:8 names/renamed This operation is called "deleteOperation": the language or generated code takes "delete". To choose another name, add "delete" under "names" in plumbline.yaml.',
      'openapi.yaml:5:8 names/renamed This operation is called "getB": "b" at openapi.yaml:6 would have the same name. To choose another name, add "get /b" under "names" in plumbline.yaml.',
      'openapi.yaml:6:8 names/renamed This operation is called "getC": "b" at openapi.yaml:5 would have the same name. To choose another name, add "get /c" under "names" in plumbline.yaml.',
    ]);
  });

  test("are called as the configuration says", async () => {
    const paths = `/a: ${get("delete")}\n/b: ${get("b")}\n/c: ${get("b")}`;
    const chosen = { delete: "remove", "get /b": "first", "openapi.yaml#/paths/~1c/get": "second" };
    expect(await operationNames(paths, chosen)).toEqual({ names: ["remove", "first", "second"], warnings: [] });
  });

  test.each([
    [{ a: "delete" }, "names/reserved"],
    [{ a: "a b" }, "names/unusable"],
    [{ a: "c", b: "c" }, "names/collision"],
  ])("are rejected for a wrong configuration %j", async (chosen, code) => {
    await expect(operationNames(`/a: ${get("a")}\n/b: ${get("b")}`, chosen)).rejects.toMatchObject({
      diagnostics: expect.arrayContaining([expect.objectContaining({ code, severity: "error" })]) as unknown,
    });
  });
});

describe("schemas of a description that cannot be edited", () => {
  test.each([
    ["a type of generated code", ["Record: {}", "Scope: {}"], ["RecordSchema", "ScopeSchema"]],
    ["a type of the library", ["Promise: {}"], ["Promise"]],
    ["no letter", ["1Foo: {}", "日本: {}"], ["Schema1Foo", "Schema_cf2abf"]],
    [
      "names but for case",
      ["nullTime: {}", "NullTime: {}", "Nulltime: {}"],
      ["NullTime_641f8b", "NullTime", "Nulltime"],
    ],
  ])("with %s get names of their own", async (_, schemas, expected) => {
    expect((await schemaNames(schemas.join("\n"))).names).toEqual(expected);
    expect((await schemaNames(schemas.toReversed().join("\n"))).names.toReversed()).toEqual(expected);
  });

  test("of one name in several files leave it to the one of the root file", async () => {
    const { api } = await buildForeignFixture({
      "openapi.yaml": withSchemas("Other: {$ref: 'b.yaml#/Pet'}\nPet: {type: string}"),
      "b.yaml": "Pet: {type: integer}",
    });
    expect(api.schemas.map(({ name, schema }) => [name, schema.types[0]])).toEqual([
      ["Other", undefined],
      [expect.stringMatching(/^Pet_[0-9a-f]{6}$/), "integer"],
      ["Pet", "string"],
    ]);
  });

  test("refer to the names that are chosen last", async () => {
    const { api } = await buildForeignFixture(withSchemas("a_b: {}\nAB: {items: {$ref: '#/components/schemas/a_b'}}"));
    const [first, second] = api.schemas;
    expect([second?.name, second?.schema.items?.ref]).toEqual(["AB", first?.name]);
  });

  test("have variants whose names no schema has", async () => {
    const { api, warnings } = await buildForeignFixture(`openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets:
    post:
      operationId: create
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
components:
  schemas:
    Pet: {type: object, properties: {id: {type: string, readOnly: true}}}
    PetCreate: {type: string}
`);
    expect(api.schemas.map(({ name }) => name)).toEqual(["Pet", "PetCreateVariant", "PetCreate"]);
    expect(warnings).toEqual([
      'openapi.yaml:11:5 names/renamed The request variant of this schema is called "PetCreateVariant": there is a schema "PetCreate". To choose another name, add one of the two schemas under "names" in plumbline.yaml.',
    ]);
  });
});
