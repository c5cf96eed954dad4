import type { ExchangeLog } from "../http/exchange-log.js";
import type { AssertionFailure } from "../results.js";
import type { UniqueGenerator } from "../values/unique-values.js";
import type { RunContext } from "./run-context.js";
import type { Worker } from "./worker.js";

/** What is fixed for a case, for an object that several cases share, or for the work of a worker between cases. */
export interface CaseContext {
  readonly run: RunContext;
  readonly worker: Worker;
  readonly unique: UniqueGenerator;
  readonly log: ExchangeLog;
  /** The requirements to which differences are attributed. */
  readonly requirements: readonly string[];
  /** Reports a difference of a coded scenario, which continues. */
  readonly reportFailure: (difference: AssertionFailure) => void;
  readonly onEnd: (clean: () => Promise<void> | void) => void;
}
