import { describe, expect, test } from "vitest";
import { buildFixtureApi, buildDiagnostics, withPaths } from "../../openapi/testing.js";
import type { Api, NamedSchema, Schema } from "../api.js";

const pet = `Pet:
  type: object
  required: [id, name, secret]
  properties:
    id: {type: integer, readOnly: true}
    name: {type: string}
    secret: {type: string, writeOnly: true}
    region: {type: string, x-mutability: {rule: immutable}}
`;

test("a response has what is not write-only, a create what is not read-only, an update what may change besides", async () => {
  expect(summary(await carried(pet))).toEqual({
    Pet: ["id!", "name!", "region"],
    "PetCreate: create of Pet": ["name!", "secret!", "region"],
    "PetUpdate: update of Pet": ["name!", "secret!"],
  });
});

test("bodies and responses name the variant that they carry", async () => {
  const { operations } = await carried(pet);
  expect(
    operations.map(({ name, requestBody, responses }) => [
      name,
      requestBody?.contents[0]?.schema.ref,
      responses[0]?.contents[0]?.schema.ref,
    ]),
  ).toEqual([
    ["create", "PetCreate", "Pet"],
    ["replace", "PetUpdate", "Pet"],
    ["change", "PetUpdate", "Pet"],
  ]);
});

test("a schema without such fields has one form", async () => {
  expect(summary(await carried("Pet: {type: object, properties: {name: {type: string}}}"))).toEqual({ Pet: ["name"] });
});

describe("a schema that only requests carry", () => {
  const send = (method: string): string =>
    `${method}: {operationId: ${method}, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}, responses: {}}`;

  test.each([
    ["post", ["name!", "secret!", "region"]],
    ["put", ["name!", "secret!"]],
  ])("has the form of a %s under its own name", async (method, fields) => {
    expect(summary(await buildFixtureApi(withPaths(`/pets:\n  ${send(method)}`, components(pet))))).toEqual({
      Pet: fields,
    });
  });

  test("has another form where an update carries less than a create", async () => {
    expect(
      summary(await buildFixtureApi(withPaths(`/pets:\n  ${send("post")}\n  ${send("put")}`, components(pet)))),
    ).toEqual({
      Pet: ["name!", "secret!", "region"],
      "PetUpdate: update of Pet": ["name!", "secret!"],
    });
  });
});

test("an unused variant is not created", async () => {
  const api = await buildFixtureApi(
    withPaths(
      "/pets: {get: {operationId: read, responses: {'200': {$ref: '#/components/responses/Pet'}}}}",
      components(pet),
    ),
  );
  expect(summary(api)).toEqual({ Pet: ["id!", "name!", "region"] });
});

test("a body that stands in the operation has its variant too", async () => {
  const { operations } = await buildFixtureApi(
    withPaths(
      "/pets: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {id: {readOnly: true}, name: {}}}}}}, responses: {}}}",
    ),
  );
  expect(operations[0]?.requestBody?.contents[0]?.schema.properties?.map((property) => property.name)).toEqual([
    "name",
  ]);
});

