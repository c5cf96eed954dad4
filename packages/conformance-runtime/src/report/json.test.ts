import { expect, it } from "vitest";
import { mixedReport, exampleSuite, passedResult, exampleReport, failedResult } from "./example-report.support.js";
import { formatJsonReport } from "./json.js";

it("has few keys for a passed case, and all details for a failed one", () => {
  const { requirements, cases, ...run } = JSON.parse(
    formatJsonReport(exampleReport([passedResult("notes/getNote/own"), failedResult]), exampleSuite, {}),
  );
  expect(run).toEqual({
    format: 1,
    suite: { title: "Notes", version: "1.2.3" },
    runId: "k3f9x2ab",
    seed: 7,
    url: "http://127.0.0.1:1/v1",
    started: "2026-02-28T12:00:00.000Z",
    durationSeconds: 2,
    requests: 300,
    passed: false,
    counts: { pass: 1, fail: 1, "known-fail": 0, "unexpected-pass": 0, skipped: 0, error: 0 },
    causes: [
      {
        kind: "difference",
        title: "POST /notes: HTTP status: 201, expected 400",
        advice: "Compare the first of these cases with the description.",
        operations: ["createNote"],
        cases: ["notes/createNote/title/longer-than-8"],
        blocked: 0,
        requirements: ["note.title.length"],
      },
    ],
    errors: [],
  });
  expect(requirements[0]).toEqual({
    id: "note.title.length",
    status: "failed",
    text: "A title has at most 8 characters.",
    document: "1",
    line: 12,
    locations: ["spec/notes.yaml:14"],
    cases: ["notes/createNote/title/longer-than-8"],
  });
  expect(cases[0]).toEqual({
    id: "notes/getNote/own",
    tag: "notes",
    kind: "responses",
    operation: "getNote",
    title: "A note is shown.",
    status: "pass",
    requirements: ["note.shown"],
    requests: 2,
    durationMs: 12,
  });
  expect(Object.keys(cases[1]).slice(9)).toEqual(["failures", "exchanges", "curl", "reproduce"]);
});

it("has the missing capabilities", () => {
  expect(JSON.parse(formatJsonReport(mixedReport, exampleSuite, {})).cases[2].missing).toEqual(["other-account"]);
});
