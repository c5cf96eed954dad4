import type { SchemaValidators } from "../assert/schemas.js";
import type { CreatedObjects } from "../cleanup/created-objects.js";
import type { RequestThrottle } from "../http/request-throttle.js";
import type { SecretRegistry } from "../http/secrets.js";
import type { TargetServer } from "../http/target.js";
import type { Timer } from "../http/timer.js";
import type { RunCredentials, Scenarios } from "../results.js";
import type { Capability, Suite } from "../suite.js";
import type { ResponseStatistics } from "./response-statistics.js";
import type { ServerClock } from "./server-clock.js";

/** What is fixed for a run, and what all its workers share. */
export interface RunContext {
  readonly suite: Suite;
  readonly target: TargetServer;
  readonly credentials: RunCredentials;
  readonly capabilities: ReadonlySet<Capability>;
  readonly scenarios: Scenarios;
  readonly seed: number;
  /** The first characters of all unique values of the run. */
  readonly tag: string;
  readonly schemas: SchemaValidators;
  readonly secrets: SecretRegistry;
  readonly createdObjects: CreatedObjects;
  /** Ids of objects that the test controls have created. The run does not delete them. */
  readonly controlIds: Set<string>;
  readonly clock: ServerClock;
  readonly throttle: RequestThrottle;
  readonly statistics: ResponseStatistics;
  readonly timer: Timer;
  readonly signal: AbortSignal;
  readonly note: (text: string) => void;
}
