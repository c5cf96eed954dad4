import { expect, it } from "vitest";
import { serveNotes } from "../notes-server.support.js";
import type { RunOptions, RunReport } from "../results.js";
import { runSuite } from "../run-suite.js";
import type { Case, CallStep, Suite } from "../suite.js";
import { createNoteCase, notesSuite, rateLimitedNotesSuite, virtualTimer } from "../suite.support.js";
import { createRequestThrottle } from "./request-throttle.js";
import { systemTimer, type Timer } from "./timer.js";

const rate = { max: 3, seconds: 30 };
const create: CallStep = { call: "createNote", body: { title: { $unique: "label" } } };
const creates = (count: number): readonly Case[] =>
  Array.from({ length: count }, (_, index) => createNoteCase({ id: `create-${index}`, steps: [create] }));

it("stays below a rate limit, so no request is repeated", async () => {
  const { report, posts, notes, waited } = await run(creates(5));
  expect(report.passed).toBe(true);
  expect(posts).toBe(5);
  // Two requests in each window.
  expect(waited).toBe(2 * 30_020);
  expect(notes).toEqual(["The run waits to call createNote at most 2 times in 30 s, below its rate limit."]);
});

it("does not delay requests that test the rate limit, but counts them", async () => {
  const rejected = createNoteCase({
    id: "refused",
    steps: [
      {
        parallel: [create],
        times: 5,
        outcomes: [
          { status: 200, count: 3 },
          { status: 429, count: 2 },
        ],
      },
      { ...create, expect: { status: 429 } },
      create,
    ],
  });
  const { report, posts, notes } = await run([rejected]);
  expect(report.results[0]).toMatchObject({ status: "pass", failures: [] });
  expect(posts).toBe(7);
  expect(notes).toHaveLength(1);
});

it("does not wait when the clock can be advanced", async () => {
  const { notes } = await run(creates(3), { with: "controls" });
  expect(notes).toEqual([]);
});

it("does not delay a request with another method", async () => {
  const other = createNoteCase({
    steps: [{ repeat: [{ ...create, method: "PATCH", expect: { status: 404 } }], times: 5 }],
  });
  const { report, notes } = await run([other]);
  expect(report.passed).toBe(true);
  expect(notes).toEqual([]);
});

it("deletes its objects within the rate limit of the deletion", async () => {
  const { url } = await serveNotes();
  const suite = notesSuite(creates(2));
  const { deleteNote } = suite.operations;
  if (deleteNote === undefined) throw new Error("No notes.");
  const operations = { ...suite.operations, deleteNote: { ...deleteNote, rates: [{ max: 2, seconds: 20 }] } };
  const { notes, waited } = await runThrottled({ ...suite, operations }, { url });
  expect(waited).toBe(20_020);
  expect(notes).toEqual(["The run waits to call deleteNote at most once in 20 s, below its rate limit."]);
});

it("counts the requests of all operations that share a rate limit, cleanup included", async () => {
  const { url } = await serveNotes();
  const suite = notesSuite(creates(3));
  const shared = { id: "requests", max: 4, seconds: 20 };
  const operations = Object.entries(suite.operations).map(
    ([name, info]) => [name, { ...info, rates: [shared] }] as const,
  );
  const { notes, waited } = await runThrottled({ ...suite, operations: Object.fromEntries(operations) }, { url });
  // Three creations, three deletions, and the list of notes before and after: three in each window.
  expect(waited).toBe(2 * 20_020);
  expect(notes).toEqual([
    "The run waits to call createNote and the operations that share requests at most 3 times in 20 s, below its rate limit.",
  ]);
});

it("has one window for each user, independent of tokens, and stops waiting when the run stops", async () => {
  const stopping = new AbortController();
  const facts = rateLimitedNotesSuite([], { max: 2, seconds: 3600 }).operations["createNote"];
  if (facts === undefined) throw new Error("No notes.");
  const notes: string[] = [];
  const pace = createRequestThrottle({
    isEnabled: true,
    note: (text) => notes.push(text),
    signal: stopping.signal,
    timer: systemTimer,
  });
  const turn = (account: string | null, token?: string): Promise<() => void> => {
    const by = { label: "", account, username: null, ...(token === undefined ? {} : { token }) };
    return pace.acquire({ operation: "createNote", info: facts, by, isDelayed: true });
  };
  await turn(null, "Bearer one");
  await turn("other", "Bearer two");
  await turn(null);
  expect(notes).toEqual([]);
  const waiting = turn(null, "Bearer another");
  expect(notes).toHaveLength(1);
  stopping.abort();
  await waiting;
});

async function run(
  cases: readonly Case[],
  given: { readonly with?: "controls" } = {},
): Promise<ThrottledRun & { readonly posts: number }> {
  const timer = virtualTimer();
  const { url, controls, log } = await serveNotes({
    rate: rate.max,
    window: rate.seconds,
    now: timer.now,
    retryAfter: "1",
  });
  const where = { url, ...(given.with === undefined ? {} : { controls }) };
  const all = await runThrottled(rateLimitedNotesSuite(cases, rate), where, timer);
  return { ...all, posts: log.filter((line) => line === "POST /v1/notes").length };
}

interface ThrottledRun {
  readonly report: RunReport;
  readonly notes: readonly string[];
  /** Milliseconds. */
  readonly waited: number;
}

async function runThrottled(
  suite: Suite,
  where: Pick<RunOptions, "url" | "controls">,
  timer: Timer = virtualTimer(),
): Promise<ThrottledRun> {
  const notes: string[] = [];
  const options: RunOptions = {
    ...where,
    credentials: { main: "main-token-0123456789" },
    cases: suite.cases,
    seed: 1,
    workers: 1,
    timer,
    onProgress: (progress) => {
      if (progress.kind === "note") notes.push(progress.text);
    },
  };
  const report = await runSuite(suite, options);
  return { report, notes, waited: timer.now() };
}
