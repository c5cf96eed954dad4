import type { ExchangeLog } from "../http/exchange-log.js";
import type { RequestThrottle } from "../http/request-throttle.js";
import type { TargetServer } from "../http/target.js";
import type { WorkerAccount } from "./account-snapshot.js";
import type { CreatedObjects } from "./created-objects.js";

/** What the cleanup of a case or of a worker uses. */
export interface CleanupContext {
  readonly target: TargetServer;
  readonly throttle: RequestThrottle;
  readonly createdObjects: CreatedObjects;
  /** Ids of objects that the test controls have created. */
  readonly controlIds: ReadonlySet<string>;
  readonly worker: WorkerAccount;
  readonly log: ExchangeLog;
  readonly jobs: PlatformJobs;
}

/** The jobs of the platform, which may hold an object for some time. */
export interface PlatformJobs {
  /** True with test controls, which can run all jobs. */
  readonly isControlled: boolean;
  /** Runs all jobs. Does nothing without test controls. */
  settle(): Promise<void>;
  wait(milliseconds: number): Promise<void>;
}
