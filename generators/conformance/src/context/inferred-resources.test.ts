import { expect, test } from "vitest";
import { withPaths } from "@plumbline/openapi/testing";
import { operationInfos } from "../requests/operation-info.js";
import { planRequest } from "../requests/request-plan.js";
import { fixturesOf } from "../requests/fixtures.js";
import { contextFromText } from "./fixture-context.support.js";

const pet = "{type: object, required: [petId], properties: {petId: {type: integer}, name: {type: string}}}";
const answers = (schema: string): string =>
  `responses: {'200': {description: ok, content: {application/json: {schema: ${schema}}}}}`;
const pets = withPaths(`/pets:
  get: {operationId: listPets, ${answers(`{type: object, properties: {data: {type: array, items: ${pet}}}}`)}}
  post:
    operationId: addPet
    requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}}
    ${answers(pet)}
/pets/{petId}:
  parameters: [{name: petId, in: path, required: true, schema: {type: integer}}]
  get: {operationId: readPet, ${answers(pet)}}
  delete: {operationId: removePet, responses: {'204': {description: gone}}}
/breeds:
  get: {operationId: listBreeds, ${answers("{type: array, items: {type: object, properties: {name: {type: string}}}}")}}
/breeds/{breedName}:
  parameters: [{name: breedName, in: path, required: true, schema: {type: string}}]
  get: {operationId: readBreed, ${answers("{type: object}")}}
/toys/{toyId}:
  parameters: [{name: toyId, in: path, required: true, schema: {type: integer}}]
  get: {operationId: readToy, ${answers("{type: object}")}}
`);

test("a path parameter references what a POST to the collection creates, and the run deletes it", async () => {
  const context = await contextFromText(pets);
  expect(fixturesOf(context)["/pets/{petId}"]).toEqual({
    requires: [],
    steps: [{ call: "addPet", setup: true, body: { $merge: [{ name: "text" }, { $get: "of#/with" }] }, as: "made" }],
    outputs: { $get: "made#/body" },
  });
  const deletedBy = { call: "removePet", path: { petId: { response: "/petId" } } };
  expect(operationInfos(context, context.api)["addPet"]?.creates).toEqual({ resource: "/pets/{petId}", deletedBy });
  const operation = context.operations.get("removePet");
  expect(operation && planRequest(context, operation, { objects: "own" })).toMatchObject({
    setupSteps: [{ make: "/pets/{petId}", as: "petId", fresh: true }],
    call: { call: "removePet", path: { petId: { $get: "petId#/petId" } } },
  });
});

test("without a creating operation it is the first item of the list", async () => {
  expect(fixturesOf(await contextFromText(pets))["/breeds/{breedName}"]).toEqual({
    requires: [],
    steps: [{ call: "listBreeds", as: "list", setup: true }],
    outputs: { $get: "list#/body/0" },
  });
});

test("without a list a value of its schema is sent, and every documented response is accepted", async () => {
  const { operations } = await contextFromText(pets);
  const context = await contextFromText(pets);
  const toy = operations.get("readToy");
  expect(toy && planRequest(context, toy, { objects: "shared" })).toMatchObject({
    setupSteps: [],
    call: { path: { toyId: 1 } },
  });
});
