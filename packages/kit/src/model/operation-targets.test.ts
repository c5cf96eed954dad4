import { expect, test } from "vitest";
import { buildFixtureApi, withPaths } from "../openapi/testing.js";
import { singletonResources, findTarget } from "./operation-targets.js";

const responses = "responses: {'200': {description: ok}}";
const id = (name: string, to: string): string =>
  `{name: ${name}, in: path, required: true, schema: {type: integer}, x-reference: {to: ${to}}}`;

const paths = `/homes: {get: {operationId: listHomes, ${responses}}}
/homes/{homeId}/pets/{petId}:
  parameters: [${id("homeId", "Home")}, ${id("petId", "Pet")}]
  get: {operationId: getPet, ${responses}}
/me: {get: {operationId: getMe, ${responses}}}
/me/name: {put: {operationId: rename, ${responses}}}
/me/card: {get: {operationId: getCard, ${responses}}}
/me/card/pin: {put: {operationId: setPin, ${responses}}}
/meadow: {get: {operationId: getMeadow, ${responses}}}
/news: {get: {operationId: getNews, ${responses}}}
`;
const components = `components:
  pathItems: {data: {put: {operationId: putData, ${responses}}, post: {operationId: postData, ${responses}}}}
  schemas:
    Home: {type: object, x-resource: {owner: [user], list: listHomes}}
    Pet: {type: object, x-resource: {parent: Home, read: getPet}, x-state-machine: {states: [a, b], initial: [], transitions: [{event: putData, from: [a], to: b}]}}
    Me: {type: object, x-resource: {owner: [user], read: getMe}}
    Card: {type: object, x-resource: {owner: [user], read: getCard}}
    News: {type: object, x-resource: {owner: [platform], read: getNews}}
`;

test("an operation is about the last resource that its path names, or what each caller has one of, or what it moves", async () => {
  const api = await buildFixtureApi(withPaths(paths, components));
  const targets = [...api.operations, ...api.operationsWithoutPath].map(
    (each) => [each.name, findTarget(api, each)] as const,
  );
  expect(Object.fromEntries(targets)).toEqual({
    listHomes: undefined,
    getPet: { resource: "Pet", parameter: "petId" },
    getMe: { resource: "Me" },
    rename: { resource: "Me" },
    getCard: { resource: "Card" },
    setPin: { resource: "Card" },
    getMeadow: undefined,
    getNews: undefined,
    putData: { resource: "Pet" },
    postData: undefined,
  });
});

test("a caller has one of what is read without an id, and is neither listed nor everybody's", async () => {
  const api = await buildFixtureApi(withPaths(paths, components));
  expect(singletonResources(api)).toEqual([
    { resource: "Me", path: "/me" },
    { resource: "Card", path: "/me/card" },
  ]);
});
