import { expect, it } from "vitest";
import { systemTimer } from "../http/timer.js";
import { openRun } from "../run/open-run.js";
import type { Case, CaseKind, Step } from "../suite.js";
import { createNoteCase, rateLimitedNotesSuite, runNotes } from "../suite.support.js";
import { selectQuickCases } from "./select-quick-cases.js";

const create: Step = { call: "createNote", body: { title: { $unique: "label" } } };
const read: Step = { call: "listNotes" };
const one = (id: string, kind: CaseKind, steps: readonly Step[], requirements: readonly string[] = [id]): Case =>
  createNoteCase({ id, kind, steps, requirements });

it("a quick run has a case for each requirement, the cheapest, and two for each of security", () => {
  const cases = [
    one("bounds-1", "bounds", [create, create], ["a"]),
    one("bounds-2", "bounds", [read], ["a"]),
    one("scopes-1", "scopes", [read], ["b"]),
    one("scopes-2", "scopes", [create], ["b"]),
    one("scopes-3", "scopes", [create, create], ["b"]),
  ];
  expect(selected(cases, 60)).toEqual(["bounds-2", "scopes-1", "scopes-2"]);
});

it("a quick run begins with security, and leaves out what does not fit the rates", () => {
  // Nine creations in each window of 30 s.
  const cases = [
    ...Array.from({ length: 20 }, (_, index) => one(`bounds-${index}`, "bounds", [create])),
    ...Array.from({ length: 5 }, (_, index) => one(`grants-${index}`, "grants", [create])),
  ];
  const chosen = selected(cases, 20);
  expect(chosen).toHaveLength(9);
  expect(chosen.filter((id) => id.startsWith("grants"))).toHaveLength(5);
  expect(selected(cases, 40)).toHaveLength(18);
});

it("a quick run counts shared objects once, and leaves out cases that would be skipped", () => {
  const note: Step = { make: "Note", as: "note" };
  const cases = Array.from({ length: 30 }, (_, index) => one(`shared-${index}`, "bounds", [note, read]));
  expect(selected(cases, 20)).toHaveLength(30);
  expect(selected([createNoteCase({ steps: [read], requires: ["clock"] })], 20)).toEqual([]);
});

it("without requirements, operations and kinds of checks count as such", () => {
  const cases = [one("a", "bounds", [read], []), one("b", "bounds", [read], []), one("c", "types", [read], [])];
  expect(selected(cases, 60)).toEqual(["a", "c"]);
});

it("the report of a quick run says how much it executed", async () => {
  const cases = [one("a", "bounds", [create], ["a"]), one("b", "bounds", [create, create], ["a"])];
  const { report } = await runNotes(cases, { quickSeconds: 60 });
  expect(report.results.map((each) => each.case.id)).toEqual(["a"]);
  expect(report).toMatchObject({
    passed: true,
    quick: { seconds: 60, cases: { chosen: 1, all: 2 }, requirements: { chosen: 1, all: 1 } },
  });
});

function selected(cases: readonly Case[], seconds: number): readonly string[] {
  const { run, close } = openRun(rateLimitedNotesSuite(cases, { max: 10, seconds: 30 }), {
    url: "http://127.0.0.1:9/v1",
    credentials: { main: "main" },
    runId: "testtest",
    seed: 1,
    started: "2026-01-01T00:00:00Z",
    note: () => undefined,
    timer: systemTimer,
  });
  close();
  return selectQuickCases({ run, cases, workers: 1, seconds, requestMs: 10 }).map(({ id }) => id);
}
