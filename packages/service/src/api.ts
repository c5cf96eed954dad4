import { createServer } from "@cloud-compute/server";
import type { Server, Transaction } from "@plumbline/server-runtime";
import type { Logger } from "pino";
import { handlers, reads } from "./areas/index.js";
import { authenticator } from "./authenticate.js";
import type { Context } from "./context.js";
import { grantsOf } from "./grants.js";
import { counters } from "./limits.js";
import { logEntriesTo } from "./log-entries.js";
import { kubeVersions } from "./platform/catalogue.js";
import type { Clock } from "./platform/clock.js";
import { resources, type Stored } from "./resources.js";
import type { Store } from "./store/store.js";
import { uploads } from "./uploads.js";
import type { Caller, Work, Works } from "./work.js";

export interface ApiOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly works: Works;
  /** Requests of a user within a minute; no limit unless said. */
  readonly generalLimit: number | undefined;
}

/** The API, on the generated server: what is here is what the description leaves to a store. */
export function apiOf({ store, clock, works, log, generalLimit }: ApiOptions): Server {
  const transaction: Transaction<Context> = (call, run) => {
    // What `authenticate` gave is what is here.
    const caller = call.caller as Caller | undefined;
    const withWork = (work: Work) => run({ caller, work });
    if (reads.has(call.operation) || caller === undefined) return works.read(call.now, withWork);
    return works.write({ account: caller.account.id, now: call.now }, withWork);
  };
  return createServer<Context, Stored>(handlers, {
    authenticate: { bearer: authenticator(store, clock) },
    grants: (caller, { work }) => grantsOf(caller as Caller, work),
    resources,
    limits: {
      store: store.rates,
      ...counters,
      ...(generalLimit === undefined
        ? {}
        : { general: [{ kind: "rate", id: "general", max: generalLimit, windowSeconds: 60, error: "rate-limited" }] }),
    },
    orders: { listKubeVersions: () => kubeVersions.map(({ id }) => id) },
    links: { putImageData: uploads },
    transaction,
    clock: clock.now,
    log: logEntriesTo(log),
  });
}
