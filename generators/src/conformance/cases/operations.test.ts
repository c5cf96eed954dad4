import { expect, test } from "vitest";
import { contextFromText } from "../context/fixture-context.support.js";
import { baselineCases } from "./operations.js";

/** A description of one operation with these responses. */
async function acceptsOf(responses: string): Promise<unknown> {
  const context = await contextFromText(`openapi: 3.1.0
info: {title: Doors, version: '1'}
paths:
  /door: {get: {operationId: getDoor, tags: [doors], responses: ${responses}}}
`);
  return baselineCases(context).find(({ id }) => id === "doors/getDoor/accepts")?.steps;
}

test("a valid request succeeds", async () => {
  expect(await acceptsOf("{'200': {description: Open.}, '404': {description: None.}}")).toEqual([{ call: "getDoor" }]);
});

test("an operation with only documented errors responds with one of them, or with a success", async () => {
  expect(await acceptsOf("{'401': {description: No.}, '404': {description: None.}}")).toEqual([
    { call: "getDoor", expect: { status: [401, 404, 200, 201, 202, 204] } },
  ]);
});

test("an operation without documented responses responds with any success", async () => {
  expect(await acceptsOf("{}")).toEqual([{ call: "getDoor", expect: { status: [200, 201, 202, 204] } }]);
});

test.each([
  ["a documented conflict", "'409': {description: Locked.}", { status: [204, 409] }],
  ["no documented conflict", "'404': {description: None.}", undefined],
])("an action on an object of unknown state, with %s", async (_, response, expected) => {
  const door = "{type: object, properties: {id: {type: integer}}}";
  const context = await contextFromText(`openapi: 3.1.0
info: {title: Doors, version: '1'}
paths:
  /doors: {post: {operationId: addDoor, tags: [doors], responses: {'201': {description: Made., content: {application/json: {schema: ${door}}}}}}}
  /doors/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: getDoor, tags: [doors], responses: {'200': {description: A door., content: {application/json: {schema: ${door}}}}}}
  /doors/{id}/close:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    post: {operationId: closeDoor, tags: [doors], responses: {'204': {description: Closed.}, ${response}}}
`);
  const steps = baselineCases(context).find(({ id }) => id === "doors/closeDoor/accepts")?.steps ?? [];
  expect(steps.at(-1)).toMatchObject({ call: "closeDoor" });
  expect(steps.at(-1)).toEqual(
    expected === undefined
      ? expect.not.objectContaining({ needsObject: true })
      : expect.objectContaining({ needsObject: true, expect: expected }),
  );
});
