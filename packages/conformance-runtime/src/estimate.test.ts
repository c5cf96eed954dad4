import { expect, it } from "vitest";
import { estimateOf } from "./estimate.js";
import { openRun } from "./open.js";
import { aCase, ratedNotes } from "./suite.support.js";
import type { Step } from "./suite.js";
import { systemTimer } from "./timer.js";

const create: Step = { call: "createNote", body: { title: "x" } };
const note: Step = { make: "Note", as: "note" };
const many = (times: number, ...repeat: readonly Step[]): Step => ({ repeat, times });

it.each<[string, readonly (readonly Step[])[], number | undefined]>([
  ["what fits into a window", [[many(9, create)]], undefined],
  ["one more", [[many(10, create)]], 30],
  ["calls of several cases", [[many(9, create)], [many(10, create)]], 60],
  ["calls at once", [[{ parallel: [create], times: 28, outcomes: [{ status: 200, count: 28 }] }]], 90],
  [
    "calls that are to be refused for the rate, which do not wait",
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
  ["other methods, which are not the operation's", [[many(99, { call: "createNote", method: "PATCH" })]], undefined],
  ["calls that no rate bounds", [[many(99, { call: "listNotes" })]], undefined],
  ["what the lane makes once for all its cases", Array.from({ length: 30 }, () => [note]), undefined],
  ["what each case makes for itself", Array.from({ length: 10 }, () => [{ ...note, fresh: true }]), 30],
  ["what is made otherwise", Array.from({ length: 10 }, (_, at) => [{ ...note, with: { title: `${at}` } }]), 30],
  [
    "what is made from what is new",
    Array.from({ length: 10 }, () => [{ ...note, with: { title: { $unique: "label" } } }]),
    30,
  ],
  [
    "what is made of what the case has made",
    Array.from({ length: 5 }, () => [
      { ...note, fresh: true },
      { ...note, of: { Note: { $get: "note#/id" } } },
    ]),
    30,
  ],
  [
    "what is made of what the lane has made",
    Array.from({ length: 30 }, () => [note, { ...note, as: "other", of: { Note: { $get: "note#/id" } } }]),
    undefined,
  ],
  ["callers with a window of their own", [[many(9, create), many(9, { ...create, by: "stranger" })]], undefined],
])("counts %s", (_, steps, seconds) => {
  const cases = steps.map((each, index) => aCase({ id: `case-${index}`, steps: each }));
  expect(estimate(cases)).toBe(seconds);
});

it("leaves out cases that are skipped, and knows of no wait where the clock can be moved", () => {
  const cases = [aCase({ steps: [many(10, create)], needs: ["clock"] }), aCase({ id: "b", steps: [create] })];
  expect(estimate(cases)).toBe(undefined);
  expect(estimate([aCase({ steps: [many(10, create)] })], "http://127.0.0.1:9")).toBe(undefined);
});

it("divides among lanes what is not made in each", () => {
  const cases = Array.from({ length: 36 }, (_, index) => aCase({ id: `case-${index}`, steps: [note, create] }));
  expect(estimate(cases)).toBe(120);
  expect(estimate(cases, undefined, 4)).toBe(30);
});

function estimate(cases: Parameters<typeof estimateOf>[1], controls?: string, lanes = 1): number | undefined {
  const { run, close } = openRun(ratedNotes(cases, { max: 10, seconds: 30 }), {
    url: "http://127.0.0.1:9/v1",
    ...(controls === undefined ? {} : { controls }),
    credentials: { main: "main", stranger: "stranger" },
    runId: "testtest",
    seed: 1,
    started: "2026-01-01T00:00:00Z",
    note: () => undefined,
    timer: systemTimer,
  });
  close();
  return estimateOf(run, cases, lanes);
}