describe("forms reach", () => {
  test("through references and lists", async () => {
    const api =
      await carried(`Pet: {type: object, properties: {friends: {type: array, items: {$ref: '#/components/schemas/Friend'}}}}
Friend: {type: object, properties: {id: {type: integer, readOnly: true}, since: {type: string}}}`);
    expect(summary(api)).toEqual({
      Pet: ["friends"],
      "PetCreate: create of Pet": ["friends"],
      "PetUpdate: update of Pet": ["friends"],
      Friend: ["id", "since"],
      "FriendCreate: create of Friend": ["since"],
      "FriendUpdate: update of Friend": ["since"],
    });
    expect(schemaOf(api, "PetCreate").properties?.[0]?.schema.items?.ref).toBe("FriendCreate");
  });

  test("through circles", async () => {
    const api = await carried(`Pet: {type: object, properties: {friend: {$ref: '#/components/schemas/Friend'}}}
Friend: {type: object, properties: {id: {readOnly: true}, pet: {$ref: '#/components/schemas/Pet'}}}`);
    expect(schemaOf(api, "PetCreate").properties?.[0]?.schema.ref).toBe("FriendCreate");
    expect(schemaOf(api, "FriendCreate").properties?.map(({ name, schema: { ref } }) => [name, ref])).toEqual([
      ["pet", "PetCreate"],
    ]);
  });

  test("through the branches of a union and its discriminator", async () => {
    const api =
      await carried(`Pet: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind}}
Cat: {type: object, properties: {id: {readOnly: true}, kind: {type: string}}}
Dog: {type: object, properties: {kind: {type: string}}}`);
    expect(schemaOf(api, "PetCreate").oneOf?.map((branch) => branch.ref)).toEqual(["CatCreate", "Dog"]);
    expect(schemaOf(api, "PetCreate").discriminator?.mapping).toEqual([
      { value: "Cat", schema: "CatCreate" },
      { value: "Dog", schema: "Dog" },
    ]);
  });

  test("what allOf requires elsewhere", async () => {
    const api = await carried(`Base: {type: object, properties: {id: {readOnly: true}, name: {}}}
Pet: {allOf: [{$ref: '#/components/schemas/Base'}, {required: [id, name]}], required: [id], properties: {items: {type: array, items: {required: [id]}}}}`);
    const create = schemaOf(api, "PetCreate");
    expect(create.allOf?.map(({ ref, required }) => ({ ref, required }))).toEqual([
      { ref: "BaseCreate", required: undefined },
      { ref: undefined, required: ["name"] },
    ]);
    expect(create.required).toEqual([]);
    expect(create.properties?.[0]?.schema.items?.required).toEqual(["id"]); // a property of another object
    expect(schemaOf(api, "Pet").allOf?.[1]?.required).toEqual(["id", "name"]);
  });

  test("a field that one branch of allOf makes read-only and another describes", async () => {
    const api = await carried(
      "Pet: {allOf: [{type: object, properties: {id: {type: integer}, name: {}}}], properties: {id: {readOnly: true}}}",
    );
    expect(schemaOf(api, "PetCreate").allOf?.[0]?.properties?.map(({ name }) => name)).toEqual(["name"]);
    expect(schemaOf(api, "PetCreate").properties).toEqual([]);
  });

  test("a field that is read-only where it is defined", async () => {
    expect(
      summary(
        await carried(
          "Pet: {type: object, properties: {id: {$ref: '#/components/schemas/Id'}, name: {}}}\nId: {type: integer, readOnly: true}",
        ),
      ),
    ).toMatchObject({
      Pet: ["id", "name"],
      "PetCreate: create of Pet": ["name"],
    });
  });
});

test("a variant whose name is taken is a diagnostic", async () => {
  expect(await buildDiagnostics(withPaths(paths, components(`${pet}PetCreate: {type: string}\n`)))).toEqual([
    'openapi.yaml:12:5 names/collision The request variant of this schema would be called "PetCreate", and there is such a schema.',
  ]);
});

const response = "responses: {'200': {$ref: '#/components/responses/Pet'}}";
const body = "requestBody: {$ref: '#/components/requestBodies/Pet'}";
const paths = `/pets:
  post: {operationId: create, ${body}, ${response}}
  put: {operationId: replace, ${body}, ${response}}
  patch: {operationId: change, ${body}, ${response}}`;

function components(schemas: string): string {
  const content = "content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}";
  return `components:
  responses: {Pet: {description: ok, ${content}}}
  requestBodies: {Pet: {${content}}}
  schemas:
${schemas.replaceAll(/^(?=.)/gm, "    ")}`;
}

/** The model of an API whose requests and responses use `Pet` in every variant. */
async function carried(schemas: string): Promise<Api> {
  return buildFixtureApi(withPaths(paths, components(schemas)));
}

/** The properties of each named schema. `!` marks required ones. */
function summary(api: Api): Readonly<Record<string, readonly string[] | undefined>> {
  const title = ({ name, variantOf }: NamedSchema): string =>
    variantOf === undefined ? name : `${name}: ${variantOf.variant} of ${variantOf.name}`;
  const fields = (each: Schema) => each.properties?.map(({ name, required }) => `${name}${required ? "!" : ""}`);
  return Object.fromEntries(api.schemas.map((each) => [title(each), fields(each.schema)] as const));
}

function schemaOf(api: Api, name: string): Schema {
  const found = api.schemas.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found.schema;
}
