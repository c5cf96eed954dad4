import type { Logger } from "pino";
import type { Handlers } from "../gen/handlers.js";
import type { Clock } from "../platform/clock.js";
import type { Jobs } from "../platform/jobs.js";
import type { Store } from "../store/store.js";
import type { Platform, UnitOfWorkRunner } from "../unit-of-work.js";

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
