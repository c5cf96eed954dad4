import { expect, test } from "vitest";
import { buildFixtureApi, withSchemas } from "../../openapi/testing.js";
import { describeSchema } from "./describe.js";

test.each([
  ["{type: integer, maximum: 10}", ["At most 10."]],
  ["{anyOf: [{type: integer, maximum: 10}, {type: 'null'}], default: 3}", ["At most 10. Default: 3."]],
  [
    "{description: A price., anyOf: [{type: number, exclusiveMinimum: 0}, {type: string, pattern: '^a$'}, {type: 'null'}]}",
    ["A price.", "As a number: more than 0. As a string: pattern: ^a$."],
  ],
  ["{oneOf: [{type: string}, {anyOf: [{type: integer, minimum: 1}]}]}", ["As an integer: at least 1."]],
  ["{anyOf: [{type: string}, {type: integer}]}", []],
])("the words of %s", async (text, words) => {
  const [named] = (await buildFixtureApi(withSchemas(`A: ${text}`))).schemas;
  expect(named && describeSchema(named.schema)).toEqual(words);
});
