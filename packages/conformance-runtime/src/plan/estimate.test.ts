import { expect, it } from "vitest";
import { systemTimer } from "../http/timer.js";
import { openRun } from "../run/open-run.js";
import type { Case, Step, Suite } from "../suite.js";
import { createNoteCase, notesSuite, rateLimitedNotesSuite } from "../suite.support.js";
import { estimateWaitSeconds } from "./estimate.js";

const create: Step = { call: "createNote", body: { title: "x" } };
const note: Step = { make: "Note", as: "note" };
const many = (times: number, ...repeat: readonly Step[]): Step => ({ repeat, times });

it.each<[string, readonly (readonly Step[])[], number | undefined]>([
  ["what fits into a window", [[many(9, create)]], undefined],
  ["one more", [[many(10, create)]], 30],
  ["calls of several cases", [[many(9, create)], [many(10, create)]], 60],
  ["calls at once", [[{ parallel: [create], times: 28, outcomes: [{ status: 200, count: 28 }] }]], 90],
  [
    "calls that test the rate limit, which do not wait",
    [
      [
        {
          parallel: [create],
          times: 30,
          outcomes: [
            { status: 200, count: 10 },
            { status: 429, count: 20 },
          ],
        },
        many(10, { ...create, expect: { status: 429 } }),
      ],
    ],
    undefined,
  ],
  ["time that passes", [[create, { advance: "PT4S" }, many(2, { advance: "PT1S" })]], 6],
  ["a user that stands in for a new one", [[{ actor: { account: "own" }, as: "eve", idleSeconds: 3 }]], 6],
  ["calls with another method", [[many(99, { call: "createNote", method: "PATCH" })]], undefined],
  ["calls without a rate limit", [[many(99, { call: "listNotes" })]], undefined],
  ["objects that the worker creates once for all its cases", Array.from({ length: 30 }, () => [note]), undefined],
  ["objects that each case creates", Array.from({ length: 10 }, () => [{ ...note, fresh: true }]), 30],
  [
    "objects created with other inputs",
    Array.from({ length: 10 }, (_, at) => [{ ...note, with: { title: `${at}` } }]),
    30,
  ],
  [
    "objects created from unique values",
    Array.from({ length: 10 }, () => [{ ...note, with: { title: { $unique: "label" } } }]),
    30,
  ],
  [
    "objects created within objects of the case",
    Array.from({ length: 5 }, () => [
      { ...note, fresh: true },
      { ...note, of: { Note: { $get: "note#/id" } } },
    ]),
    30,
  ],
  [
    "objects created within objects of the worker",
    Array.from({ length: 30 }, () => [note, { ...note, as: "other", of: { Note: { $get: "note#/id" } } }]),
    undefined,
  ],
  ["callers with separate windows", [[many(9, create), many(9, { ...create, by: "other-account" })]], undefined],
])("counts %s", (_, steps, seconds) => {
  const cases = steps.map((each, index) => createNoteCase({ id: `case-${index}`, steps: each }));
  expect(estimate(cases)).toBe(seconds);
});

it("counts the calls of operations that share a limit, with the deletion of what they create", () => {
  const rate = { id: "all", max: 10, seconds: 60 };
  const cases = Array.from({ length: 6 }, (_, index) =>
    createNoteCase({ id: `case-${index}`, steps: [create, { call: "listNotes" }] }),
  );
  const suite = notesSuite(cases);
  const operations = Object.entries(suite.operations).map(
    ([name, info]) => [name, { ...info, rates: [rate] }] as const,
  );
  // Three calls a case, nine a minute.
  expect(estimate(cases, { suite: { ...suite, operations: Object.fromEntries(operations) } })).toBe(60);
});

it("leaves out skipped cases, and is undefined when the clock can be advanced", () => {
  const cases = [
    createNoteCase({ steps: [many(10, create)], requires: ["clock"] }),
    createNoteCase({ id: "b", steps: [create] }),
  ];
  expect(estimate(cases)).toBe(undefined);
  expect(estimate([createNoteCase({ steps: [many(10, create)] })], { controls: "http://127.0.0.1:9" })).toBe(undefined);
});

it("divides the cases among workers, but counts shared objects in each", () => {
  const cases = Array.from({ length: 36 }, (_, index) =>
    createNoteCase({ id: `case-${index}`, steps: [note, create] }),
  );
  expect(estimate(cases)).toBe(120);
  expect(estimate(cases, { workers: 4 })).toBe(30);
});

function estimate(
  cases: readonly Case[],
  {
    suite = rateLimitedNotesSuite(cases, { max: 10, seconds: 30 }),
    controls,
    workers = 1,
  }: { readonly suite?: Suite; readonly controls?: string; readonly workers?: number } = {},
): number | undefined {
  const { run, close } = openRun(suite, {
    url: "http://127.0.0.1:9/v1",
    ...(controls === undefined ? {} : { controls }),
    credentials: { main: "main", otherAccount: "other" },
    runId: "testtest",
    seed: 1,
    started: "2026-01-01T00:00:00Z",
    note: () => undefined,
    timer: systemTimer,
  });
  close();
  return estimateWaitSeconds(run, cases, workers);
}
