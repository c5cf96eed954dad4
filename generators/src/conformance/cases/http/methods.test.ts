import { expect, test } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import { methodCases } from "./methods.js";

/** A list at `/items/`, and one more path. */
function itemsDescription(other: string): string {
  const get = (name: string) => `get: {operationId: ${name}, tags: [items], responses: {'200': {description: OK.}}}`;
  return `openapi: 3.1.0
info: {title: Items, version: '1'}
paths:
  /items/: {${get("listItems")}}
  ${other}:
    parameters: [{name: key, in: path, required: true, schema: {type: string}}]
    ${get("getItem")}
`;
}

async function nowhere(other: string): Promise<readonly string[]> {
  const cases = methodCases(await contextFromText(itemsDescription(other)));
  return cases.filter(({ id }) => id.includes("/nowhere/")).map(({ title }) => title);
}

test("nothing is at addresses that match no path", async () => {
  expect(await nowhere("/items/{key}")).toEqual([
    "There is nothing at /nowhere",
    "There is nothing at /items/1/nowhere/1",
    "There is nothing at /itemsx",
  ]);
});

test("an address that matches a path is not tried", async () => {
  expect(await nowhere("/{key}")).toEqual(["There is nothing at /items/1/nowhere/1"]);
});
