import { challengeFor } from "../../http/index.js";
import { RejectedRequestError } from "../errors/errors.js";
import type { OperationErrors } from "../errors/operation-errors.js";
import type { OperationPlan } from "../operation-plan.js";
import type { ServerDefinition } from "../server-definition.js";

/** The error for a missing credential, an invalid one, or one without a required scope. */
export function authenticationError(
  kind: "missing" | "invalid" | "scope",
  { security }: Pick<OperationPlan, "security">,
  { definition, errors }: { readonly definition: ServerDefinition; readonly errors: OperationErrors },
): RejectedRequestError {
  const id = definition.scopeGrammar?.errors[kind];
  const errorResponse = errors.response(id === "" ? undefined : id, kind === "scope" ? 403 : 401);
  if (errorResponse.status !== 401) return new RejectedRequestError(errorResponse);
  // RFC 9110 requires `WWW-Authenticate` in a 401.
  const challenge = { "WWW-Authenticate": challengeFor(security.schemes, definition.securitySchemes) };
  return new RejectedRequestError({ ...errorResponse, headers: { ...errorResponse.headers, ...challenge } });
}
