import { buildFixtureApi } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { findUnsampledResponses } from "./unsampled-responses.js";

const response = (schema: string): string => `openapi: 3.1.0
info: {title: Boats, version: '1'}
paths:
  /boat:
    get:
      operationId: getBoat
      responses: {'200': {description: A boat, content: {application/json: {schema: ${schema}}}}}
`;

test.each([
  ["{type: integer, minimum: 2, maximum: 1}", 1],
  ["{type: integer, minimum: 1, maximum: 1}", 0],
  ["{type: array, minItems: 3, uniqueItems: true, items: {enum: [a, b]}}", 1],
  ["{type: array, minItems: 2, uniqueItems: true, items: {enum: [a, b]}}", 0],
])("a response of %s has %i warnings", async (schema, count) => {
  const api = await buildFixtureApi(response(schema));
  const locate = (origin: { readonly file: string; readonly pointer: string }) => ({ ...origin, line: 1, column: 1 });
  const warnings = findUnsampledResponses(api, { locate });
  expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual(
    Array.from({ length: count }, () => "mock/no-sample The mock finds no valid value for response 200 of getBoat."),
  );
});
