import { expect, test } from "vitest";
import { baselineCases } from "./operations.js";
import { contextFromText } from "../context/fixture-context.support.js";

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
