import { expect, test } from "vitest";
import { createErrorResponse } from "./error-response.js";
import { createProblemDetails, toProblemDetails } from "./problem-details.js";

test("the problem of two invalid values is the example of RFC 9457, with what the status says", () => {
  const entries = [
    { in: "body", field: "age", reason: "must be a positive integer" },
    { in: "body", field: "profile.color", reason: "must be 'green', 'red' or 'blue'" },
  ] as const;
  expect(createProblemDetails({ status: 422, entries })).toEqual({
    type: "about:blank",
    title: "Unprocessable Content",
    status: 422,
    detail: "age must be a positive integer; profile.color must be 'green', 'red' or 'blue'",
    errors: [
      { detail: "must be a positive integer", pointer: "#/age" },
      { detail: "must be 'green', 'red' or 'blue'", pointer: "#/profile/color" },
    ],
  });
});

test.each([
  [{ in: "body", reason: "r" }, { pointer: "#" }],
  [{ in: "body", field: "a/b.0.~c d\ud800", reason: "r" }, { pointer: "#/a~1b/0/~0c%20d%EF%BF%BD" }],
  [{ in: "query", field: "page", reason: "r" }, { parameter: "page" }],
  [{ in: "path", field: "id", reason: "r" }, { parameter: "id" }],
  [{ in: "cookie", field: "session", reason: "r" }, { parameter: "session" }],
  [{ in: "header", field: "X-Trace", reason: "r" }, { header: "X-Trace" }],
] as const)("an entry of %j has %j", (entry, location) => {
  expect(createProblemDetails({ status: 400, entries: [entry] }).errors).toEqual([{ detail: "r", ...location }]);
});

test("a problem that is not about a value has no entries", () => {
  const problem = { status: 409, type: "https://a.example/full", title: "It is full", instance: "#1" };
  expect(createProblemDetails({ ...problem, entries: [{ reason: "There are ten notes" }] })).toEqual({
    ...problem,
    detail: "There are ten notes",
  });
  expect(createProblemDetails({ status: 418, entries: [] })).toEqual({
    type: "about:blank",
    title: "Error",
    status: 418,
    detail: "Error",
  });
});

test("the error response of a validator keeps its headers", () => {
  const all = [{ in: "request", code: "size", reason: "is too large" }] as const;
  const { headers, body, issues } = toProblemDetails(createErrorResponse({ all }));
  expect(headers).toEqual({ connection: "close", "content-type": "application/problem+json" });
  expect(body).toEqual({ type: "about:blank", title: "Content Too Large", status: 413, detail: "is too large" });
  expect(issues).toEqual(all);
});

test("the issues of an invalid response are not sent", () => {
  const issues = [{ in: "response", field: "secret", code: "type", reason: "is not a string" }] as const;
  const sent = toProblemDetails({
    kind: "error",
    status: 500,
    headers: {},
    body: { errors: [{ reason: "is not valid" }] },
    issues,
  });
  expect(sent.body).toEqual({
    type: "about:blank",
    title: "Internal Server Error",
    status: 500,
    detail: "is not valid",
  });
});

test("texts have at most 1,024 characters", () => {
  const entries = [{ in: "body", field: "a".repeat(2000), reason: "b".repeat(2000) }] as const;
  const { detail, errors } = createProblemDetails({ status: 400, entries });
  expect([detail.length, errors?.[0]?.detail.length, errors?.[0]?.pointer?.length]).toEqual([1024, 1024, 1024]);
});
