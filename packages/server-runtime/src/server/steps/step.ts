import type { OperationErrors } from "../errors/operation-errors.js";
import type { Awaitable } from "../handlers.js";
import type { OperationPlan } from "../operation-plan.js";
import type { ServerContext } from "../server-context.js";
import type { RequestEvaluation } from "./request-evaluation.js";

/**
 * One step of a request.
 *
 * @throws the errors that `ResponseBuilder.fromError` turns into responses
 */
export type Step = (evaluation: RequestEvaluation) => Awaitable<void>;

/** Compiles a step for one operation, when the server is created. Undefined if the operation does not need it. */
export type StepFactory = (plan: OperationPlan, server: ServerContext, errors: OperationErrors) => Step | undefined;
