import type { Api } from "@plumbline/kit/model";
import { buildFixtureApi } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { bodyFields } from "./form-fields.js";

const body = (schema: string, type = "application/json"): string => `openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets:
    post:
      operationId: createPet
      requestBody: {content: {${type}: {schema: ${schema}}}}
      responses: {'204': {description: Done.}}
components: {schemas: {
  Size: {type: object, required: [width], properties: {width: {type: number, minimum: 1, maximum: 5}}},
  Loop: {type: object, properties: {next: {$ref: '#/components/schemas/Loop'}, name: {type: string}}}}}
`;

async function fieldsOf(schema: string, type?: string): Promise<unknown> {
  const api: Api = await buildFixtureApi(body(schema.replaceAll(/\s+/g, " "), type));
  const [content] = api.operations[0]?.requestBody?.contents ?? [];
  if (content === undefined) throw new Error("The operation has no body.");
  return bodyFields(api, content.schema, type === undefined ? "json" : "multipart");
}

test("each kind of value has its input, and read-only fields have none", async () => {
  expect(
    await fieldsOf(`{type: object, required: [name], properties: {
      id: {type: integer, readOnly: true},
      name: {type: string, minLength: 1, maxLength: 9},
      legs: {type: [integer, 'null'], minimum: 0},
      kind: {enum: [cat, dog, null]},
      isWild: {type: boolean, default: false},
      size: {oneOf: [{$ref: '#/components/schemas/Size'}, {type: 'null'}]},
      tags: {type: array, items: {type: string}},
      owner: {oneOf: [{type: string}, {type: integer}]},
      any: {}}}`),
  ).toEqual([
    { name: "name", isRequired: true, hint: "1 to 9 characters", input: { kind: "text" } },
    { name: "legs", isRequired: false, hint: "At least 0", input: { kind: "number", isInteger: true, least: 0 } },
    { name: "kind", isRequired: false, input: { kind: "select", values: ["cat", "dog"] } },
    { name: "isWild", isRequired: false, hint: "default false", input: { kind: "boolean" } },
    {
      name: "size",
      isRequired: false,
      input: {
        kind: "group",
        fields: [
          {
            name: "width",
            isRequired: true,
            hint: "1 to 5",
            input: { kind: "number", isInteger: false, least: 1, most: 5 },
          },
        ],
      },
    },
    { name: "tags", isRequired: false, input: { kind: "json" } },
    { name: "owner", isRequired: false, input: { kind: "json" } },
    { name: "any", isRequired: false, input: { kind: "json" } },
  ]);
});

test("files are inputs of multipart bodies only", async () => {
  const schema = `{type: object, properties: {photo: {type: string, format: binary}, more: {type: array, items: {type: string, contentMediaType: image/png}}}}`;
  expect(await fieldsOf(schema, "multipart/form-data")).toEqual([
    { name: "photo", isRequired: false, input: { kind: "file", isMultiple: false } },
    { name: "more", isRequired: false, input: { kind: "file", isMultiple: true } },
  ]);
  expect(await fieldsOf(schema)).toMatchObject([{ input: { kind: "text" } }, { input: { kind: "json" } }]);
});

test("objects nest three times, and then are JSON", async () => {
  const text = JSON.stringify(await fieldsOf(`{$ref: '#/components/schemas/Loop'}`));
  expect(text.match(/"group"/g)).toHaveLength(2);
  expect(text).toContain('"name":"next","isRequired":false,"input":{"kind":"json"}');
});

test.each([
  "{type: string}",
  "{type: array, items: {type: integer}}",
  "{type: object, additionalProperties: {type: string}}",
  "{oneOf: [{type: object, properties: {a: {type: string}}}, {type: object, properties: {b: {type: string}}}]}",
  `{type: object, properties: {${Array.from({ length: 81 }, (_, index) => `f${index}: {type: string}`).join(", ")}}}`,
])("%s has no form", async (schema) => {
  expect(await fieldsOf(schema)).toBeUndefined();
});
