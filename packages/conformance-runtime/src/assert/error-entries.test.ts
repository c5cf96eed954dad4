import { expect, test } from "vitest";
import type { DecodedResponse } from "../http/decode-response.js";
import { readDocumentedEntries, readProblemEntries } from "./error-entries.js";

function problem(body: unknown, type = "application/problem+json"): DecodedResponse {
  return {
    status: 400,
    headers: { "content-type": type },
    body,
    text: JSON.stringify(body),
  } as unknown as DecodedResponse;
}

test("entries have the fields to which they point", () => {
  const errors = [
    { detail: "a", pointer: "#/disks/0/a~1b%20~0" },
    { detail: "b", pointer: "#" },
    { detail: "c", parameter: "page" },
    { detail: "d", header: "X-A" },
    { detail: "e", pointer: "#/%" },
  ];
  const { entries, wrong } = readProblemEntries(problem({ title: "Bad Request", status: 400, errors }));
  expect(entries).toEqual([
    { field: "disks.0.a/b ~", reason: "a" },
    { field: undefined, reason: "b" },
    { field: "page", reason: "c" },
    { field: "X-A", reason: "d" },
    { field: "%", reason: "e" },
  ]);
  expect(wrong).toEqual([]);
});

test.each([
  [{ title: "Bad Request", detail: "It is full" }, "It is full"],
  [{ title: "Bad Request", errors: [] }, "Bad Request"],
])("the problem %j is its own entry", (body, reason) => {
  const { entries, wrong } = readProblemEntries(problem(body, "application/problem+json; charset=utf-8"));
  expect([entries, wrong]).toEqual([[{ field: undefined, reason }], []]);
});

test.each([
  [problem({ title: "a" }, "application/json"), "media-type", "", "application/json"],
  [problem([]), "body", "", "[]"],
  [problem({ title: "a", status: 404 }), "body", "/status", "404"],
  [problem({ type: "about:blank", status: 400 }), "body", "/detail", "neither"],
])("what is not a problem is reported", (response, part, at, received) => {
  expect(readProblemEntries(response).wrong).toMatchObject([{ part, at, received }]);
});

const nested = { entries: ["error", "details"], field: ["path"], reason: ["message"] };

test.each([
  [
    nested,
    {
      error: {
        details: [
          { path: "disks.0", message: "a" },
          { path: "", message: "b" },
        ],
      },
    },
    ["disks.0 a", "none b"],
  ],
  [
    nested,
    {
      error: {
        details: [
          { path: "/disks/0", message: "a" },
          { path: "#/b", message: "b" },
        ],
      },
    },
    ["disks.0 a", "b b"],
  ],
  [
    { entries: ["detail"], field: ["loc"], reason: ["msg"] },
    { detail: [{ loc: ["body", "disks", 0], msg: "a" }] },
    ["disks.0 a"],
  ],
  [{ entries: ["detail"], field: ["loc"], reason: ["msg"] }, { detail: [{ loc: ["body"], msg: "a" }] }, ["none a"]],
  [{ reason: ["error", "message"] }, { error: { message: "a" } }, ["none a"]],
  [{ entries: ["errors"], reason: [] }, { errors: ["a", "b"] }, ["none a", "none b"]],
])("entries of the form %j are read", (format, body, expected) => {
  const { entries, wrong } = readDocumentedEntries(problem(body), format);
  expect(entries.map(({ field = "none", reason }) => JSON.stringify([field, reason]))).toEqual(
    expected.map((each) => JSON.stringify(each.split(" "))),
  );
  expect(wrong).toEqual([]);
});

test("a body without the documented entries is reported where they should be", () => {
  const { wrong } = readDocumentedEntries(problem({ error: { message: "a" } }), nested);
  expect(wrong).toMatchObject([{ part: "body", at: "/error/details", received: "no errors" }]);
});

test("a problem has the type of its error", () => {
  const typed = (type?: string) =>
    readProblemEntries(problem({ title: "a", status: 400, ...(type && { type }) }), "https://a.example/full").wrong;
  expect(typed("https://a.example/full")).toEqual([]);
  expect([typed("about:blank"), typed()].flat().map(({ at, received }) => [at, received])).toEqual([
    ["/type", '"about:blank"'],
    ["/type", "null"],
  ]);
});
