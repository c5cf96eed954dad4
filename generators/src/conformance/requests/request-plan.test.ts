import { expect, test } from "vitest";
import { contextFromText, housesDescription } from "../context/fixture-context.support.js";
import { planRequest } from "./request-plan.js";

test("a plan creates the objects of the path, outermost first, and calls with the example", async () => {
  const context = await contextFromText(housesDescription);
  const operation = context.operations.get("updatePet");
  expect(operation && planRequest(context, operation, { objects: "own" })).toMatchObject({
    setupSteps: [
      { make: "House", as: "house" },
      { make: "Pet", as: "pet", of: { House: { $get: "house" } }, fresh: true },
    ],
    call: {
      call: "updatePet",
      path: { houseId: { $get: "house#/id" }, petName: { $get: "pet#/name" } },
      body: { age: 3 },
    },
    names: { houseId: "house", petName: "pet" },
    exclusive: false,
  });
});

test("rejected calls use the worker's shared objects", async () => {
  const context = await contextFromText(housesDescription);
  const operation = context.operations.get("deleteHouse");
  expect(operation && planRequest(context, operation, { objects: "shared" }).setupSteps).toEqual([
    { make: "House", as: "house" },
  ]);
});

test("without an example the body is the smallest valid one", async () => {
  const context = await contextFromText(housesDescription);
  const operation = context.operations.get("createHouse");
  expect(operation && planRequest(context, operation, { objects: "own" }).call.body).toEqual({ name: "text" });
});

test("settings add what the description cannot express, and their steps are setup", async () => {
  const context = await contextFromText(housesDescription, {
    operations: {
      deleteHouse: {
        before: [{ call: "listHouses" }],
        with: { House: { name: "empty" } },
        by: { user: "eve" },
        requires: ["users"],
      },
    },
  });
  const operation = context.operations.get("deleteHouse");
  expect(operation && planRequest(context, operation, { objects: "own" })).toMatchObject({
    setupSteps: [
      { make: "House", as: "house", with: { name: "empty" }, fresh: true },
      { call: "listHouses", setup: true },
    ],
    call: { call: "deleteHouse", by: { user: "eve" }, path: { houseId: { $get: "house#/id" } } },
    requires: ["users"],
  });
});

test("required parameters of each location have samples", async () => {
  const required = (name: string, place: string): string =>
    `{name: ${name}, in: ${place}, required: true, schema: {type: integer}}`;
  const parameters = [required("q", "query"), required("h", "header"), required("c", "cookie")].join();
  const context = await contextFromText(
    `openapi: 3.1.0\ninfo: {title: T, version: 1.0.0}\npaths: {/a: {get: {operationId: a, parameters: [${parameters}], responses: {'200': {description: ok}}}}}`,
  );
  const operation = context.operations.get("a");
  expect(operation && planRequest(context, operation, { objects: "own" }).call).toEqual({
    call: "a",
    query: { q: 1 },
    headers: { h: 1 },
    cookies: { c: 1 },
  });
});
