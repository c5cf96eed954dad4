import { expect, test } from "vitest";
import { buildFixtureApi } from "../openapi/testing.js";
import { findPrimaryScheme } from "./security.js";

const operation = (security: string) => `{responses: {'200': {description: It.}}, security: ${security}}`;
const schemes = "{key: {type: apiKey, in: header, name: X-Key}, token: {type: http, scheme: bearer}}";

test.each([
  ["the most frequent", schemes, "[{token: []}]", "token"],
  ["the first of equally frequent ones", schemes, "[{key: []}, {token: []}]", "key"],
  ["the first where none is required", schemes, "[]", "key"],
  ["none where there is none", "{}", "[]", undefined],
])("the primary scheme is %s", async (_, securitySchemes, security, name) => {
  const api = await buildFixtureApi(`openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets: {get: ${operation(security)}, post: ${operation(security)}}
components: {securitySchemes: ${securitySchemes}}
`);
  expect(findPrimaryScheme(api)?.name).toBe(name);
});
