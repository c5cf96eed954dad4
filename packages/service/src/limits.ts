import { limits, type ServerOptions } from "@cloud-compute/server";
import { phoneCodeVoid } from "./areas/phone.js";
import type { Context } from "./context.js";
import type { Stored } from "./resources.js";
import type { Store } from "./store/store.js";
import { iso } from "./store/tx.js";
import { callerOf } from "./work.js";

/** What the jobs that copy from an instance are about. */
export function clonesOf(source: number): string {
  return `clones of ${source}`;
}

type Counters = Pick<ServerOptions<Context, Stored>["limits"], "unsettled" | "taken" | "reached">;

/** What is counted and looked for in the store, so that a crash leaks nothing. */
export const counters: Counters = {
  unsettled: {
    /** Clones of an instance are its jobs that copy from it. */
    "concurrent-clones": (source, { work }) => work.tx.jobs.count({ kind: "clone", subject: clonesOf(source) }),
  },
  reached: {
    "phone-code-attempts": (_, context) => phoneCodeVoid(context.work, callerOf(context)),
  },
  taken: {
    "domain-unique": async ({ domain }, { work }, except) => {
      const found = await work.tx.domains.first({ key: domain.toLowerCase() });
      return found !== undefined && found.id !== except?.id;
    },
    "unique-cluster-label": async ({ label }, { work, caller }, except) => {
      const found = await work.tx.clusters.first({ account: caller?.account.id ?? null, label });
      return found !== undefined && found.id !== except?.id;
    },
  },
};

/** Counts the creates of the last window again, which a process that has just started does not remember. */
export async function recount(store: Store, now: number): Promise<void> {
  if (!store.forgetsRates) return;
  const { id, max, windowSeconds } = limits.instanceCreates;
  const begin = now - windowSeconds * 1000;
  const created = await store.read(now, ({ events }) =>
    events.find({ action: "compute_create", created: { atLeast: iso(begin) } }),
  );
  for (const event of created) {
    // Events tell the second; the create was within it.
    const at = Math.min(now, Date.parse(event.created) + 999);
    await store.rates.hit({ key: `${id} "${event.username ?? ""}`, max, windowSeconds, now: at });
  }
}
