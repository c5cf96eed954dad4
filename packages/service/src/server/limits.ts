import { limits, type ServerOptions } from "@cloud-compute/server";
import { callerOf } from "../access/caller.js";
import type { Context, StoredRows } from "../context.js";
import { voidPhoneCode } from "../features/profile/lifecycle.js";
import { jobSubject } from "../platform/job-subjects.js";
import type { Store } from "../store/store.js";
import { formatDate } from "../store/transaction.js";

type LimitQueries = Pick<ServerOptions<Context, StoredRows>["limits"], "countInProgress" | "isTaken" | "onReached">;

/** Limits that are counted in the store, so that a crash leaks nothing. */
export const limitQueries: LimitQueries = {
  countInProgress: {
    /** Clones of an instance are the jobs that copy from it. */
    "concurrent-clones": (source, { work }) =>
      work.tx.jobs.count({ kind: "clone", subject: jobSubject("clones of", source) }),
  },
  onReached: {
    "phone-code-attempts": (_, context) => voidPhoneCode(context.work, callerOf(context)),
  },
  isTaken: {
    "domain-unique": async ({ domain }, { work }, except) => {
      const other = await work.tx.domains.locate(domain.toLowerCase());
      return other !== undefined && other.id !== except?.id;
    },
    "unique-cluster-label": async ({ label }, { work, caller }, except) => {
      const other = await work.tx.clusters.first({ account: caller?.account.id ?? null, label });
      return other !== undefined && other.id !== except?.id;
    },
  },
};

/** Counts the creates of the last window again: a new process has no counts in memory. */
export async function restoreRateCounts(store: Store, now: number): Promise<void> {
  if (!store.forgetsRates) return;
  const { id, max, windowSeconds } = limits.instanceCreates;
  const windowStart = now - windowSeconds * 1000;
  const created = await store.survey(now, ({ events }) =>
    events.find({ action: "compute_create", created: { gte: formatDate(windowStart) } }),
  );
  for (const event of created) {
    // Events record the second. The create happened within it.
    const at = Math.min(now, Date.parse(event.created) + 999);
    await store.rates.consume({ key: `${id} "${event.username ?? ""}`, max, windowSeconds, now: at });
  }
}
