import { describe, expect, it } from "vitest";
import {
  isOperationError,
  OperationError,
  errorResponseFor,
  sharedErrorResponse,
  type ErrorDefinitions,
} from "./errors.js";

const definitions: ErrorDefinitions = {
  none: { status: 400, field: null, reason: "no" },
  one: { status: 400, field: "label", reason: "no" },
  each: { status: 404, field: "$each", reason: "gone" },
  open: { status: 400, reason: "no" },
  later: { status: 503, reason: "not yet", retry: true },
};

describe("an error is documented", () => {
  it.each([
    ["none", {}, { status: 400, errors: [{ reason: "no" }] }],
    ["one", {}, { status: 400, errors: [{ field: "label", reason: "no" }] }],
    ["each", {}, { status: 404, errors: [{ reason: "gone" }] }],
    ["open", {}, { status: 400, errors: [{ reason: "no" }] }],
    ["one", { field: "pools.0.label" }, { status: 400, errors: [{ field: "pools.0.label", reason: "no" }] }],
    ["one", { reason: "so" }, { status: 400, errors: [{ field: "label", reason: "so" }] }],
    ["later", {}, { status: 503, errors: [{ reason: "not yet" }], headers: { "Retry-After": "5" } }],
    [
      "later",
      { retryAfterSeconds: 7 },
      { status: 503, errors: [{ reason: "not yet" }], headers: { "Retry-After": "7" } },
    ],
  ] as const)("%s with %j", (id, detail, errorResponse) => {
    expect(errorResponseFor(id, definitions, detail)).toEqual({ id, ...errorResponse });
  });

  it("not by an inherited name", () => {
    expect(() => errorResponseFor("constructor", definitions)).toThrow('Unknown error id "constructor"');
  });

  it("by the shared error of its status, or the default text", () => {
    expect(sharedErrorResponse(404, definitions, { 404: "each" })).toEqual({
      id: "each",
      status: 404,
      errors: [{ reason: "gone" }],
    });
    expect(sharedErrorResponse(404, definitions, {})).toEqual({ status: 404, errors: [{ reason: "Not found" }] });
  });
});

it("an operation error is recognized by its code, also of another copy", () => {
  class Other extends Error {
    readonly code = "plumbline/operation-error";
  }
  const known = [new OperationError("a"), new Other(), new Error("a"), { code: "plumbline/operation-error" }, null].map(
    isOperationError,
  );
  expect(known).toEqual([true, true, false, false, false]);
  expect(new OperationError("a", { field: "b" }).message).toBe("operation error: a (b)");
});
