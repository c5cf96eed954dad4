import { expect, test } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import { kennelsDescription } from "../references/references-description.support.js";
import { encodedSlashCases } from "./encoded-slashes.js";

const post = (label: string) => `  /tags:
    post:
      operationId: createTag
      tags: [tags]
      security: [{bearer: []}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {label: ${label}}}, example: {label: a}}}}
      responses: {'200': {description: One., content: {application/json: {schema: {$ref: '#/components/schemas/Tag'}}}}}
  /tags/{label}:`;
const creating = (label: string) => kennelsDescription.replace("  /tags/{label}:", () => post(label));
const slashed = (description: string) =>
  description.replace("[{name: label, in: path,", "[{name: label, in: path, x-input: {encodedSlash: true},");

test("an object is created under a name with a slash, and addressed by it", async () => {
  const cases = encodedSlashCases(await contextFromText(slashed(creating("{type: string, maxLength: 50}"))));
  expect(cases.map(({ id }) => id)).toEqual([
    "tags/getTag/path/label/contains-slash",
    "tags/deleteTag/path/label/contains-slash",
  ]);
  expect(cases[1]?.steps).toEqual([
    {
      call: "createTag",
      body: { $merge: [{ label: "a" }, { label: { $text: [{ $unique: "label" }, "/b"] } }] },
      as: "made",
    },
    { call: "deleteTag", path: { label: { $get: "made#/body/label" } } },
  ]);
});

test.each(["{type: string, maxLength: 33}", "{type: string, pattern: '^[a-z]+$'}", "{type: string, enum: [a]}"])(
  "a name that is %s contains no slash",
  async (label) => {
    expect(encodedSlashCases(await contextFromText(slashed(creating(label))))).toEqual([]);
  },
);

test("a path without the opt-in is not tried", async () => {
  expect(encodedSlashCases(await contextFromText(creating("{type: string}")))).toEqual([]);
});
