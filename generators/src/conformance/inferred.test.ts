import { expect, test } from "vitest";
import { withPaths } from "../model/testing.support.js";
import { operationFacts } from "./facts.js";
import { planOf } from "./plans.js";
import { recipesOf } from "./recipes.js";
import { contextFrom } from "./testing.support.js";

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
  const context = await contextFrom(pets);
  expect(recipesOf(context)["/pets/{petId}"]).toEqual({
    needs: [],
    steps: [{ call: "addPet", given: true, body: { $merge: [{ name: "text" }, { $get: "of#/with" }] }, as: "made" }],
    gives: { $get: "made#/body" },
  });
  const remove = { call: "removePet", path: { petId: { reply: "/petId" } } };
  expect(operationFacts(context, context.api)["addPet"]?.makes).toEqual({ resource: "/pets/{petId}", remove });
  const operation = context.operations.get("removePet");
  expect(operation && planOf(context, operation, { objects: "own" })).toMatchObject({
    before: [{ make: "/pets/{petId}", as: "petId", fresh: true }],
    call: { call: "removePet", path: { petId: { $get: "petId#/petId" } } },
  });
});

test("without a creating operation it is the first item of the list", async () => {
  expect(recipesOf(await contextFrom(pets))["/breeds/{breedName}"]).toEqual({
    needs: [],
    steps: [{ call: "listBreeds", as: "list", given: true }],
    gives: { $get: "list#/body/0" },
  });
});

test("without a list a value of its schema is sent, and every documented response is accepted", async () => {
  const { operations } = await contextFrom(pets);
  const context = await contextFrom(pets);
  const toy = operations.get("readToy");
  expect(toy && planOf(context, toy, { objects: "shared" })).toMatchObject({
    before: [],
    call: { path: { toyId: 1 } },
  });
});
