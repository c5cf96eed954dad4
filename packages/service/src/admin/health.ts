import { setTimeout } from "node:timers/promises";
import type { Clock } from "../platform/clock.js";
import { fits } from "../store/migrations.js";
import { readStoreState, type StoreState } from "../store/statements.js";
import type { Store } from "../store/store.js";

/** The checks of `/readyz`. Each is `ok`, or says what is wrong. */
export type Readiness = Readonly<Record<"store" | "schema" | "jobs" | "draining", string>>;

/** Asks the store for its state. Undefined if it does not answer within two seconds. */
export async function askStore(store: Store, { now }: Clock): Promise<StoreState | undefined> {
  const answered = new AbortController();
  const late = setTimeout(maxAnswerMs, undefined, answered).catch(() => undefined);
  const state = await Promise.race([readStoreState(store, now()).catch(() => undefined), late]);
  answered.abort();
  return state;
}

/** Whether the service can take requests. */
export function readinessOf(
  state: StoreState | undefined,
  { clock, isDraining }: { readonly clock: Clock; readonly isDraining: boolean },
): Readiness {
  return {
    store: state === undefined ? "does not answer" : "ok",
    schema: state === undefined || fits(state.schema) ? "ok" : "does not fit this program",
    // Jobs on hold wait for the test controls.
    jobs: state === undefined || clock.isHeld || state.jobLagMs <= maxLagMs ? "ok" : "are more than a minute late",
    draining: isDraining ? "the service stops" : "ok",
  };
}

const maxAnswerMs = 2000;
const maxLagMs = 60_000;
