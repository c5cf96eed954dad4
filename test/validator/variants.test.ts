import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { expect, it } from "vitest";
import { compileNamed } from "../support/suite.js";

const secret = "secret: {type: string, writeOnly: true}";
const id = "id: {type: string, readOnly: true}";
const at = (name: string): string => `{$ref: '#/components/schemas/${name}'}`;
const sent = { name: "Rex", secret: "s" };
const shown = { name: "Rex", id: "1" };

/** What `Pet` and what it refers to are, with requests and responses that are valid. */
const cases: Readonly<
  Record<
    string,
    { readonly schemas: string; readonly requests?: readonly object[]; readonly responses?: readonly object[] }
  >
> = {
  "properties in a branch of allOf": {
    schemas: `Pet: {required: [id, name, secret], allOf: [{type: object, properties: {${id}, name: {type: string}, ${secret}}}]}`,
  },
  "properties behind a reference": {
    schemas: `Pet: {type: object, required: [id, name, secret], allOf: [${at("Part")}]}
Part: {type: object, properties: {${id}, name: {type: string}, ${secret}}}`,
  },
  "properties behind two references, in nested allOf": {
    schemas: `Pet: {allOf: [{required: [id, secret]}, {allOf: [${at("Middle")}]}]}
Middle: ${at("Part")}
Part: {allOf: [{type: object, properties: {${id}, ${secret}}}]}`,
  },
  "a named schema that requires what another one marks": {
    schemas: `Pet: {allOf: [${at("Base")}, {properties: {${id}, ${secret}}}]}
Base: {type: object, required: [id, name, secret], properties: {id: {type: string}, name: {type: string}, secret: {type: string}}}`,
  },
  "a reference with siblings": {
    schemas: `Pet: {$ref: '#/components/schemas/Base', properties: {${id}, ${secret}}}
Base: {type: object, required: [id, secret], properties: {secret: {type: string}}}`,
  },
  "the mark in the schema of the property": {
    schemas: `Pet: {type: object, required: [id, secret], properties: {id: {allOf: [${at("Id")}]}, secret: {allOf: [{allOf: [${at("Secret")}]}]}}}
Id: {type: string, readOnly: true}
Secret: {type: string, writeOnly: true}`,
  },
  "properties in branches of oneOf": {
    schemas: `Pet: {type: object, required: [id, secret], oneOf: [{properties: {${id}, ${secret}, kind: {const: a}}}, {properties: {${id}, ${secret}, kind: {const: b}}, required: [kind]}]}`,
    requests: [{ kind: "b", secret: "s" }],
    responses: [{ kind: "b", id: "1" }],
  },
  "properties in branches of anyOf, required beside it": {
    schemas: `Pet: {allOf: [{required: [id, secret]}, {anyOf: [${at("Part")}, {required: [other]}]}]}
Part: {type: object, properties: {${id}, ${secret}}}`,
  },
  "branches of oneOf that only differ in what they require": {
    schemas: `Pet: {type: object, properties: {${id}, ${secret}, token: {type: string}}, oneOf: [{required: [secret]}, {required: [token]}]}`,
    responses: [{}, { token: "t" }],
    requests: [{ secret: "s" }, { token: "t" }],
  },
  "named branches of oneOf that only differ in what they require": {
    schemas: `Pet: {oneOf: [${at("BySecret")}, ${at("ByToken")}]}
BySecret: {type: object, required: [secret], properties: {${secret}}}
ByToken: {type: object, required: [token], properties: {token: {type: string}}}`,
    responses: [{}, { token: "t" }],
    requests: [{ secret: "s" }, { token: "t" }],
  },
  "branches with a discriminator": {
    schemas: `Pet: {oneOf: [${at("Cat")}, ${at("Dog")}], discriminator: {propertyName: kind}}
Base: {type: object, properties: {${id}, ${secret}}}
Cat: {allOf: [${at("Base")}, {type: object, required: [kind, id, secret], properties: {kind: {const: Cat}}}]}
Dog: {required: [kind, id, secret], allOf: [${at("Base")}], properties: {kind: {const: Dog}}}`,
    requests: [
      { kind: "Cat", secret: "s" },
      { kind: "Dog", secret: "s" },
    ],
    responses: [
      { kind: "Cat", id: "1" },
      { kind: "Dog", id: "1" },
    ],
  },
  "a parent with a discriminator": {
    schemas: `Pet: {type: object, required: [kind, id, secret], properties: {kind: {type: string}, ${id}, ${secret}}, discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat'}}}
Cat: {required: [secret, id], allOf: [${at("Pet")}, {type: object, properties: {lives: {type: integer}}}]}`,
    requests: [{ kind: "cat", secret: "s" }],
    responses: [{ kind: "cat", id: "1" }],
  },
  "items of arrays": {
    schemas: `Pet: {type: object, properties: {list: {type: array, items: ${at("Item")}}, map: {additionalProperties: ${at("Item")}}}}
Item: {required: [id, secret], allOf: [${at("Part")}]}
Part: {type: object, properties: {${id}, ${secret}}}`,
    requests: [{ list: [{ secret: "s" }], map: { a: { secret: "s" } } }],
    responses: [{ list: [{ id: "1" }], map: { a: { id: "1" } } }],
  },
  conditions: {
    schemas: `Pet: {type: object, properties: {${id}, ${secret}, name: {type: string}}, if: {required: [name]}, then: {required: [id, secret]}, dependentRequired: {name: [id, secret]}, dependentSchemas: {name: {required: [id, secret]}}}`,
  },
  "a schema that excludes both": {
    schemas: `Pet: {type: object, properties: {${secret}, name: {type: string}}, not: {required: [name, secret]}}`,
    requests: [{ name: "Rex" }, { secret: "s" }],
    responses: [{ name: "Rex" }],
  },
  "a schema that contains itself": {
    schemas: `Pet: {type: object, properties: {${id}, ${secret}, child: ${at("Pet")}}, allOf: [${at("Required")}]}
Required: {required: [id, secret], properties: {child: ${at("Pet")}}}`,
    requests: [{ secret: "s", child: { secret: "s" } }],
    responses: [{ id: "1", child: { id: "1" } }],
  },
  "a schema that contains itself with another property that is marked": {
    schemas: `Pet: {type: object, required: [name], properties: {name: {type: string}, child: {$ref: '#/components/schemas/Pet', properties: {name: {type: string, writeOnly: true}}}}}`,
    requests: [{ name: "Rex", child: { name: "Rex" } }],
    responses: [{ name: "Rex", child: {} }],
  },
  "schemas that refer to each other": {
    schemas: `Pet: {oneOf: [{type: object, properties: {${id}, ${secret}}}], allOf: [${at("Loop")}]}
Loop: {required: [id, secret], anyOf: [{properties: {child: ${at("Pet")}}}]}`,
  },
};

