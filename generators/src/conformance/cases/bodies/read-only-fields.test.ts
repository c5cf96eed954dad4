import { expect, test } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import { schemaCases } from "../schema-cases.js";

/** A profile that responses show with server-set fields, and its update with this body. */
function profileDescription(update: string, number = "readOnly: true"): string {
  return `openapi: 3.1.0
info: {title: Me, version: '1'}
paths:
  /me:
    get:
      operationId: getMe
      tags: [me]
      responses: {'200': {description: Me., content: {application/json: {schema: {$ref: '#/components/schemas/Me'}}}}}
    patch:
      operationId: updateMe
      tags: [me]
      requestBody: {required: true, content: {application/json: {schema: ${update}}}}
      responses: {'200': {description: Me., content: {application/json: {schema: {$ref: '#/components/schemas/Me'}}}}, '400': {description: Invalid.}}
components:
  schemas:
    Me:
      type: object
      required: [id, number, name]
      properties: {id: {type: string, format: uuid}, number: {type: integer, ${number}}, name: {type: string}}
`;
}

async function setBySender(update: string, number?: string) {
  const cases = schemaCases(await contextFromText(profileDescription(update, number)));
  return cases.filter(({ id }) => id.endsWith("/set-by-the-sender"));
}

test("a read-only field that the body permits does not get the sent value", async () => {
  const [only, ...others] = await setBySender("{type: object, minProperties: 1, properties: {name: {type: string}}}");
  expect(others).toEqual([]);
  expect(only?.id).toBe("me/updateMe/number/set-by-the-sender");
  expect(only?.steps.at(-1)).toEqual({
    call: "getMe",
    expect: {
      body: {
        type: "object",
        properties: {
          number: { anyOf: [{ const: { $get: "before#/body/number" } }, { not: { const: 987654321 } }] },
        },
      },
    },
  });
});

test.each([
  ["x-mutability: {rule: immutable}", ["me/updateMe/number/set-by-the-sender"]],
  ["x-mutability: {rule: increase}", []],
])("a field with %s that only responses have", async (number, ids) => {
  const cases = await setBySender("{type: object, minProperties: 1, properties: {name: {type: string}}}", number);
  expect(cases.map(({ id }) => id)).toEqual(ids);
});

test("a body that forbids other fields has no case of read-only ones: they are undocumented", async () => {
  const update = "{type: object, additionalProperties: false, minProperties: 1, properties: {name: {type: string}}}";
  expect(await setBySender(update)).toEqual([]);
});
