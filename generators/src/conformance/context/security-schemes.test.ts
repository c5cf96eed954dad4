import { expect, test } from "vitest";
import { authenticationCases } from "../cases/access/authentication.js";
import { operationInfos } from "../requests/operation-info.js";
import { contextFromText } from "./fixture-context.support.js";

const keyed = `openapi: 3.1.0
info: {title: Doors, version: '1'}
paths:
  /either: {get: {operationId: either, security: [{certificate: []}, {key: []}, {bearer: []}], responses: {'204': {description: Open.}}}}
  /both: {get: {operationId: both, security: [{key: [], app: []}], responses: {'204': {description: Open.}}}}
  /basic: {get: {operationId: basic, security: [{basic: []}], responses: {'204': {description: Open.}}}}
  /bearer: {get: {operationId: bearer, security: [{bearer: []}], responses: {'204': {description: Open.}}}}
  /certificate: {get: {operationId: certificate, security: [{certificate: []}], responses: {'204': {description: Open.}}}}
  /open: {get: {operationId: open, security: [], responses: {'204': {description: Open.}}}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    app: {type: apiKey, in: query, name: app}
    basic: {type: http, scheme: Basic}
    bearer: {type: http, scheme: bearer}
    certificate: {type: mutualTLS}
`;

test("a token is sent by the first security scheme that a plain request can use", async () => {
  const context = await contextFromText(keyed);
  const facts = operationInfos(context, context.api);
  const key = { scheme: "key", as: "apiKey", in: "header", name: "X-Key" };
  expect(Object.fromEntries(Object.entries(facts).map(([name, each]) => [name, each.credentials]))).toEqual({
    either: [key],
    both: [key, { scheme: "app", as: "apiKey", in: "query", name: "app" }],
    basic: [{ scheme: "basic", as: "basic" }],
    bearer: [{ scheme: "bearer", as: "bearer" }],
    certificate: undefined,
    open: undefined,
  });
});

test("the facts have no credentials when `Bearer` is the only scheme", async () => {
  const one = keyed.replace(/  \/either[^]*(?=  \/bearer)/, "").replace(/  \/certificate.*\n/, "");
  const context = await contextFromText(one.replace(/    (?:key|app|basic|certificate): .*\n/g, ""));
  const facts = operationInfos(context, context.api);
  expect(Object.entries(facts).map(([name, { credentials }]) => [name, credentials])).toEqual([
    ["bearer", undefined],
    ["open", undefined],
  ]);
});

test("an invalid token of any scheme is rejected", async () => {
  const ids = authenticationCases(await contextFromText(keyed)).map(({ id }) => id.replace("default/", ""));
  expect(ids).toEqual([
    "either/security/anonymous",
    "either/security/unknown-token",
    "both/security/anonymous",
    "both/security/unknown-token",
    "basic/security/anonymous",
    "basic/security/unknown-token",
    "bearer/security/anonymous",
    "bearer/security/unknown-token",
    "certificate/security/anonymous",
    "open/security/anonymous",
  ]);
});
