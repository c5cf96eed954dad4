import { expect, test } from "vitest";
import { buildFixtureApi, withPaths } from "../testing.js";

test.each<[right: string, expected: unknown]>([
  ["$request.path.petId", { text: "$request.path.petId", root: "request", part: "path", name: "petId", pointer: [] }],
  ["0/fields/max", { text: "0/fields/max", root: "relative", part: "0", pointer: ["fields", "max"] }],
  ["1", { text: "1", root: "relative", part: "1", pointer: [] }],
  ["max", "max"],
  ["1st", "1st"],
])("the right side of a comparison, %s, is an expression or a value", async (right, expected) => {
  const errors = `x-errors: [{id: a, status: 400, when: {compare: ['0/min', lt, '${right}']}}]`;
  const { operations } = await buildFixtureApi(
    withPaths(`{/pets: {post: {operationId: createPet, responses: {'200': {description: ok}}, ${errors}}}}`),
  );
  expect(operations[0]?.errors[0]?.when?.compare?.right).toEqual(expected);
});
