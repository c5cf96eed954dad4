import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { reset } from "../bootstrap.js";
import { errors } from "../gen/errors.js";
import { addPeriod } from "../platform/periods.js";
import { formatDate } from "../store/transaction.js";
import type { ControlHandlers, Controls } from "./context.js";

/** The store, the clock and the platform's jobs. */
export function service({
  store,
  clock,
  jobs,
  platform,
}: Controls): ControlHandlers<"reset" | "getClock" | "advanceClock" | "settle" | "hold"> {
  const now = (): string => formatDate(clock.now());
  return {
    reset: async () => {
      await reset(store, clock.real());
      await clock.refresh();
      await store.notice();
      emptyFolder(platform.uploadFolder);
      return { status: 204 };
    },
    getClock: () => ({ status: 200, body: { now: now() } }),
    advanceClock: async ({ body }) => {
      const from = clock.now();
      const to = addPeriod(from, body.advance);
      if (!(to < endOfTime)) throw errors.invalidRequest({ field: "advance", reason: "That is further than dates go" });
      await clock.advance(to - from);
      await jobs.runDue();
      return { status: 200, body: { now: now() } };
    },
    settle: async () => {
      const ran = await jobs.settle();
      return { status: 200, body: { now: now(), ran } };
    },
    hold: async ({ body: { hold } }) => {
      await clock.hold(hold);
      jobs.wake();
      // No job completes after the response, not even one that had started before.
      await jobs.rest();
      return { status: 200, body: { hold } };
    },
  };
}

/** Years have four digits, also those of jobs that are planned years ahead. */
const endOfTime = Date.UTC(9900, 0);

function emptyFolder(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}
