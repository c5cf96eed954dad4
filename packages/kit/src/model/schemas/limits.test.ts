import { expect, test } from "vitest";
import { buildFixtureApi, withPaths } from "../../openapi/testing.js";
import { collectLimits } from "./limits.js";

const limit = (id: string): string => `x-limits: [{id: ${id}, kind: retention, max: 1}]`;

test("limits are found wherever they stand, each once, with what they stand on", async () => {
  const path = `/pets:
  post:
    operationId: createPet
    ${limit("of-operation")}
    parameters: [{name: page, in: query, schema: {${limit("of-parameter")}}}]
    requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
    responses:
      '200':
        description: ok
        headers: {X-Age: {schema: {${limit("of-header")}}}}
        content: {application/json: {schema: {type: object, properties: {data: {${limit("of-response")}}}}}}
  put: {operationId: putPet, ${limit("of-operation")}, responses: {'200': {description: ok}}}`;
  const schemas = `components:
  schemas:
    Pet:
      type: object
      ${limit("of-schema")}
      properties:
        id: {type: integer, readOnly: true}
        name: {allOf: [{${limit("of-property")}}]}
        toys: {type: array, items: {${limit("of-item")}}}
        box: {type: object, additionalProperties: {${limit("of-value")}}, patternProperties: {a: {${limit("of-pattern")}}}}
        pair: {prefixItems: [{${limit("of-place")}}]}
      if: {${limit("of-condition")}}
      dependentSchemas: {name: {${limit("of-dependency")}}}
  pathItems:
    photo: {put: {operationId: putPhoto, ${limit("of-linked")}, responses: {'200': {description: ok}}}}
`;
  const found = collectLimits(await buildFixtureApi(withPaths(path, schemas)));
  expect(
    found.map(({ limit: { id }, resource, property }) => [id, resource, property].filter((each) => each).join(" ")),
  ).toEqual([
    "of-operation",
    "of-parameter",
    "of-response data",
    "of-header",
    "of-linked",
    "of-schema Pet",
    "of-property Pet name",
    "of-item Pet",
    "of-value Pet",
    "of-pattern Pet",
    "of-place Pet",
    "of-dependency Pet",
    "of-condition Pet",
  ]);
});

test("a limit of a form is one of the schema that the form is of", async () => {
  const schemas = `components:
  schemas:
    Pet: {type: object, properties: {id: {type: integer, readOnly: true}}, ${limit("of-schema")}}
`;
  const path = `/pets:
  post:
    operationId: createPet
    requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
    responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}`;
  const api = await buildFixtureApi(withPaths(path, schemas));
  const forms = api.schemas.filter((each) => each.variantOf !== undefined);
  expect(forms).not.toEqual([]);
  const [found] = collectLimits({ ...api, schemas: forms });
  expect(found?.resource).toBe("Pet");
});

test("a limit that is repeated stands where it stands first", async () => {
  const schemas = `components:\n  schemas:\n    Pet: {${limit("repeated")}}\n    Shop: {${limit("repeated")}}\n`;
  const found = collectLimits(await buildFixtureApi(withPaths("{}", schemas)));
  expect(found.map(({ resource }) => resource)).toEqual(["Pet"]);
});
