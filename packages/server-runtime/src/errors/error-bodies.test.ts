import { describe, expect, it } from "vitest";
import { documentedStatus, type ErrorBody } from "./error-bodies.js";

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
