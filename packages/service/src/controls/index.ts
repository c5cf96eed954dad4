import { createServer, type Handlers } from "@cloud-compute/controls-server";
import type { Server } from "@plumbline/server-runtime";
import type { Logger } from "pino";
import type { Clock } from "../platform/clock.js";
import type { Jobs } from "../platform/jobs.js";
import type { Store } from "../store/store.js";
import type { Tx } from "../store/tx.js";
import type { Platform, Work } from "../work.js";
import { images } from "./images.js";
import { objects } from "./objects.js";
import { service } from "./service.js";
import { users } from "./users.js";

/** What the test controls reach. */
export interface Controls {
  readonly store: Store;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly log: Logger;
  readonly platform: Platform;
  readonly workOf: (tx: Tx) => Work;
}

/** The handlers of some controls, by the names of their operations. */
export type Area<Operation extends keyof Handlers> = Pick<Handlers, Operation>;

/** The test controls: what only the platform, the clock or other services cause. */
export function controlsOf(controls: Controls): Server {
  const { clock, log } = controls;
  return createServer(
    { ...service(controls), ...users(controls), ...objects(controls), ...images(controls) },
    {
      missing: "not-implemented",
      clock: clock.now,
      log: ({ message, error, requestId, operation }) => log.error({ err: error, requestId, operation }, message),
    },
  );
}
