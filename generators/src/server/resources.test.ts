import { collectReferences, storedResources } from "@plumbline/kit/model";
import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { artifact, emittedDiagnostics, statementsOf } from "./generate-server.support.js";
import { emitResources } from "./resources.js";

const ok = "responses: {'200': {description: ok}}";
const schemas = `
    Home: {type: object, x-resource: {owner: [account], grants: home, list: listHomes, public: {properties: {open: {const: true}}}}}
    Pet: {type: object, x-resource: {parent: Home}, properties: {id: {type: integer}}}
    Profile: {type: object, x-resource: {owner: [user], read: getProfile}}
`;
const homeId =
  "{name: homeId, in: path, required: true, schema: {type: integer}, x-reference: {to: Home, onNotFound: no-home}}";
const body = (fields: string): string =>
  `requestBody: {content: {application/json: {schema: {type: object, properties: {${fields}}}}}}`;

test("resources are whose they are, and operations name what they name", async () => {
  const pets = `type: array, items: {type: integer, x-reference: {to: Pet, of: $request.path.homeId, onNotFound: no-pet, onConstraintViolation: too-old, where: {properties: {age: {maximum: 9}}}}}`;
  const api = await buildFixtureApi(
    withPaths(
      `/homes: {get: {operationId: listHomes, ${ok}}}
/homes/{homeId}: {parameters: [${homeId}], put: {operationId: fill, ${body(`pets: {${pets}}, tag: {type: string, x-reference: {to: Pet, onNotFound: create}}, other: {x-reference: {to: Nothing}}`)}, ${ok}}}
/profile:
  get: {operationId: getProfile, ${ok}}
  put: {operationId: setProfile, ${body("name: {type: string}")}, x-errors: [{id: same, status: 400, when: {changes: [name]}}], ${ok}}
`,
      `components:\n  schemas:${schemas}`,
    ),
  );
  expect(await statementsOf(emitResources(api, artifact))).toMatchInlineSnapshot(`
    "function checkPublicHome(value: unknown, issues: Issues): void {
      if (isObject(value)) {
        const openValue = value["open"];
        if (openValue !== undefined && openValue !== true) addIssueAt(issues, "open", "const", true);
      }
    }

    function checkFillPetsWhere(value: unknown, issues: Issues): void {
      if (isObject(value)) {
        const ageValue = value["age"];
        if (ageValue !== undefined && typeof ageValue === "number" && Number.isFinite(ageValue) && ageValue > 9)
          addIssueAt(issues, "age", "range", undefined, 9);
      }
    }

    /** The owners and the parent of each resource. */
    export const resources: Readonly<Record<string, Resource>> = {
      Home: { owner: ["account"], grants: "home", public: checkPublicHome },
      Pet: { owner: ["account"], parent: "Home" },
      Profile: { owner: ["user"] },
    };

    /** The objects that each operation refers to, and its target. */
    export const operationResources: Readonly<Record<string, OperationResources>> = {
      listHomes: { path: [], body: [], list: "Home" },
      fill: {
        path: [{ parameter: "homeId", to: "Home", by: "id", onNotFound: "no-home" }],
        body: [
          {
            pointer: ["pets", "*"],
            name: "pets",
            to: "Pet",
            by: "id",
            of: "homeId",
            onNotFound: "no-pet",
            where: checkFillPetsWhere,
            onConstraintViolation: "too-old",
          },
        ],
        target: { resource: "Home", parameter: "homeId" },
      },
      setProfile: { path: [], body: [], target: { resource: "Profile" } },
    };"
  `);
  expect(storedResources(api)).toEqual([
    { name: "Home", by: ["id"], isOwned: false },
    { name: "Pet", by: ["id"], isOwned: false },
    { name: "Profile", by: [], isOwned: true },
  ]);
});

test("a path names an object below the one that it names before", async () => {
  const pet = (name: string): string =>
    `{name: ${name}, in: path, required: true, schema: {type: integer}, x-reference: {to: Pet, onNotFound: no-pet}}`;
  const read = `get: {operationId: read, parameters: [${homeId}, ${pet("pet")}], ${ok}}`;
  const readOther = `get: {operationId: readOther, parameters: [${pet("first")}, ${pet("second")}], ${ok}}`;
  const api = await buildFixtureApi(
    withPaths(
      `/homes/{homeId}/pets/{pet}: {${read}}\n/pets/{first}/{second}: {${readOther}}`,
      `components:\n  schemas:${schemas}`,
    ),
  );
  const text = await statementsOf(emitResources(api, artifact));
  expect(text).toContain('{ parameter: "pet", to: "Pet", by: "id", of: "homeId", onNotFound: "no-pet" }');
  expect(text).toContain('{ parameter: "second", to: "Pet", by: "id", onNotFound: "no-pet" }');
});

describe("fields of a body that name resources", () => {
  test("have names of their own, though several lead to one text", async () => {
    const to = (resource: string): string => `{type: integer, x-reference: {to: ${resource}}}`;
    const fields = `pet: {oneOf: [${to("Pet")}, ${to("Pet")}, ${to("Home")}, {type: array, items: ${to("Pet")}}]}, a.b: ${to("Pet")}, a: {properties: {b: ${to("Pet")}}}`;
    const api = await buildFixtureApi(
      withPaths(`/pets: {post: {operationId: createPet, ${body(fields)}, ${ok}}}`, `components:\n  schemas:${schemas}`),
    );
    const [operation] = api.operations;
    const named = operation && collectReferences(api, operation).body;
    expect(named?.map(({ name, reference }) => `${name} is a ${reference.to}`)).toEqual([
      "pet is a Pet",
      '["pet"] is a Home',
      "pet.* is a Pet",
      "a.b is a Pet",
      '["a","b"] is a Pet',
    ]);
  });

  test.each(["$request.path.other", "$request.query.homeId", "$caller.home"])(
    "lie within what the path names, and not in %s",
    async (of) => {
      const fields = `pet: {type: integer, x-reference: {to: Pet, of: ${of}}}`;
      const api = await buildFixtureApi(
        withPaths(
          `/homes/{homeId}: {parameters: [${homeId}], put: {operationId: fill, ${body(fields)}, ${ok}}}`,
          `components:\n  schemas:${schemas}`,
        ),
      );
      expect(emittedDiagnostics(() => emitResources(api, artifact))).toEqual([
        `references/of ${of} names no object that the path of fill names.`,
      ]);
    },
  );
});

test("a resource without an id is known by what its path names", async () => {
  const code = "{name: code, in: path, required: true, schema: {type: string}, x-reference: {to: Garage, by: code}}";
  const id = "{name: id, in: path, required: true, schema: {type: integer}, x-reference: {to: Ticket}}";
  const api = await buildFixtureApi(
    withPaths(
      `/garages/{code}/tickets/{id}: {parameters: [${code}, ${id}], get: {operationId: getTicket, ${ok}}}`,
      `components:
  schemas:
    Garage: {type: object, x-resource: {owner: [account]}, properties: {code: {type: string}}}
    Ticket: {type: object, x-resource: {parent: Garage}, properties: {id: {type: integer}}}
`,
    ),
  );
  const text = await statementsOf(emitResources(api, artifact));
  expect(text).toContain('Garage: { owner: ["account"], key: "code" }');
  expect(text).toContain('Ticket: { owner: ["account"], parent: "Garage" }');
  expect(storedResources(api).map(({ name, by }) => [name, by])).toEqual([
    ["Garage", ["code"]],
    ["Ticket", ["id"]],
  ]);
});
