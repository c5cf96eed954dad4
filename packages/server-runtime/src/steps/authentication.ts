import { authenticateRequest, type AuthenticationRequest } from "../access/authentication.js";
import { authenticationError } from "../access/authentication-error.js";
import type { OperationErrors } from "../errors/operation-errors.js";
import type { OperationPlan } from "../operation-plan.js";
import type { RequestEvaluation } from "../request/request-evaluation.js";
import type { ServerContext } from "../server-context.js";
import { checkScopes } from "./scopes.js";
import type { StepFactory } from "./step.js";

/** Authenticates the caller. */
export const authenticate: StepFactory = (plan, server, errors) => {
  const identify = authenticationOf(plan, server, errors);
  return (evaluation) => identify(evaluation, evaluation.context);
};

/** Authenticates again: while the body arrived, the credential may have expired or been revoked, or its user been restricted. */
export const authenticateAgain: StepFactory = (plan, server, errors) => {
  if (!plan.isLocking) return undefined;
  const identify = authenticationOf(plan, server, errors);
  const check = checkScopes(plan, server, errors);
  return async (evaluation) => {
    const { context, handlerContext } = evaluation;
    if (context.caller === undefined) return;
    const { operation, requestId, address } = context;
    const header = (name: string): string | undefined => context.header(name);
    await identify(evaluation, { operation, requestId, address, header, now: server.clock(), context: handlerContext });
    await check?.(evaluation);
    Object.assign(handlerContext, { caller: context.caller, auth: context.auth });
  };
};

type Identify = (evaluation: RequestEvaluation, request: AuthenticationRequest) => Promise<void>;

function authenticationOf(
  plan: OperationPlan,
  { authenticator, definition }: ServerContext,
  errors: OperationErrors,
): Identify {
  return async (evaluation, request) => {
    const { context } = evaluation;
    const { received } = evaluation.request;
    const result = await authenticateRequest(plan.security, authenticator, { received, request });
    context.caller = result.caller;
    evaluation.lacksScopes = result.kind === "scope";
    if (result.kind === "authenticated") context.auth = result.auth;
    else if (result.kind !== "scope") throw authenticationError(result.kind, plan, { definition, errors });
  };
}
