import { authenticationError } from "../access/authentication-error.js";
import {
  authenticateRequest,
  type AuthenticationRequest,
  type AuthenticationResult,
} from "../access/authentication.js";
import { userOf } from "../rate-limits/rates.js";
import { andThen } from "../request/in-turn.js";
import type { RequestEvaluation } from "./request-evaluation.js";
import { checkScopes } from "./scopes.js";
import type { StepFactory } from "./step.js";

/** Authenticates the caller. */
export const authenticate: StepFactory =
  (plan, { authenticator, definition }, errors) =>
  (evaluation) => {
    const { context, request } = evaluation;
    const attempt = { received: request.received, request: context };
    return andThen(authenticateRequest(plan.security, authenticator, attempt), (result) => {
      const failure = setCaller(result, evaluation);
      if (failure !== undefined) throw authenticationError(failure, plan, { definition, errors });
      if (context.caller === undefined) return;
      request.received.identify?.(userOf(context));
      if (request.observation !== undefined) request.observation.user = context.caller.user;
    });
  };

/** Authenticates again: while the body arrived, the credential may have expired or been revoked, or its user been restricted. */
export const authenticateAgain: StepFactory = (plan, server, errors) => {
  if (!plan.isLocking) return undefined;
  const { authenticator, clock, definition } = server;
  const check = checkScopes(plan, server, errors);
  return (evaluation) => {
    const { context, handlerContext } = evaluation;
    if (context.caller === undefined) return;
    const { operation, requestId, address } = context;
    const header = (name: string): string | undefined => context.header(name);
    const now = clock();
    const request: AuthenticationRequest = { operation, requestId, address, header, now, context: handlerContext };
    const attempt = { received: evaluation.request.received, request };
    return andThen(authenticateRequest(plan.security, authenticator, attempt), (result) => {
      const failure = setCaller(result, evaluation);
      if (failure !== undefined) throw authenticationError(failure, plan, { definition, errors });
      return andThen(check?.(evaluation), () => {
        Object.assign(handlerContext, { caller: context.caller, auth: context.auth });
      });
    });
  };
};

/** Sets the caller of a request. Returns why authentication failed; missing scopes are the next step's. */
function setCaller(result: AuthenticationResult, evaluation: RequestEvaluation): "missing" | "invalid" | undefined {
  const { context } = evaluation;
  context.caller = result.caller;
  evaluation.lacksScopes = result.kind === "scope";
  if (result.kind === "authenticated") context.auth = result.auth;
  return result.kind === "missing" || result.kind === "invalid" ? result.kind : undefined;
}
