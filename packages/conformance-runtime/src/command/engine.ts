import type { Credentials, RunOptions, RunReport } from "../results.js";
import type { Suite } from "../suite.js";

/** What the command stands on: `runSuite` and `cleanUp` of this package. */
export interface Engine {
  readonly runSuite: (suite: Suite, options: RunOptions) => Promise<RunReport>;
  readonly cleanUp: (suite: Suite, options: CleanUpOptions) => Promise<CleanedUp>;
}

export interface CleanUpOptions {
  readonly journal: string;
  readonly runId: string;
  readonly url: string;
  readonly controls?: string;
  readonly credentials: Credentials;
}

/** What came of taking away what a run has made. */
export interface CleanedUp {
  readonly removed: number;
  /** What is still there, and why. */
  readonly problems: readonly string[];
}
