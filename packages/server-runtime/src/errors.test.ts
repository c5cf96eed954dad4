import { describe, expect, it } from "vitest";
import { isRefused, Refused, refusalOf, sharedRefusal, type Failures } from "./errors.js";

const failures: Failures = {
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
  ] as const)("%s with %j", (id, detail, refusal) => {
    expect(refusalOf(id, failures, detail)).toEqual({ id, ...refusal });
  });

  it("not by an inherited name", () => {
    expect(() => refusalOf("constructor", failures)).toThrow('Unknown error id "constructor"');
  });

  it("by the shared error of its status, or the default text", () => {
    expect(sharedRefusal(404, failures, { 404: "each" })).toEqual({
      id: "each",
      status: 404,
      errors: [{ reason: "gone" }],
    });
    expect(sharedRefusal(404, failures, {})).toEqual({ status: 404, errors: [{ reason: "Not found" }] });
  });
});

it("an operation error is recognized by its code, also of another copy", () => {
  class Other extends Error {
    readonly code = "plumbline/refused";
  }
  const known = [new Refused("a"), new Other(), new Error("a"), { code: "plumbline/refused" }, null].map(isRefused);
  expect(known).toEqual([true, true, false, false, false]);
  expect(new Refused("a", { field: "b" }).message).toBe("refused: a (b)");
});
