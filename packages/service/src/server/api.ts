import { createServer } from "@cloud-compute/server";
import type { ObserveRequest, Server, Transaction } from "@plumbline/server-runtime";
import type { Logger } from "pino";
import { authenticator } from "../access/authenticate.js";
import type { Caller } from "../access/caller.js";
import { passwordHash } from "../access/credentials.js";
import { grantsOf } from "../access/grants.js";
import type { Context, StoredRows } from "../context.js";
import { handlers, operationRoutes, reads } from "../features/index.js";
import { kubeVersions } from "../platform/catalogue.js";
import type { Clock } from "../platform/clock.js";
import type { Store } from "../store/store.js";
import type { UnitOfWork, UnitOfWorkRunner } from "../unit-of-work.js";
import { limitQueries } from "./limits.js";
import { logEntriesTo } from "./log-entries.js";
import { resources } from "./resources.js";

export interface ApiOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly works: UnitOfWorkRunner;
  /** Requests of a user per minute. Default: no limit. */
  readonly generalLimit: number | undefined;
  readonly observe: readonly ObserveRequest[];
}

/** The API on the generated server, with the parts that the description leaves to a store. */
export function apiOf({ store, clock, works, log, generalLimit, observe }: ApiOptions): Server {
  const transaction: Transaction<Context> = async (call, run, { body }) => {
    // `authenticate` returns this type.
    const caller = call.caller as Caller | undefined;
    const rootPassHash = await rootPassHashOf(body);
    const withWork = (work: UnitOfWork) => run({ caller, work, rootPassHash });
    const scope = { account: caller?.account.id ?? null, now: call.now };
    return reads.has(call.operation) || caller === undefined
      ? works.read(scope, withWork)
      : works.write(scope, withWork);
  };
  return createServer<Context, StoredRows>(handlers, {
    authenticate: { bearer: authenticator(store, clock) },
    grants: (caller, { work }) => grantsOf(caller as Caller, work),
    resources,
    limits: {
      store: store.rates,
      ...limitQueries,
      ...(generalLimit === undefined
        ? {}
        : { global: [{ kind: "rate", id: "general", max: generalLimit, windowSeconds: 60, error: "rate-limited" }] }),
    },
    orderedValues: { listKubeVersions: () => kubeVersions.map(({ id }) => id) },
    operationRoutes,
    transaction,
    clock: clock.now,
    log: logEntriesTo(log),
    observe,
  });
}

/** The hash of a root password in the body. Other writes of the account do not wait for its computation. */
async function rootPassHashOf(body: unknown): Promise<string | null> {
  const password = typeof body === "object" && body !== null && "root_pass" in body ? body.root_pass : undefined;
  return typeof password === "string" ? passwordHash(password) : null;
}
