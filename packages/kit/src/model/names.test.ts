import { describe, expect, test } from "vitest";
import { buildFixtureApi, buildDiagnostics, withPaths, withSchemas } from "../openapi/testing.js";
import {
  camelCase,
  distinctOperationTypeNames,
  isReservedWord,
  isReservedFunctionName,
  isReservedTypeName,
  pascalCase,
} from "./names.js";

test.each([
  ["createInstance", "createInstance", "CreateInstance"],
  ["create-instance", "createInstance", "CreateInstance"],
  ["create_instance", "createInstance", "CreateInstance"],
  ["instances/create", "instancesCreate", "InstancesCreate"],
  ["get /pets/{petId}", "getPetsPetId", "GetPetsPetId"],
  ["HTTPServer", "httpServer", "HTTPServer"],
  ["URL", "url", "URL"],
  ["getURL", "getURL", "GetURL"],
  ["X1", "x1", "X1"],
  ["v1.Pod", "v1Pod", "V1Pod"],
  ["$filter", "$filter", "$filter"],
  ["crème brûlée", "cremeBrulee", "CremeBrulee"],
  ["ﬁle", "file", "File"],
])("%s is %s in camel case and %s in Pascal case", (text, camel, pascal) => {
  expect([camelCase(text), pascalCase(text)]).toEqual([camel, pascal]);
});

test.each(["", "-", "3D", "宠物", "🐕"])("nothing can be made of %j", (text) => {
  expect([camelCase(text), pascalCase(text)]).toEqual([undefined, undefined]);
});

test("types of operations have names that no schema and no other operation has", () => {
  const schemas = new Set(["FooRequest", "FooArguments", "FooError", "BarRequest", "BazSuccess"]);
  const names = distinctOperationTypeNames(["foo", "fooApi", "bar", "baz"], (name) => schemas.has(name));
  expect(Object.fromEntries(names)).toEqual({
    foo: ["FooRequestType", "FooErrorType", "FooSuccess"],
    fooApi: ["FooApiRequest", "FooApiErrorType", "FooApiSuccess"],
    bar: ["BarArguments", "BarError", "BarSuccess"],
    baz: ["BazRequest", "BazError", "BazSuccessType"],
  });
});

