import type { OperationErrors } from "../errors/operation-errors.js";
import type { Awaitable } from "../handlers.js";
import type { OperationPlan } from "../operation-plan.js";
import { errorIdOf, OutcomeCounter, requireOutcomeStore, type RequestOutcome } from "../rate-limits/outcome-limits.js";
import { rateLimitError } from "../rate-limits/rate-limit-error.js";
import type { SerializedResponse } from "../response/responses.js";
import type { ServerContext } from "../server-context.js";
import type { RequestEvaluation } from "./request-evaluation.js";

/** Runs the rest of a request. */
export type RunRequest = (evaluation: RequestEvaluation) => Awaitable<SerializedResponse>;

/** Counts requests by their outcome, and rejects them when the limit is reached. Returns `run` if no limit depends on the outcome. */
export function countingOutcomes(
  run: RunRequest,
  { limits }: OperationPlan,
  { server, errors }: { readonly server: ServerContext; readonly errors: OperationErrors },
): RunRequest {
  const { definition, rateStore } = server;
  if (limits.outcomes === undefined && limits.renewed === undefined) return run;
  return async (evaluation) => {
    const { context, input, request } = evaluation;
    const outcomes = new OutcomeCounter(limits, requireOutcomeStore(rateStore), { context, input });
    evaluation.outcomes = outcomes;
    let ending: RequestOutcome = { effects: [] };
    try {
      const exceeded = await outcomes.begin();
      if (exceeded !== undefined) throw rateLimitError(exceeded, { errors, definition });
      const serialized = await run(evaluation);
      ending = { effects: evaluation.effects };
      return serialized;
    } catch (error) {
      ending = { error: errorIdOf(error), effects: [] };
      throw error;
    } finally {
      // The outcome cannot be changed any more, so an error here is logged only.
      await endOutcome(outcomes.end(ending), evaluation, server).catch((error: unknown) =>
        server.logError(error, request),
      );
    }
  };
}

/** Calls the functions of the limits that a request has reached. */
async function endOutcome(
  ending: ReturnType<OutcomeCounter["end"]>,
  { context, request }: RequestEvaluation,
  { options }: ServerContext,
): Promise<void> {
  const { limits, transaction } = options;
  for (const { id } of await ending) {
    request.observation?.noteLimit(id);
    const reached = limits?.onReached?.[id];
    if (reached === undefined) throw new TypeError(`Missing option \`limits.onReached.${id}\`. Provide a function.`);
    if (transaction === undefined) await reached(context.caller, context);
    else await transaction(context, async (added) => void (await reached(context.caller, context.with(added))), {});
  }
}
