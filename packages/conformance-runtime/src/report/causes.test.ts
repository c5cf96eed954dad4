import { describe, expect, it } from "vitest";
import { createFailure } from "../assert/failures.js";
import type { AssertionFailure, CaseResult, CaseStatus, Difference } from "../results.js";
import type { Case, OperationInfo, Suite } from "../suite.js";
import { findCauses, formatCauseCount } from "./causes.js";
import { exampleExchange, exampleReport, exampleSuite } from "./example-report.support.js";

const operations = ["getNote", "createNote", "deleteNote", "listNotes"];
const noteInfo = { tag: "notes", location: "", parameters: [], responses: {} };
const suite: Suite = {
  ...exampleSuite,
  operations: Object.fromEntries(
    operations.map((name) => [name, { ...noteInfo, method: name.replace(/[A-Z].*/, ""), path: `/${name}` }]),
  ),
};

describe("causes", () => {
  it("begin with operations that are not implemented, by all their failures", () => {
    const results = [
      ...times(2, () => failed("getNote", [status("404", "200")], 404)),
      failed("getNote", [body("/errors", "missing")], 404),
      { ...failed("createNote", [status("404", "200")], 404, "getNote"), status: "error" as const },
      failed("createNote", [body("/title", "missing")], 200),
    ];
    expect(causesOf(results)).toEqual([
      "GET /getNote is not implemented: 4 cases, of which 1 could not run",
      "CREATE /createNote: title is missing: 1 case",
    ]);
  });

  it("take an operation as implemented that responds otherwise to one request", () => {
    const results = times(2, () => failed("getNote", [status("404", "200")], 404));
    const responses = { getNote: { 404: 20, 200: 1 } };
    expect(causesOf(results, responses)).toEqual(["GET /getNote: HTTP status: 404, expected 200: 2 cases"]);
    expect(causesOf(results, { getNote: { 404: 20, 401: 1 } })).toEqual(["GET /getNote is not implemented: 2 cases"]);
  });

  it("name an operation that looks for objects without credentials", () => {
    const hole = failed("getNote", [status("404", "401")], 404);
    const results = [{ ...hole, case: { ...hole.case, kind: "security" as const } }];
    expect(causesOf(results, { getNote: { 404: 3 } })).toEqual([
      "GET /getNote responds without valid credentials with 404, expected 401: 1 case",
    ]);
    const missing = [...results, failed("getNote", [status("404", "200")], 404)];
    expect(causesOf(missing, { getNote: { 404: 4 } })).toEqual(["GET /getNote is not implemented: 2 cases"]);
  });

  it("say where a valid request is written, if one of the description gets an error", () => {
    const none = { requirements: [], mediaTypes: [], headers: {} };
    const createNote: OperationInfo = { ...noteInfo, method: "create", path: "/createNote", responses: { 404: none } };
    const orders = { ...suite.operations, createNote };
    const advice = (given: CaseResult): string | undefined =>
      findCauses(exampleReport([given]), { ...suite, operations: orders })[0]?.advice;
    const exchanges = [exampleExchange({ operation: "createNote", status: 404, requestBody: "{}" })];
    const compare = "ompare the first of these cases with the description.";
    expect(advice({ ...failed("createNote", [status("404", "201")], 404), exchanges, status: "error" })).toBe(
      `If a valid request needs values that are not in the description, write them in conformance.yaml: operations: {createNote: {body: {…}}}. Otherwise c${compare}`,
    );
    expect(advice(failed("createNote", [status("201", "400")], 201))).toBe(`C${compare}`);
  });

  it("are one where some cases accept more statuses than others", () => {
    const results = [
      ...times(2, () => failed("getNote", [status("200", "404")], 200)),
      failed("getNote", [status("200", "404 or 410")], 200),
      failed("getNote", [status("200", "400 or 422")], 200),
    ];
    expect(causesOf(results)).toEqual([
      "GET /getNote: HTTP status differs: 3 cases",
      "GET /getNote: HTTP status: 200, expected 400 or 422: 1 case",
    ]);
  });

  it("have errors in common, before the differences of operations", () => {
    const wrong = [body("/errors", "missing"), body("/message", "undocumented")];
    const results = [
      ...times(5, () => failed("listNotes", [status("200", "400")], 200)),
      failed("getNote", wrong, 404),
      failed("createNote", wrong, 400),
      failed("deleteNote", [status("500", "204")], 500),
      failed("deleteNote", [connection], 0),
    ];
    expect(causesOf(results)).toEqual([
      "DELETE /deleteNote has no response: 1 case",
      "DELETE /deleteNote responds with 500: 1 case",
      "Error bodies have no `errors`: 2 cases",
      "LIST /listNotes: HTTP status: 200, expected 400: 5 cases",
    ]);
  });

  it("have in common what three operations have in common", () => {
    const header = {
      part: "header",
      at: "X-Request-Id",
      kind: "missing",
      expected: "a string",
      received: "none",
    } as const;
    const on = (names: readonly string[]): readonly CaseResult[] => names.map((name) => failed(name, [header], 200));
    expect(causesOf(on(operations))).toEqual(["header X-Request-Id is missing, in 4 operations: 4 cases"]);
    expect(causesOf(on(operations.slice(0, 2)))).toEqual([
      "GET /getNote: header X-Request-Id is missing: 1 case",
      "CREATE /createNote: header X-Request-Id is missing: 1 case",
    ]);
    const accepted = operations.map((name) => failed(name, [status("200", "403")], 200));
    expect(causesOf(accepted)).toEqual(["HTTP status: 200, expected 403, in 4 operations (bounds): 4 cases"]);
  });

  it("name the location where values differ", () => {
    const title = (expected: string): Difference => ({
      ...body("/data/3/title", "different"),
      expected,
      received: '"x"',
    });
    expect(causesOf(["1", "2"].map((each) => failed("getNote", [title(each)], 200)))).toEqual([
      "GET /getNote: data.*.title differs: 2 cases",
    ]);
    expect(causesOf([failed("getNote", [title('"a"')], 200)])).toEqual([
      'GET /getNote: data.*.title: "x", expected "a": 1 case',
    ]);
  });

  it("are only the wrong credential, if the run stopped for it", () => {
    const stopped = { kind: "credential", text: "The server responded with 401. Check --token." } as const;
    const report = exampleReport([failed("getNote", [status("401", "200")], 401)], { stopped });
    expect(findCauses(report, suite)).toMatchObject([
      { kind: "wrong-target", title: "The server responded with 401", advice: "Check --token.", results: [{}] },
    ]);
  });

  it("group failures without a difference by their messages, and leave out known ones", () => {
    const odd: AssertionFailure = { message: "It is odd.", expected: "", received: "", requirements: [] };
    const result = { ...failed("getNote", [], 200), failures: [odd] };
    const known = { ...failed("getNote", [status("200", "400")], 200), status: "known-fail" as CaseStatus };
    const rest = { ...result, status: "error" as CaseStatus, notStarted: true as const };
    expect(causesOf([result, result, known, rest])).toEqual(["It is odd: 2 cases"]);
    expect(findCauses(exampleReport([]), suite)).toEqual([]);
  });
});

