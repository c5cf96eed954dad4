import { RejectedRequestError } from "../errors/errors.js";
import type { OperationErrors } from "../errors/operation-errors.js";
import type { ServerDefinition } from "../server-definition.js";
import { retryAfterSeconds, type RateLimitState } from "./limits.js";

/** The error for an exceeded rate, with `Retry-After`. */
export function rateLimitError(
  state: RateLimitState,
  { errors, definition }: { readonly errors: OperationErrors; readonly definition: ServerDefinition },
): RejectedRequestError {
  const errorResponse = errors.response(state.limit.error ?? definition.sharedErrorByStatus[429], 429);
  // Only these errors can succeed after waiting.
  const canRetry = errorResponse.status === 429 || errorResponse.status === 503;
  const headers = canRetry ? { "Retry-After": String(retryAfterSeconds(state)) } : {};
  return new RejectedRequestError({ ...errorResponse, headers, limit: state.limit.id });
}