test("words of the language, and names that generated code needs, are taken", () => {
  expect(["delete", "import", "deletePet"].map(isReservedWord)).toEqual([true, true, false]);
  expect(["delete", "call", "createClient", "deletePet"].map(isReservedFunctionName)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(["Record", "ApiError", "Client"].map(isReservedTypeName)).toEqual([true, true, false]);
});

const get = (id: string, more = ""): string =>
  `{get: {operationId: ${id}, ${more} responses: {'200': {description: ok}}}}`;

describe("operations", () => {
  const names = async (paths: string, chosen: Readonly<Record<string, string>> = {}) =>
    (await buildFixtureApi(withPaths(paths), chosen)).operations.map((operation) => operation.name);

  test("are called by their id, or by method and path", async () => {
    expect(await names(`/pets: ${get("list-pets")}\n/pets/{petId}: {delete: {responses: {}}}`)).toEqual([
      "listPets",
      "deletePetsPetId",
    ]);
  });

  test("are called as x-name says, and as the configuration says before all", async () => {
    const paths = `/a: ${get("list-a", "x-name: allA,")}\n/b: {get: {x-name: allB, responses: {}}}\n/c: ${get("toString")}`;
    expect(await names(paths)).toEqual(["allA", "allB", "toString"]);
    expect(await names(paths, { "list-a": "chosenA", "get /b": "chosenB" })).toEqual([
      "chosenA",
      "chosenB",
      "toString",
    ]);
    expect(await names(paths, { "openapi.yaml#/paths/~1b/get": "chosenB" })).toEqual(["allA", "chosenB", "toString"]);
  });

  test.each([
    [
      "a collision",
      `/a: ${get("list-pets")}\n/b: ${get("list_pets")}`,
      'openapi.yaml:5:8 names/collision The operation name "listPets" collides with "listPets" at openapi.yaml:4.',
    ],
    [
      "a collision but for case",
      `/a: ${get("listPets")}\n/b: ${get("listpets")}`,
      'openapi.yaml:5:8 names/collision The operation name "listpets" collides with "listPets" at openapi.yaml:4.',
    ],
    [
      "a word of the language",
      `/a: ${get("delete")}`,
      'openapi.yaml:4:8 names/reserved The operation name "delete" is taken by the language or by generated code.',
    ],
    [
      "a function of generated code",
      `/a: ${get("createClient")}`,
      'openapi.yaml:4:8 names/reserved The operation name "createClient" is taken by the language or by generated code.',
    ],
    [
      "nothing usable",
      `/a: ${get("'宠物'")}`,
      'openapi.yaml:4:8 names/unusable No operation name can be made of "宠物".',
    ],
    [
      "an x-name that is none",
      `/a: ${get("a", "x-name: 'a; b',")}`,
      'openapi.yaml:4:8 names/unusable No operation name can be made of "a; b".',
    ],
  ])("with %s are a problem", async (_, paths, diagnostic) => {
    expect(await buildDiagnostics(withPaths(paths))).toEqual([diagnostic]);
  });

  test("of one path item under two paths collide too", async () => {
    const texts = {
      "openapi.yaml": withPaths("/a: {$ref: item.yaml}\n/b: {$ref: item.yaml}"),
      "item.yaml": get("listPets"),
    };
    expect(await buildDiagnostics(texts)).toEqual([
      'item.yaml:1:2 names/collision The operation name "listPets" collides with "listPets" at item.yaml:1.',
    ]);
  });

  test("need the types of their requests and errors", async () => {
    const texts = (schema: string) =>
      withPaths(`/a: ${get("listPets")}`, `components: {schemas: {${schema}: {type: string}}}`);
    expect(await buildDiagnostics(texts("ListPetsRequest"))).toEqual([]);
    expect(await buildDiagnostics(texts("ListPetsError"))).toEqual([]);
    const both = "ListPetsRequest: {type: string}, ListPetsArguments";
    expect(await buildDiagnostics(texts(both))).toEqual([
      'openapi.yaml:5:57 names/collision The type name "ListPetsArguments" is needed for the request or the error of listPets.',
    ]);
    expect(await buildDiagnostics(texts("ListPetsReply"))).toEqual([]);
    expect(await buildDiagnostics(texts(both), { ListPetsArguments: "Wish" })).toEqual([]);
  });
});

describe("schemas", () => {
  const names = async (schemas: string, chosen: Readonly<Record<string, string>> = {}) =>
    (await buildFixtureApi(withSchemas(schemas), chosen)).schemas.map((schema) => schema.name);

  test("are called in Pascal case, as x-name says, or as the configuration says", async () => {
    const schemas = "simple-pet: {type: string}\nCat: {type: string, x-name: Felis}";
    expect(await names(schemas)).toEqual(["SimplePet", "Felis"]);
    expect(await names(schemas, { Cat: "Tom" })).toEqual(["SimplePet", "Tom"]);
  });

  test.each([
    [
      "a collision",
      "a_b: {}\na-b: {}",
      'openapi.yaml:7:5 names/collision The type name "AB" collides with "AB" at openapi.yaml:6.',
    ],
    [
      "a name that generated code needs",
      "credentials: {}",
      'openapi.yaml:6:5 names/reserved The type name "Credentials" is taken by the language or by generated code.',
    ],
    ["nothing usable", "'3D': {}", 'openapi.yaml:6:5 names/unusable No type name can be made of "3D".'],
    [
      "a long nothing",
      `'${"-".repeat(90)}': {}`,
      `openapi.yaml:6:5 names/unusable No type name can be made of "${"-".repeat(77)}…".`,
    ],
  ])("with %s are a problem", async (_, schemas, diagnostic) => {
    expect(await buildDiagnostics(withSchemas(schemas))).toEqual([diagnostic]);
  });

  test("in a file of their own are called like the file", async () => {
    const texts = {
      "openapi.yaml": withSchemas("Pet: {$ref: schemas/Pet.yaml}"),
      "schemas/Pet.yaml":
        "{type: object, properties: {tag: {$ref: ./pet-tag.yaml}, friend: {$ref: ./Pet.yaml}, self: {$ref: '#'}}}",
      "schemas/pet-tag.yaml": "{type: string}",
    };
    const { schemas } = await buildFixtureApi(texts);
    expect(schemas.map(({ name, schema }) => [name, schema.properties?.map((each) => each.schema.ref)])).toEqual([
      ["Pet", ["PetTag", "Pet", "Pet"]],
      ["PetTag", undefined],
    ]);
  });

  test("in files of the same name are distinguished by the configuration", async () => {
    const texts = {
      "openapi.yaml": withSchemas(
        "Pair: {type: object, properties: {a: {$ref: a/schema.yaml}, b: {$ref: b/schema.yaml}}}",
      ),
      "a/schema.yaml": "{type: string}",
      "b/schema.yaml": "{type: string}",
    };
    expect(await buildDiagnostics(texts)).toEqual([
      'b/schema.yaml:1:1 names/collision The type name "Schema" collides with "Schema" at a/schema.yaml:1.',
    ]);
    const { schemas } = await buildFixtureApi(texts, { "a/schema.yaml#": "First", "b/schema.yaml#": "Second" });
    expect(schemas.map((schema) => schema.name)).toEqual(["Pair", "First", "Second"]);
  });
});

test("all problems of a description are reported at once", async () => {
  expect(
    await buildDiagnostics(
      withPaths(`/a: ${get("delete")}\n/b: ${get("new")}`, "components: {schemas: {credentials: {}}}"),
    ),
  ).toHaveLength(3);
});
