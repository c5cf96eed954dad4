import { expect, test } from "vitest";
import type { DecodedResponse } from "../http/decode-response.js";
import { readProblemEntries } from "./error-entries.js";

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
