import { SetupError } from "../errors.js";
import { appendExchanges, createExchangeLog, type ExchangeLog } from "../http/exchange-log.js";
import type { AssertionFailure } from "../results.js";
import { createStepContext, type StepContext } from "./step-context.js";

/**
 * Creates what the worker keeps for all its cases, with a log and unique values of its own: the cleanup of a case would delete what the case
 * owns. The exchanges also appear in the log of the case.
 */
export async function createInWorkerScope<Value>(
  context: StepContext,
  create: (context: StepContext) => Promise<Value>,
): Promise<{ readonly value: Value; readonly log: ExchangeLog }> {
  const { caseContext } = context;
  const { worker, log: caseLog } = caseContext;
  const log = createExchangeLog();
  const shared = { ...caseContext, unique: worker.unique, log };
  try {
    const value = await create(createStepContext(context, { caseContext: shared }));
    appendExchanges(caseLog, log);
    return { value, log };
  } catch (error) {
    appendExchanges(caseLog, log);
    throw error instanceof SetupError
      ? new SetupError(moveExchanges(error.failures, log, caseLog), error.operation)
      : error;
  } finally {
    caseLog.requests += log.requests;
  }
}

/** Failures refer to exchanges of the log of the scope; the report has those of the case. */
function moveExchanges(
  failures: readonly AssertionFailure[],
  from: ExchangeLog,
  to: ExchangeLog,
): readonly AssertionFailure[] {
  return failures.map((failure) => {
    const entry = failure.exchange === undefined ? undefined : from.entries[failure.exchange];
    return entry === undefined ? failure : { ...failure, exchange: to.entries.indexOf(entry) };
  });
}
