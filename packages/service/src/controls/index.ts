import type { Handlers } from "../gen/handlers.js";
import { createServer } from "../gen/server.js";
import type { Server } from "@plumbline/server-runtime";
import type { Logger } from "pino";
import { logEntriesTo } from "../log-entries.js";
import type { Clock } from "../platform/clock.js";
import type { Jobs } from "../platform/jobs.js";
import type { Store } from "../store/store.js";
import type { Platform, UnitOfWorkRunner } from "../unit-of-work.js";
import { instances } from "./instances.js";
import { objects } from "./objects.js";
import { service } from "./service.js";
import { users } from "./users.js";

/** The parts of the service that the test controls use. */
export interface Controls {
  readonly store: Store;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly log: Logger;
  readonly platform: Platform;
  readonly works: UnitOfWorkRunner;
}

/** The handlers of a tag, by the names of its operations. */
export type ControlHandlers<Operation extends keyof Handlers> = Pick<Handlers, Operation>;

/** The test controls: effects that only the platform, the clock or other systems cause. */
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
