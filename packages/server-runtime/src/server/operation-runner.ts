import type { OperationErrors } from "./errors/operation-errors.js";
import type { Awaitable } from "./handlers.js";
import type { OperationPlan } from "./operation-plan.js";
import type { MutableRequestContext } from "./request/create-request-context.js";
import { andThen, firstInTurn } from "./request/in-turn.js";
import type { OperationRequest } from "./request/incoming-request.js";
import type { RunExclusive } from "./request/keyed-mutex.js";
import type { SerializedResponse } from "./response/responses.js";
import type { ServerContext } from "./server-context.js";
import { compileSteps } from "./steps/index.js";
import { countingOutcomes, type RunRequest } from "./steps/outcome-counting.js";
import { RequestEvaluation } from "./steps/request-evaluation.js";
import type { Step } from "./steps/step.js";

/** Runs the requests of one operation. */
export interface OperationRunner {
  begin(request: OperationRequest, context: MutableRequestContext): RequestEvaluation;
  /**
   * Runs the steps.
   *
   * @throws the errors that `ResponseBuilder.fromError` turns into responses
   */
  run(evaluation: RequestEvaluation): Awaitable<SerializedResponse>;
}

/** Compiles the steps of an operation. Operations of one server share the mutex. */
export function createOperationRunner(
  plan: OperationPlan,
  server: ServerContext,
  { errors, mutex }: { readonly errors: OperationErrors; readonly mutex: RunExclusive },
): OperationRunner {
  const { beforeTransaction, inTransaction } = compileSteps(plan, server, errors);
  const runRest = countingOutcomes(attempting(plan, server, { steps: inTransaction, mutex }), plan, { server, errors });
  return {
    begin: (request, context) => new RequestEvaluation(request, context, server.registry),
    run: (evaluation) => andThen(runSteps(beforeTransaction, evaluation), () => runRest(evaluation)),
  };
}

/** Runs steps in a transaction, which may retry them. Without one, requests that depend on shared state run one after the other. */
function attempting(
  plan: OperationPlan,
  { options }: ServerContext,
  { steps, mutex }: { readonly steps: readonly Step[]; readonly mutex: RunExclusive },
): RunRequest {
  const { transaction } = options;
  if (transaction !== undefined)
    return (evaluation) => {
      const { context, input } = evaluation;
      const { body } = input;
      const attempt = async (added: object): Promise<SerializedResponse> => {
        // A retried transaction starts with the body that the client sent. All other values are computed again.
        if (body !== undefined) input["body"] = body;
        evaluation.beginAttempt(context.with(added));
        return runAttempt(steps, evaluation);
      };
      return transaction(context, attempt, { body });
    };
  const run: RunRequest = (evaluation) => {
    evaluation.beginAttempt(evaluation.context);
    return runAttempt(steps, evaluation);
  };
  if (!plan.isOrdered) return run;
  return (evaluation) => {
    const { input, request } = evaluation;
    // A slow streamed body would block all requests, so it blocks only those to the same path.
    const key = input["body"] instanceof ReadableStream ? JSON.stringify([plan.name, request.match.values]) : "";
    return mutex(key, () => run(evaluation));
  };
}

function runAttempt(steps: readonly Step[], evaluation: RequestEvaluation): Awaitable<SerializedResponse> {
  return andThen(runSteps(steps, evaluation), () => {
    if (evaluation.serialized === undefined) throw new TypeError("No step serialized a response.");
    return evaluation.serialized;
  });
}

function runSteps(steps: readonly Step[], evaluation: RequestEvaluation): Awaitable<void> {
  return firstInTurn<Step, void>(steps, (step) => step(evaluation));
}