function causesOf(
  results: readonly CaseResult[],
  responses?: Readonly<Record<string, Readonly<Record<number, number>>>>,
): readonly string[] {
  const distinct = results.map((each) => ({ ...each }));
  const report = exampleReport(distinct, responses === undefined ? {} : { responses });
  return findCauses(report, suite).map((each) => `${each.title}: ${formatCauseCount(each)}`);
}

/** A case of an operation, with the response to `called` that shows the differences. */
function failed(operation: string, differences: readonly Difference[], code: number, called = operation): CaseResult {
  const one: Case = {
    id: `notes/${operation}/a`,
    kind: "bounds",
    operation,
    title: "",
    requirements: [],
    requires: [],
    steps: [],
  };
  return {
    case: one,
    status: "fail",
    missing: [],
    failures: differences.map((each) => ({ ...createFailure(each, { requirements: [] }), exchange: 0 })),
    exchanges: [exampleExchange({ operation: called, status: code })],
    requests: 1,
    durationMs: 1,
  };
}

function status(received: string, expected: string): Difference {
  return { part: "status", at: "", kind: "different", expected, received };
}

function body(at: string, kind: Difference["kind"]): Difference {
  return { part: "body", at, kind, expected: "a value", received: "no such field" };
}

const connection: Difference = {
  part: "connection",
  at: "",
  kind: "missing",
  expected: "a response",
  received: "none",
};

function times<Item>(count: number, create: () => Item): readonly Item[] {
  return Array.from({ length: count }, create);
}
