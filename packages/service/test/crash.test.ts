import { isApiError } from "@cloud-compute/client";
import { expect, test } from "vitest";
import { seed } from "../../../test/support/property-testing.js";
import * as controls from "../src/testing/index.js";
import { isFull } from "./support/form.js";
import { brokenInvariants, unsettled } from "./support/invariants.js";
import { newLedger } from "./support/ledger.js";
import { compared, work } from "./support/load.js";
import { run } from "./support/program.js";
import { randomFrom } from "./support/random.js";
import { inFile, onPostgres } from "./support/stores.js";

// The loop kills once on each store, the full form fifty times.
const rounds = Number(process.env["ROUNDS"] ?? (isFull ? 50 : 1));

test.each([
  ["in a file", () => inFile()],
  ["on PostgreSQL", () => onPostgres()],
])(
  `acknowledged writes survive kill -9, %s (seed ${seed})`,
  async (_kind, place) => {
    const { args, open } = await place();
    const random = randomFrom(seed);
    const ledger = newLedger();
    for (let round = 0; round < rounds; round += 1) {
      const program = await run([...args, "--pace", "200"]);
      expect(await compared(program, ledger), `round ${round}`).toEqual([]);
      const load = Promise.allSettled(
        [1, 2, 3, 4].map((worker) => work(program, ledger, { random, name: `${round}-${worker}` })),
      );
      // By then the other workers have requests in flight.
      await Promise.race([load, ledger.acknowledges(1 + random.below(mostWrites))]);
      await program.end("SIGKILL");
      const ended = await load;
      // Only the loss of the connection may end a worker.
      for (const each of ended) if (each.status === "rejected" && !isLost(each.reason)) throw each.reason;
      const store = await open();
      expect(await store.survey(Date.now(), brokenInvariants), `round ${round}`).toEqual([]);
      await store.close();
    }
    const last = await run([...args, "--pace", "200"]);
    expect(await compared(last, ledger)).toEqual([]);
    await controls.settle(last.controls);
    expect(await last.end("SIGTERM")).toBe(0);
    const store = await open();
    expect(await store.survey(Date.now(), brokenInvariants)).toEqual([]);
    expect(await store.survey(Date.now(), unsettled)).toEqual([]);
    await store.close();
    expect(ledger.names().length).toBeGreaterThan(0);
  },
  rounds * 15_000 + 60_000,
);

/** A program is killed after at most this many writes. */
const mostWrites = 150;

function isLost(error: unknown): boolean {
  return isApiError(error) && error.code === "network";
}