const content = `content: {application/json: {schema: ${at("Pet")}}}`;

it.each(Object.entries(cases))("a request and a response require what they have: %s", async (_, each) => {
  const { schemas, requests = [sent], responses = [shown] } = each;
  const api = await buildFixtureApi(
    withPaths(
      `/pets: {post: {operationId: add, requestBody: {${content}}, responses: {'200': {description: ok, ${content}}}}}`,
      `components:\n  schemas:\n${schemas.replaceAll(/^/gm, "    ")}\n`,
    ),
  );
  const [operation] = api.operations;
  const request = operation?.requestBody?.contents[0]?.schema.ref ?? "";
  const response = operation?.responses[0]?.contents[0]?.schema.ref ?? "";
  const validators = await compileNamed(api, [...new Set([request, response])]);
  const issuesOf = (name: string, value: object) => validators.get(name)?.(value);
  expect(requests.map((value) => issuesOf(request, value))).toEqual(requests.map(() => []));
  expect(responses.map((value) => issuesOf(response, value))).toEqual(responses.map(() => []));
});

it("a request and a response require what they have in all parts of a schema", async () => {
  const api = await buildFixtureApi(
    withPaths(
      `/pets: {post: {operationId: add, requestBody: {${content}}, responses: {'200': {description: ok, ${content}}}}}`,
      `components:\n  schemas:\n    Pet: {allOf: [${at("Base")}, {required: [name, secret, id], properties: {${id}, ${secret}}}]}\n    Base: {type: object, properties: {name: {type: string}}}\n`,
    ),
  );
  const validators = await compileNamed(api, ["Pet", "PetCreate"]);
  expect(validators.get("Pet")?.({ name: "Rex" })).toEqual(["required"]);
  expect(validators.get("PetCreate")?.({ name: "Rex" })).toEqual(["required"]);
  expect(validators.get("PetCreate")?.({ secret: "s" })).toEqual(["required"]);
});
