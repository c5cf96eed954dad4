import { expect, test } from "vitest";
import { operationCases } from "./operations.js";
import { contextFrom } from "./testing.support.js";

/** A description of an operation that documents these replies. */
async function acceptsOf(responses: string): Promise<unknown> {
  const context = await contextFrom(`openapi: 3.1.0
info: {title: Doors, version: '1'}
paths:
  /door: {get: {operationId: getDoor, tags: [doors], responses: ${responses}}}
`);
  return operationCases(context).find(({ id }) => id === "doors/getDoor/accepts")?.steps;
}

test("a fitting request succeeds", async () => {
  expect(await acceptsOf("{'200': {description: Open.}, '404': {description: None.}}")).toEqual([{ call: "getDoor" }]);
});

test("of an operation that documents refusals only, one of these comes", async () => {
  expect(await acceptsOf("{'401': {description: No.}, '404': {description: None.}}")).toEqual([
    { call: "getDoor", expect: { status: [401, 404] } },
  ]);
});
