import { expect, test } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import { generateCases } from "../../generate-cases.js";
import { flatCases, flatsDescription } from "./access-description.support.js";
import { authenticationCases } from "./authentication.js";

test("a request without a token is rejected with the documented error", async () => {
  const cases = await flatCases(authenticationCases);
  expect(cases.get("flats/getFlat/security/anonymous")).toEqual({
    id: "flats/getFlat/security/anonymous",
    kind: "security",
    operation: "getFlat",
    title: "getFlat is rejected without a token",
    requirements: [],
    requires: [],
    steps: [
      { make: "Flat", as: "flat" },
      {
        call: "getFlat",
        path: { flatId: { $get: "flat#/id" } },
        by: "anonymous",
        expect: { status: 401, error: { field: null, reasonContains: ["No token"] } },
      },
    ],
  });
});

test("a token is created, deleted and rejected", async () => {
  const cases = await flatCases(authenticationCases);
  expect(cases.get("flats/getFlat/security/revoked-token")).toEqual({
    id: "flats/getFlat/security/revoked-token",
    kind: "security",
    operation: "getFlat",
    title: "getFlat is rejected with a token that was revoked",
    requirements: ["token.bad"],
    requires: [],
    steps: [
      { make: "Token", as: "credential", with: { scopes: "*" }, fresh: true },
      { call: "deleteToken", path: { tokenId: { $get: "credential#/id" } }, setup: true },
      { make: "Flat", as: "flat" },
      {
        call: "getFlat",
        path: { flatId: { $get: "flat#/id" } },
        by: { token: { $get: "credential#/secret" } },
        expect: { status: 401, error: { field: null, reasonContains: ["Bad token"] } },
      },
    ],
  });
});

test("a public operation is called without a token", async () => {
  const cases = await flatCases(authenticationCases);
  expect(cases.get("flats/listTowns/security/anonymous")).toEqual({
    id: "flats/listTowns/security/anonymous",
    kind: "security",
    operation: "listTowns",
    title: "listTowns works without a token",
    requirements: [],
    requires: [],
    steps: [{ call: "listTowns", by: "anonymous" }],
  });
});

test("one operation represents all for the forms of the header", async () => {
  const cases = await flatCases(authenticationCases);
  expect([...cases.keys()].filter((id) => id.includes("/security/forms/"))).toEqual([]);
  const listed = flatsDescription.replace(
    "x-resource: {owner: [user], read",
    "x-resource: {owner: [user], list: getMe, read",
  );
  const more = await flatCases(authenticationCases, listed);
  expect([...more.keys()].filter((id) => id.includes("/security/forms/"))).toEqual([
    "tokens/getMe/security/forms/good",
    "tokens/getMe/security/forms/lower-case",
    "tokens/getMe/security/forms/before",
    "tokens/getMe/security/forms/no-scheme",
    "tokens/getMe/security/forms/scheme-alone",
    "tokens/getMe/security/forms/glued",
    "tokens/getMe/security/forms/shown-beginning",
  ]);
});

test("a public change gets an object of its own", async () => {
  const open = flatsDescription
    .replaceAll(/security: .*/g, "security: []")
    .replaceAll(/owner: \[\w+\]/g, "owner: [platform]");
  const cases = new Map(authenticationCases(await contextFromText(open)).map((each) => [each.id, each.steps[0]]));
  expect(cases.get("flats/deleteFlat/security/anonymous")).toEqual({ make: "Flat", as: "flat", fresh: true });
  expect(cases.get("flats/getFlat/security/anonymous")).toEqual({ make: "Flat", as: "flat" });
});

test("a protected operation rejects anonymous callers, whether or not it documents 401", async () => {
  const cases = await flatCases(
    (context) => generateCases(context.api, context.options),
    `openapi: 3.1.0
info: {title: Flats, version: '1'}
paths:
  /flats:
    get:
      operationId: listFlats
      security: [{bearer: [read]}]
      responses: {'200': {description: All.}}
  /towns:
    get:
      operationId: listTowns
      security: [{bearer: []}, {}]
      responses: {'200': {description: All.}}
components: {securitySchemes: {bearer: {type: oauth2, flows: {password: {scopes: {read: Read, write: Write}, tokenUrl: token}}}}}
`,
  );
  const expected = [...cases].flatMap(([id, { steps }]) =>
    steps.flatMap((step) => ("expect" in step ? [[id, step.expect?.status]] : [])),
  );
  expect(expected.filter(([id]) => /security|scopes/.test(String(id)))).toEqual([
    ["default/listFlats/security/anonymous", [401, 403]],
    ["default/listFlats/security/unknown-token", [401, 403]],
    ["default/listFlats/scopes/without-read", [401, 403]],
  ]);
});
