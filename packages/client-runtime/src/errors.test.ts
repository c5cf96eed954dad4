import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { expect, expectTypeOf, test, vi } from "vitest";
import { ApiError, isApiError, type UndocumentedStatus } from "./index.js";

const facts = {
  code: "http",
  method: "POST",
  url: "https://api.example/x",
  status: 400,
  headers: new Headers({ "X-Request-Id": "r1", "Set-Cookie": "sid=hush" }),
  body: { secret: "hush", errors: [{ field: "label", reason: "too short" }] },
} as const;

test("an error has a readable message", () => {
  const error = new ApiError(facts);
  expect(String(error)).toBe("ApiError: POST https://api.example/x: 400 too short (label)");
  expect(error.stack?.split("\n")[0]).toBe("ApiError: POST https://api.example/x: 400 too short (label)");
});

test("its JSON has no part of the response", () => {
  expect(JSON.parse(JSON.stringify(new ApiError(facts)))).toEqual({
    name: "ApiError",
    message: "POST https://api.example/x: 400 too short (label)",
    code: "http",
    status: 400,
    errors: [{ field: "label", reason: "too short" }],
    requestId: "r1",
    method: "POST",
    url: "https://api.example/x",
  });
  expect(inspect(new ApiError(facts))).not.toContain("hush");
});

test("an error without a response has status 0 and nothing else", () => {
  const cause = new Error("ECONNREFUSED");
  const error = new ApiError({ code: "network", method: "GET", url: "u", text: "no complete response", cause });
  expect({ ...error, body: error.body, headers: error.headers, cause: error.cause, message: error.message }).toEqual({
    code: "network",
    status: 0,
    errors: [],
    requestId: undefined,
    method: "GET",
    url: "u",
    body: undefined,
    headers: undefined,
    cause,
    message: "GET u: no complete response",
  });
  expect("cause" in new ApiError(facts)).toBe(false);
});

const problem = { type: "about:blank", title: "Bad Request", status: 400 };

test.each([
  [{ ...problem, detail: "It is full" }, "It is full", [{ reason: "It is full" }]],
  [problem, "Bad Request", [{ reason: "Bad Request" }]],
  [
    {
      ...problem,
      detail: "Two values",
      errors: [
        { detail: "must be a number", pointer: "#/age" },
        { detail: "is required", parameter: "page" },
      ],
    },
    "must be a number (#/age); is required (page)",
    [
      { reason: "must be a number", field: "#/age" },
      { reason: "is required", field: "page" },
    ],
  ],
  [{ detail: "Not found" }, "Not found", [{ reason: "Not found" }]],
  [{ detail: [{ loc: ["body"], msg: "field required" }] }, "Oh", []],
  [{ title: "One error", errors: { name: ["is required"] } }, "One error", [{ reason: "One error" }]],
  [{ message: "Not Found", documentation_url: "https://x" }, "Not Found", [{ reason: "Not Found" }]],
  [
    { message: "Validation Failed", errors: [{ field: "name", code: "missing" }] },
    "Validation Failed",
    [{ reason: "Validation Failed" }],
  ],
  [{ message: "Not Found", path: "/pets/7" }, "Not Found", [{ reason: "Not Found" }]],
  [{ error: "No such pet" }, "No such pet", [{ reason: "No such pet" }]],
  [{ error: { message: "No key", code: 7 } }, "No key", [{ reason: "No key" }]],
  [{ title: { toString: 1 } }, "Oh", []],
  [{ errors: [null, 1, "text", { reason: 5 }, { detail: null }] }, "text", [{ reason: "text" }]],
  ["<html>", "Oh", []],
  [null, "Oh", []],
])("reads the problem %j", (body, said, errors) => {
  const error = new ApiError({ code: "http", method: "GET", url: "u", text: "Oh", status: 400, body });
  expect([error.message, error.errors]).toEqual([`GET u: 400 ${said}`, errors]);
});

test("the guard recognizes errors of another copy of the package", async () => {
  vi.resetModules();
  const copy = await import("./errors.js");
  expect(copy.ApiError).not.toBe(ApiError);
  expect(isApiError(new copy.ApiError(facts))).toBe(true);
  expect(copy.isApiError(new ApiError(facts))).toBe(true);
});

test("the guard rejects other values", () => {
  const others = [
    new Error("x"),
    { ...new ApiError(facts) },
    runInNewContext("new Error()"),
    null,
    undefined,
    "ApiError",
    () => {},
  ];
  expect(others.map(isApiError)).toEqual(others.map(() => false));
});

test("types describe what an error has", () => {
  expectTypeOf<ApiError<400, { a: 1 }>>().toExtend<ApiError>();
  expectTypeOf<ApiError<400, string>["status"]>().toEqualTypeOf<400>();
  expectTypeOf<ApiError<400, string>["body"]>().toEqualTypeOf<string>();
  expectTypeOf<UndocumentedStatus>().toExtend<number>();
  expectTypeOf(isApiError).guards.toEqualTypeOf<ApiError>();
});
