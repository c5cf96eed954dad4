import type { CallStep } from "@plumbline/conformance-runtime";
import { expect, test } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import { schemaCases } from "../schema-cases.js";

/** The call of the case of a label's name with this length. */
async function callOf(length: number | string, responses: string): Promise<CallStep | undefined> {
  const context = await contextFromText(`openapi: 3.1.0
info: {title: Labels, version: '1'}
paths:
  /labels:
    post:
      operationId: createLabel
      tags: [labels]
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/LabelCreate'}}}}
      responses: {'201': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Label'}}}}, ${responses}}
      x-errors: [{id: label-exists, status: 409}]
components:
  schemas:
    LabelCreate:
      type: object
      required: [name]
      properties: {name: {type: string, minLength: 1, maxLength: 30}}
      x-limits: [{id: label-name-unique, kind: unique, by: [name], within: user, error: label-exists}]
    Label: {type: object, x-resource: {owner: [user]}, properties: {id: {type: integer}, name: {type: string}}}
`);
  const found = schemaCases(context).find(({ id }) => id === `labels/createLabel/name/length-${length}`);
  return found?.steps.find((step): step is CallStep => "call" in step);
}

const conflict = "'409': {description: Taken.}";

test("a text of a unique field is another one in each run", async () => {
  const unique = { $unique: Array.from({ length: 12 }, () => expect.stringMatching(/^a-z$|^0-9$/)) };
  const call = await callOf(30, conflict);
  expect(call?.body).toEqual({ name: { $text: ["", unique, { $repeat: ["a", 18] }] } });
  expect(call?.expect).toBeUndefined();
});

test("so is a text beyond the Basic Multilingual Plane", async () => {
  const unique = { $unique: Array.from({ length: 12 }, () => "😀😁😂😃😄😅😆😇") };
  const call = await callOf("30-astral", conflict);
  expect(call?.body).toEqual({ name: { $text: ["", unique, { $repeat: ["😀", 18] }] } });
});

test("a text too short for that may be taken, if the conflict is documented", async () => {
  const body = { name: { $text: ["", { $unique: ["a-z"] }, ""] } };
  expect(await callOf(1, conflict)).toMatchObject({ body, expect: { status: [201, 409] } });
  const undocumented = await callOf(1, "'400': {description: Invalid.}");
  expect(undocumented?.body).toEqual(body);
  expect(undocumented?.expect?.status).toBeUndefined();
});
