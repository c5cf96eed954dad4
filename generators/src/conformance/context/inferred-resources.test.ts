import { withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { generateCases } from "../generate-cases.js";
import { fixturesOf } from "../requests/fixtures.js";
import { operationInfos } from "../requests/operation-info.js";
import { planRequest } from "../requests/request-plan.js";
import { untestedRules } from "../untested-rules.js";
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

test.each(["/pets/", "/pets/{petId}/"])("a slash at the end of %s is no difference", async (path) => {
  const plain = path.slice(0, -1);
  const context = await contextFromText(pets.replace(`${plain}:`, `${path}:`));
  expect(context.api.operations.map((each) => each.path)).toContain(path);
  expect(fixturesOf(context)["/pets/{petId}"]).toEqual(fixturesOf(await contextFromText(pets))["/pets/{petId}"]);
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

const task = "{$ref: '#/components/schemas/Task'}";
const comment = "{type: object, properties: {id: {type: integer}}}";
const nested = (extra: string): string => `openapi: 3.1.0
info: {title: Tasks, version: '1'}
paths:
  /projects:
    post: {operationId: createProject, responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Project'}}}}}}
  /projects/{projectId}/tasks:
    parameters: [&project {name: projectId, in: path, required: true, schema: {type: integer}${extra === "" ? "" : ", x-reference: {to: Project}"}}]
    post: {operationId: createTask, responses: {'201': {description: made, content: {application/json: {schema: ${task}}}}}}
  /projects/{projectId}:
    parameters: [*project]
    get: {operationId: getProject, ${answers("{$ref: '#/components/schemas/Project'}")}}
  /tasks/{taskId}:
    parameters: [&task {name: taskId, in: path, required: true, schema: {type: integer}${extra === "" ? "" : ", x-reference: {to: Task}"}}]
    get: {operationId: getTask, ${answers(task)}}
  /tasks/{taskId}/start:
    parameters: [*task]
    post: {operationId: startTask, responses: {'201': {description: started, content: {application/json: {schema: ${task}}}}}}
  /tasks/{taskId}/comments:
    parameters: [*task]
    post: {operationId: createComment, responses: {'201': {description: made, content: {application/json: {schema: ${comment}}}}}}
  /comments/{commentId}:
    parameters: [{name: commentId, in: path, required: true, schema: {type: integer}}]
    get: {operationId: getComment, ${answers("{type: object}")}}
components:
  schemas:
    Project: {type: object, ${extra === "" ? "" : "x-resource: {owner: [platform], read: getProject}, "}properties: {id: {type: integer}}}
    Task: {type: object, ${extra}properties: {id: {type: integer}}}
`;

test("an object is created within its parent, though its own path has none", async () => {
  const context = await contextFromText(nested(""));
  expect(fixturesOf(context)["/comments/{commentId}"]).toEqual({
    requires: [],
    steps: [{ call: "createComment", setup: true, path: { taskId: { $get: "of#/~1tasks~1{taskId}/id" } }, as: "made" }],
    outputs: { $get: "made#/body" },
  });
  const cases = generateCases(context.api, context.options);
  const read = cases.find(({ id }) => id === "default/getComment/accepts");
  expect(read?.steps).toEqual([
    { make: "/projects/{projectId}", as: "commentId-taskId-projectId" },
    {
      make: "/tasks/{taskId}",
      as: "commentId-taskId",
      of: { "/projects/{projectId}": { $get: "commentId-taskId-projectId" } },
    },
    { make: "/comments/{commentId}", as: "commentId", of: { "/tasks/{taskId}": { $get: "commentId-taskId" } } },
    { call: "getComment", path: { commentId: { $get: "commentId#/id" } } },
  ]);
});

test("a described resource is created within its parent, too", async () => {
  const context = await contextFromText(nested("x-resource: {parent: Project, read: getTask}, "));
  const read = generateCases(context.api, context.options).find(({ id }) => id === "default/getTask/accepts");
  expect(read?.steps).toEqual([
    { make: "Project", as: "task-project" },
    { make: "Task", as: "task", of: { Project: { $get: "task-project" } } },
    { call: "getTask", path: { taskId: { $get: "task#/id" } } },
  ]);
  expect(Object.keys(fixturesOf(context))).toEqual(expect.arrayContaining(["Project", "Task"]));
});

test("objects of another collection with the same last segment are not taken", async () => {
  const context = await contextFromText(
    withPaths(`/orders:
  post: {operationId: createOrder, responses: {'201': {description: made, content: {application/json: {schema: ${comment}}}}}}
/orders/{orderId}/items:
  parameters: [&order {name: orderId, in: path, required: true, schema: {type: integer}}]
  post: {operationId: createOrderItem, responses: {'201': {description: made, content: {application/json: {schema: ${comment}}}}}}
/orders/{orderId}/items/{itemId}:
  parameters: [*order, {name: itemId, in: path, required: true, schema: {type: integer}}]
  get: {operationId: getOrderItem, ${answers(comment)}}
/items/{itemId}:
  parameters: [{name: itemId, in: path, required: true, schema: {type: integer}}]
  get: {operationId: getItem, ${answers(comment)}}
`),
  );
  expect(Object.keys(fixturesOf(context))).toEqual(["/orders/{orderId}", "/orders/{orderId}/items/{itemId}"]);
});

test("a resource that nothing creates or lists is one finding", async () => {
  const context = await contextFromText(
    nested("x-resource: {parent: Project, read: getTask}, ").replace(
      "operationId: createTask, responses: {'201'",
      "operationId: createTask, responses: {'202'",
    ),
  );
  expect(untestedRules(context, generateCases(context.api, context.options))).toMatchObject([
    {
      code: "conformance/no-case",
      message: "No request creates or lists a Task, so the suite has no object for getTask, startTask, createComment.",
      fix: "Add a fixture `Task` to `fixtures` of the settings, or let the response of the operation that creates it have the schema Task.",
    },
  ]);
});
