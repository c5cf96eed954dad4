import { expect, test } from "vitest";
import { checkResponse } from "./response-check.js";

const operation = { name: "getPet", responses: { 200: ["application/json"], "4XX": [] } };
const response = { status: 200, type: "application/json", bytes: new Uint8Array(), isCut: false };

test("without checks of bodies, only the status is checked", () => {
  const check = checkResponse(operation, response, undefined);
  expect(check).toEqual({ issues: [], limitation: expect.stringContaining("no checks of bodies") });
  expect(checkResponse(operation, { ...response, status: 404 }, undefined).issues).toEqual([]);
  expect(checkResponse(operation, { ...response, status: 500 }, undefined).issues).toEqual([
    { in: "response", code: "status", reason: "status 500 is not documented" },
  ]);
});

test("the checks of the description find the issues of a complete body", () => {
  const issue = { in: "response", field: "id", code: "type", reason: "must be an integer" } as const;
  const script = { responseIssues: () => [issue] };
  expect(checkResponse(operation, response, script)).toEqual({ issues: [issue], limitation: undefined });
  expect(checkResponse(operation, { ...response, isCut: true }, script)).toMatchObject({ issues: [] });
});

test("a redirect is not followed, so there is nothing to check", () => {
  expect(checkResponse(operation, { ...response, status: 0 }, undefined)).toMatchObject({
    issues: [],
    limitation: expect.stringContaining("redirect"),
  });
});
