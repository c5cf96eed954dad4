import * as api from "@cloud-compute/client";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../src/store/postgres.js";
import { postgresPrograms, startPair } from "../src/store/standby.support.js";
import { brokenInvariants } from "./support/invariants.js";
import { everyItem } from "./support/pages.js";
import { run, type Program } from "./support/program.js";
import { proxyTo } from "./support/proxy.js";
import { statusOf } from "./support/status.js";

const hasServer = postgresPrograms !== undefined && process.env["MODE"] !== "unit";

test.skipIf(!hasServer)("every acknowledged write survives the primary when a standby is promoted", async () => {
  const pair = await startPair();
  onTestFinished(() => pair.close());
  // It stands for the address that moves to the new primary.
  const address = await proxyTo(pair.primary);
  const program = await run(["--database-url", address.url, "--data", ":memory:"]);
  const load = startLoad(program);
  await load.acknowledged(50);
  await pair.killPrimary();
  await load.failed(20);
  await pair.promote();
  address.moveTo(pair.standby);
  await load.acknowledged(50);
  const { labels, statuses } = await load.stop();
  expect([...statuses].toSorted(), program.log()).toEqual([200, 503]);
  const { length } = labels;
  expect(length).toBeGreaterThanOrEqual(100);
  const found = new Set((await everyItem((query) => api.listTags(program.admin, { query }))).map(({ label }) => label));
  expect(labels.filter((label) => !found.has(label))).toEqual([]);
  expect(await program.end("SIGTERM")).toBe(0);
  const store = await openPostgres(pair.standby);
  expect(await store.survey(Date.now(), brokenInvariants)).toEqual([]);
  await store.close();
});

/** Creates tags until it is stopped. */
function startLoad({ admin }: Program) {
  const labels: string[] = [];
  const statuses = new Set<number>();
  let failures = 0;
  let isStopped = false;
  const work = async (worker: number): Promise<void> => {
    for (let index = 0; !isStopped; index += 1) {
      const label = `tag-${worker}-${index}`;
      const status = await statusOf(api.createTag(admin, { body: { label } }));
      statuses.add(status);
      if (status === 200) labels.push(label);
      else failures += 1;
    }
  };
  const workers = Promise.all([1, 2, 3, 4].map(work));
  return {
    acknowledged: async (more: number) => {
      const { length } = labels;
      await expect.poll(() => labels.length).toBeGreaterThanOrEqual(length + more);
    },
    failed: (count: number) => expect.poll(() => failures).toBeGreaterThanOrEqual(count),
    stop: async () => {
      isStopped = true;
      await workers;
      return { labels, statuses };
    },
  };
}
