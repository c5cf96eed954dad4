import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import type { Sql } from "../store/database.js";
import { openSqlite } from "../store/sqlite.js";
import type { Store } from "../store/store.js";
import type { Survey } from "../store/transaction.js";
import { aloneIn } from "../unit-of-work.support.js";
import { clockOf } from "./clock.js";
import { Jobs } from "./jobs.js";

/** A store with jobs that are due, as `account count`, in this order. */
async function storeOf(...jobs: readonly (readonly [account: string, count: number])[]): Promise<Store> {
  const store = await openSqlite(":memory:");
  onTestFinished(() => store.close());
  let due = 0;
  for (const [account, count] of jobs)
    await store.write({ account, now: 0 }, async (tx) => {
      for (let number = 1; number <= count; number += 1)
        await tx.jobs.add({
          account,
          kind: "note",
          subject: `${account} ${number}`,
          nature: "transient",
          due: (due += 1),
          event: null,
          data: {},
          failures: 0,
        });
    });
  return store;
}

async function orderOf(store: Store): Promise<readonly string[]> {
  const order: string[] = [];
  const jobs = new Jobs({
    store,
    clock: await clockOf(store),
    handlers: { note: async (_, { subject }) => void order.push(subject) },
    log: pino({ level: "silent" }),
    workOf: aloneIn,
  });
  await jobs.runDue();
  await jobs.close();
  return order;
}

test("accounts take turns: a job does not wait for all earlier jobs of another account", async () => {
  const order = await orderOf(await storeOf(["a", 20], ["b", 2], ["c", 1]));
  expect(order.slice(0, 6)).toEqual(["a 1", "b 1", "c 1", "a 2", "b 2", "a 3"]);
  expect(order).toHaveLength(23);
});

test("jobs of one account run in the order in which they are due", async () => {
  expect(await orderOf(await storeOf(["a", 3], ["b", 1], ["a", 2]))).toEqual([
    "a 1",
    "b 1",
    "a 2",
    "a 3",
    "a 1",
    "a 2",
  ]);
});

test("one search finds the accounts of many jobs, however many one account has", async () => {
  const store = await storeOf(["a", 300], ["b", 2]);
  const searches: string[] = [];
  const counted: Store = {
    ...store,
    survey: (now, run) =>
      store.survey(now, (tx) => {
        const { database } = tx;
        const note: Sql["run"] = (text, parameters) => {
          if (text.includes("group by account")) searches.push(text);
          return database.run(text, parameters);
        };
        return run(Object.create(tx, { database: { value: { ...database, run: note } } }) as Survey);
      }),
  };
  expect(await orderOf(counted)).toHaveLength(302);
  // 64 jobs a search, and one search that finds none.
  expect(searches).toHaveLength(Math.ceil(300 / 64) + 1);
});
