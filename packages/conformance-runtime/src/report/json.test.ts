import { expect, it } from "vitest";
import { jsonReport } from "./json.js";
import { mixed, notes, passed, runOf, tooLong } from "./example.support.js";

it("has few keys for a passed case, and all details for a failed one", () => {
  const { requirements, cases, ...run } = JSON.parse(
    jsonReport(runOf([passed("notes/getNote/own"), tooLong]), notes, {}),
  );
  expect(run).toEqual({
    format: 1,
    suite: { title: "Notes", version: "1.2.3" },
    runId: "k3f9x2ab",
    seed: 7,
    url: "http://127.0.0.1:1/v1",
    started: "2026-02-28T12:00:00.000Z",
    took: 2,
    requests: 300,
    passed: false,
    counts: { pass: 1, fail: 1, "known-fail": 0, "unexpected-pass": 0, skipped: 0, "could-not-run": 0 },
    problems: [],
  });
  expect(requirements[0]).toEqual({
    id: "note.title.length",
    status: "failed",
    says: "A title has at most 8 characters.",
    document: "1",
    line: 12,
    places: ["spec/notes.yaml:14"],
    cases: ["notes/createNote/title/longer-than-8"],
  });
  expect(cases[0]).toEqual({
    id: "notes/getNote/own",
    area: "notes",
    kind: "replies",
    operation: "getNote",
    title: "A note is shown.",
    status: "pass",
    requirements: ["note.shown"],
    requests: 2,
    took: 12,
  });
  expect(Object.keys(cases[1]).slice(9)).toEqual(["differences", "exchanges", "curl", "reproduce"]);
});

it("has the missing capabilities", () => {
  expect(JSON.parse(jsonReport(mixed, notes, {})).cases[2].missing).toEqual(["stranger"]);
});
