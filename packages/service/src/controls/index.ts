import { createServer, type Handlers } from "@cloud-compute/controls-server";
import type { Server } from "@plumbline/server-runtime";
import type { Logger } from "pino";
import { logEntriesTo } from "../log-entries.js";
import type { Clock } from "../platform/clock.js";
import type { Jobs } from "../platform/jobs.js";
import type { Store } from "../store/store.js";
import type { Platform, Works } from "../work.js";
import { instances } from "./instances.js";
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
  readonly works: Works;
}

/** The handlers of some controls, by the names of their operations. */
export type Area<Operation extends keyof Handlers> = Pick<Handlers, Operation>;

/** The test controls: what only the platform, the clock or other services cause. */
export function controlsOf(controls: Controls): Server {
  const { clock, log } = controls;
  return createServer(
    { ...service(controls), ...users(controls), ...objects(controls), ...instances(controls) },
    {
      clock: clock.now,
      log: logEntriesTo(log),
    },
  );
}
