import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errors } from "@cloud-compute/controls-server";
import { reset } from "../bootstrap.js";
import { iso } from "../store/tx.js";
import { later } from "../platform/periods.js";
import type { Area, Controls } from "./index.js";

/** The store, the clock and the platform's jobs. */
export function service({
  store,
  clock,
  jobs,
  platform,
}: Controls): Area<"reset" | "getClock" | "advanceClock" | "settle" | "hold"> {
  const now = (): string => iso(clock.now());
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
      const to = later(from, body.advance);
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
      // Nothing completes once this is answered, also not what had begun before.
      await jobs.rest();
      return { status: 200, body: { hold } };
    },
  };
}

/** Dates have years of four digits; what is planned from then on for years ahead has them as well. */
const endOfTime = Date.UTC(9900, 0);

function emptyFolder(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}
