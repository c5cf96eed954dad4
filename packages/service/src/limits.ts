import type { ServerOptions } from "@cloud-compute/server";
import type { Context } from "./context.js";
import type { Stored } from "./resources.js";

/** What the jobs that copy from an instance are about. */
export function clonesOf(source: number): string {
  return `clones of ${source}`;
}

type Counters = Pick<ServerOptions<Context, Stored>["limits"], "unsettled" | "taken">;

/** What is counted and looked for in the store, so that a crash leaks nothing. */
export const counters: Counters = {
  unsettled: {
    /** Clones of an instance are its jobs that copy from it. */
    "concurrent-clones": (source, { work }) => work.tx.jobs.count({ kind: "clone", subject: clonesOf(source) }),
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
