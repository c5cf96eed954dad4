import { describe, expect, it } from "vitest";
import { commonErrorBody, documentedStatus, type ErrorBody, fillErrorBody } from "./error-bodies.js";

const body: ErrorBody = { mediaType: "application/json", template: { from: "reasons" } };

describe("the status of an invalid request", () => {
  it.each([
    ["nothing", {}, undefined, 400],
    ["a 400 and a 422", {}, { "400": body, "422": body }, 400],
    ["only a 422", {}, { "422": body }, 422],
    ["a range, and a 422", {}, { "4XX": body, "422": body }, 400],
    ["422 as a shared error, and a default response", { 422: "invalid" }, { default: body }, 422],
    ["422 as a shared error, and 400 for the operation", { 422: "invalid" }, { "400": body }, 400],
    ["400 and 422 as shared errors", { 400: "malformed", 422: "invalid" }, undefined, 400],
  ] as const)("if the description has %s", (_, shared, documented, status) => {
    expect(documentedStatus(400, shared, documented)).toBe(status);
  });

  it("leaves other statuses", () => {
    expect(documentedStatus(404, { 422: "invalid" }, { "422": body })).toBe(404);
  });
});

describe("an error body with locations, as FastAPI documents it", () => {
  const template = { each: { object: { loc: { from: "location" }, type: { from: "code" } } } } as const;
  it.each([
    [{ in: "query", field: "limit", code: "range", reason: "must be at least 1" }, ["query", "limit"], "range"],
    [{ in: "header", field: "X-Tenant", code: "length", reason: "is long" }, ["header", "X-Tenant"], "length"],
    [{ in: "path", field: "id", code: "format", reason: "must be a UUID" }, ["path", "id"], "format"],
    [
      { in: "body", field: "disks.0.size", code: "required", reason: "is required" },
      ["body", "disks", "0", "size"],
      "required",
    ],
    [{ in: "request", code: "media", reason: "must have no body" }, ["body"], "media"],
    [{ field: "label", reason: "is taken" }, ["body", "label"], "Unprocessable Content"],
  ] as const)("has %j", (entry, loc, type) => {
    const documented = { "422": { mediaType: "application/json", template } };
    expect(fillErrorBody({ status: 422, errors: [entry], entries: [entry] }, documented).body).toEqual([{ loc, type }]);
  });
});

it.each([
  [{ field: "label", reason: "is long" }, { path: "label" }],
  [{ reason: "is full" }, {}],
])("an optional field is absent if there is none: %j", (entry, expected) => {
  const template = { object: { path: { from: "field", optional: true } } } as const;
  const documented = { default: { mediaType: "application/json", template } };
  expect(fillErrorBody({ status: 409, errors: [], entries: [entry] }, documented).body).toEqual(expected);
});

it("a request of no operation is answered as all operations do", () => {
  const other: ErrorBody = { mediaType: "application/json", template: { from: "status" } };
  const bodies = { list: { "4XX": body, default: other }, read: { "404": { ...body } }, write: { "409": other } };
  expect(commonErrorBody(404, bodies)).toEqual({ default: body });
  expect(commonErrorBody(409, bodies)).toEqual({});
  expect(commonErrorBody(500, { list: {} })).toEqual({});
});
