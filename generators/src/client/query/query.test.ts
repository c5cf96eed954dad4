import { withPaths } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { functionBody, generateClient, typeErrors } from "../generate-client.support.js";

const responds = (schema: string): string =>
  `responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/${schema}'}}}}}`;
const id = "parameters: [{name: id, in: path, required: true, x-reference: {to: Pet}, schema: {type: integer}}]";

const zoo = withPaths(
  `/pets:
  get: {operationId: listPets, ${responds("Pets")}}
  post: {operationId: createPet, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}, ${responds("Pet")}}
/pets/{id}:
  get: {operationId: getPet, ${id}, ${responds("Pet")}}
  delete: {operationId: deletePet, ${id}, responses: {'204': {description: gone}}}
/pets/{id}/toys:
  get: {operationId: listToys, ${id}, ${responds("Toys")}}
/pets/{id}/photo:
  get: {operationId: getPhoto, ${id}, responses: {'204': {description: none}, '200': {description: ok, content: {application/json: {schema: {type: string}}}}}}
/news:
  get: {operationId: readNews, responses: {'200': {description: ok, content: {text/event-stream: {itemSchema: {type: string}}}}}}
/close:
  post: {operationId: closeZoo, tags: [zoo], responses: {'204': {description: closed}}}
/hours:
  get: {operationId: getHours, tags: [zoo], responses: {'200': {description: ok, content: {application/json: {schema: {type: string}}}}}}
`,
  `security: []
components:
  schemas:
    Pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}
    Toys: {type: array, items: {$ref: '#/components/schemas/Toy'}}
    Pet:
      type: object
      required: [id]
      properties: {id: {type: integer, readOnly: true}}
      x-resource: {owner: [user], list: listPets, read: getPet, delete: deletePet}
    Toy:
      type: object
      properties: {name: {type: string}}
      x-resource: {parent: Pet, list: listToys}
`,
);

async function queriesOf(text: string): Promise<string> {
  return functionBody(await generateClient(text), "query.ts").replaceAll(/\s+/g, " ");
}

describe("queries", () => {
  test("are about the resource that they read, or else about the tag", async () => {
    const text = await queriesOf(zoo);
    expect(
      [...text.matchAll(/\["@pets\/client", "(\w+)", "(\w+)"\]/g)].map(([, about, name]) => `${name}: ${about}`),
    ).toEqual(["listPets: Pet", "getPet: Pet", "listToys: Toy", "getPhoto: Pet", "getHours: zoo"]);
  });

  test("do not load streams", async () => {
    expect(await queriesOf(zoo)).not.toContain("readNews");
  });
});

describe("mutations", () => {
  test("invalidate what the resources say, or else the queries of their tag", async () => {
    const text = await queriesOf(zoo);
    expect(
      [...text.matchAll(/"(\w+)"\], (\[[^\]]*\]), client, options/g)].map(([, name, all]) => `${name}: ${all}`),
    ).toEqual(['createPet: ["Pet"]', 'deletePet: ["Pet", "Toy"]', 'closeZoo: ["zoo"]']);
  });

  test("invalidate what an effect or a transition changes, and what shows it", async () => {
    const changed = zoo
      .replace(
        "operationId: closeZoo,",
        "operationId: closeZoo, x-effects: [{id: toys-gone, does: delete, to: Toy, values: {}}],",
      )
      .replace(
        "properties: {id: {type: integer, readOnly: true}}",
        "properties: {id: {type: integer, readOnly: true}, toys: {type: array, items: {$ref: '#/components/schemas/Toy'}}}",
      );
    expect(await queriesOf(changed)).toContain('["@pets/client", "closeZoo"], ["Pet", "Toy"]');
  });
});

test("the functions have the types of the operations", async () => {
  const use = `
import { createClient, type Pet } from "./index.js";
import { closeZooMutation, createPetMutation, deletePetMutation, getPhotoQuery, listPetsQuery } from "./gen/query.js";
const client = createClient({ baseUrl: "http://127.0.0.1" });
export const pets: Promise<readonly Pet[]> = listPetsQuery(client).queryFn({});
export const photo: Promise<string | null> = getPhotoQuery(client, { path: { id: 5 } }).queryFn({});
void closeZooMutation(client).mutationFn();
void createPetMutation(client).mutationFn({ body: {} });
// @ts-expect-error it needs the path
getPhotoQuery(client);
// @ts-expect-error it needs the path
void deletePetMutation(client).mutationFn();
`;
  expect(typeErrors(await generateClient(zoo), use)).toEqual([]);
});

test("two functions of one name get different ones", async () => {
  const files = await generateClient(
    withPaths(
      `/a:
  get: {operationId: list, parameters: [{name: page, in: query, schema: {type: integer}}, {name: size, in: query, schema: {type: integer}}], ${responds("Page")}}
/b:
  get: {operationId: listInfinite, ${responds("Page")}}
`,
      `security: []
x-lists: {pages: {page: page, size: size, envelope: {items: data, page: page, pages: pages, total: total}}}
components: {schemas: {Page: {type: object, required: [data, pages], properties: {data: {type: array, items: {type: string}}, pages: {type: integer}}}}}
`,
    ),
  );
  const names = [...functionBody(files, "query.ts").matchAll(/export function (\w+)/g)].map(([, name]) => name);
  expect(names).toEqual(["listQuery", "listInfiniteQuery", "listInfiniteQueryOptions"]);
  expect(typeErrors(files)).toEqual([]);
});
