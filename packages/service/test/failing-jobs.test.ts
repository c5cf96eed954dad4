import { Writable } from "node:stream";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import type { Clock } from "../src/platform/clock.js";
import { Jobs, type JobHandlers } from "../src/platform/jobs.js";
import type { JobRow } from "../src/store/rows.js";
import { readStoreState } from "../src/store/statements.js";
import { aloneIn } from "../src/unit-of-work.support.js";
import { inFile, onPostgres } from "./support/stores.js";

const account = "a";

test.each([
  ["in a file", () => inFile()],
  ["on PostgreSQL", () => onPostgres()],
])("a job that always fails is given up, and no other waits for it, %s", async (_, place) => {
  const store = await (await place()).open();
  onTestFinished(() => store.close());
  let now = Date.UTC(2030, 0, 1);
  const noChange = async (): Promise<void> => {};
  const advance = async (by: number): Promise<void> => void (now += by);
  const clock: Clock = { now: () => now, real: () => now, isHeld: false, advance, hold: noChange, refresh: noChange };
  let log = "";
  const write = (text: Buffer, _encoding: string, done: () => void): void => {
    log += text.toString();
    done();
  };
  const outcomes: string[] = [];
  const runnerOf = (handlers: JobHandlers): Jobs =>
    new Jobs({
      store,
      clock,
      handlers,
      log: pino({ level: "error" }, new Writable({ write })),
      onOutcome: (kind, outcome) => outcomes.push(`${kind} ${outcome}`),
      workOf: aloneIn,
    });
  const plan = async (kind: string, subject: string): Promise<JobRow> =>
    store.write({ account, now: now }, async (tx) => {
      const work = aloneIn(tx);
      const { id: event } = await work.recordEvent({ account, action: "compute_boot", status: "started" });
      const due = Math.round(now);
      return tx.jobs.add({ account, kind, subject, nature: "transient", due, event, data: {}, failures: 0 });
    });
  const find = <T>(name: "jobs" | "events", id: number | null): Promise<T> =>
    store.survey(now, async (tx) => (await tx[name].get(Number(id))) as T);
  const fail = async (): Promise<never> => {
    throw new Error("always");
  };
  const jobs = runnerOf({ fail, note: noChange });

  const bad = await plan("fail", "instance 1");
  await plan("note", "instance 2");
  await jobs.runDue();
  expect(outcomes).toEqual(["fail failed", "note done"]);
  for (let failures = 1; failures <= 16; failures += 1) {
    const { due } = await find<JobRow>("jobs", bad.id);
    expect(due - now).toBe(2 ** failures * 1000);
    await plan("note", `instance ${failures + 2}`);
    now = due - 1;
    await jobs.runDue();
    expect(outcomes.at(-1)).toBe("note done");
    // It is late, and waits from now on.
    now = due + 5000;
    await jobs.runDue();
    expect(outcomes.at(-1)).not.toBe("note done");
  }
  const runs = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
  expect([runs("fail failed"), runs("fail given-up"), runs("note done")]).toEqual([17, 1, 17]);
  expect(await readStoreState(store, now)).toMatchObject({ dueJobs: 0, jobLagMs: 0, givenUpJobs: 1 });
  expect(await find("events", bad.event)).toMatchObject({ status: "failed" });
  const lines = log.trim().split("\n");
  expect(lines).toHaveLength(18);
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
    msg: expect.stringContaining("given up") as string,
    job: { id: bad.id, kind: "fail" },
  });
  // Neither a day nor the end of all transient states makes it run again.
  await clock.advance(86_400_000);
  expect([await jobs.runDue(), await jobs.settle()]).toEqual([0, 0]);
  await jobs.close();

  const next = runnerOf({ fail, note: noChange });
  await next.retryGivenUp();
  await next.runDue();
  await next.close();
  expect([runs("fail failed"), runs("fail given-up")]).toEqual([18, 2]);
  const repaired = runnerOf({ fail: noChange });
  await repaired.retryGivenUp();
  await repaired.runDue();
  await repaired.close();
  expect(outcomes.at(-1)).toBe("fail done");
  expect(await readStoreState(store, now)).toMatchObject({ givenUpJobs: 0 });
});
