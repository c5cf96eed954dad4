import { appendExchanges, createExchangeLog, type ExchangeLog } from "../http/exchange-log.js";
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
    return { value: await create(createStepContext(context, { caseContext: shared })), log };
  } finally {
    appendExchanges(caseLog, log);
    caseLog.requests += log.requests;
  }
}
