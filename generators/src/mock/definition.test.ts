import { testGenerator } from "@plumbline/kit/codegen/testing";
import { expect, test } from "vitest";
import mockGenerator from "./index.js";

const description = `openapi: 3.1.0
info: {title: Boats, version: '1'}
paths:
  /boats:
    get:
      operationId: listBoats
      responses:
        '200': {description: Boats, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Boat'}}}}}
        '404': {$ref: '#/components/responses/NoBoat'}
  /boats/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getBoat
      responses:
        '200': {description: A boat, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
        '404': {$ref: '#/components/responses/NoBoat'}
    delete:
      operationId: toString
      responses:
        '204': {description: It is gone}
        '404': {$ref: '#/components/responses/NoBoat'}
components:
  responses:
    NoBoat:
      description: There is no such boat
      content: {application/json: {schema: {type: object}, example: {errors: [{reason: 'There is no boat with this "id": \`\${x}\`'}]}}}
  schemas:
    Boat:
      type: object
      required: [id, name, __proto__]
      properties: {id: {type: integer}, name: {type: string}, __proto__: {type: string}}
      examples: [{id: 7, name: 'Her Majesty''s Ship Friendship', __proto__: 'a field like others'}]
`;

test("prints defaults nowhere, and repeated values once", async () => {
  const files = await testGenerator(mockGenerator, { description, package: "@boats/mock" });
  expect(files["src/gen/definition.ts"]).toMatchInlineSnapshot(`
    "import { type MockDefinition, type OperationData, readDefinition } from "@plumbline/server-runtime/mock";

    const noBoat = {
      status: 404,
      example: { errors: [{ reason: 'There is no boat with this "id": \`\${x}\`' }] },
      sample: {},
    };

    const boatExample = { id: 7, name: "Her Majesty's Ship Friendship", ["__proto__"]: "a field like others" };

    /** What the description says about the behavior of the API. */
    export const definition: MockDefinition = /* @__PURE__ */ readDefinition({
      title: "Boats",
      version: "1",
      basePath: "",
      operations: {
        listBoats: {
          route: "GET /boats",
          role: "list",
          resource: "/boats/{id}",
          success: { status: 200, body: { items: ["/boats/{id}"] }, example: [] },
          errors: [noBoat],
          list: {},
        },
        getBoat: {
          route: "GET /boats/{id}",
          role: "read",
          pathReferences: [{ parameter: "id", resource: "/boats/{id}" }],
          isLookedUp: false,
          success: { status: 200, body: "/boats/{id}", example: boatExample },
          errors: [noBoat],
        },
        toString: {
          route: "DELETE /boats/{id}",
          role: "delete",
          pathReferences: [{ parameter: "id", resource: "/boats/{id}" }],
          isLookedUp: false,
          success: { status: 204 },
          errors: [noBoat],
        } satisfies OperationData,
      },
      resources: { "/boats/{id}": { owner: [], initial: boatExample, seeds: [{ id: 7 }] } },
      callers: { tenant: "account", namedGrants: "named", attributes: {} },
    });
    "
  `);
});

test("prints only the headers that a handler sets", async () => {
  const headers = ["Granted", "Left", "Etag"]
    .map((name) => `${name}: {required: true, schema: {type: string}}`)
    .join(", ");
  const files = await testGenerator(mockGenerator, {
    description: `openapi: 3.1.0
info: {title: Boats, version: '1'}
x-headers: {scopes: Granted, remaining: Left}
paths:
  /boats: {get: {operationId: listBoats, responses: {'204': {description: None, headers: {${headers}}}}}}
`,
    package: "@boats/mock",
  });
  expect(files["src/gen/definition.ts"]).toContain('headers: { Etag: "text" }');
});
