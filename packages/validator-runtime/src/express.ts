import type { GuardOptions } from "./guard.js";
import { validateWith, type Next } from "./node.js";
import type { NodeRequest } from "./node-exchange.js";
import type { NodeResponse } from "./node-reply.js";
import type { Operation } from "./operation.js";
import type { OnError } from "./refusal.js";
import type { ReplyOptions } from "./replies.js";

/** The part of an Express request that the adapter uses. */
export interface ExpressRequest extends NodeRequest {
  readonly originalUrl: string;
}

export interface ExpressOptions extends GuardOptions, ReplyOptions {
  /** Replaces the status, headers or body of an error response, also of the 500 of `responses: "enforce"`. */
  readonly onError?: OnError<ExpressRequest>;
}

export type ExpressValidator = (request: ExpressRequest, response: NodeResponse, next: Next) => void;

/**
 * Creates Express middleware that validates requests. The parsed body is in `request.body`.
 * Register it before body parsers. Without `basePath`, paths start where you mount the middleware.
 *
 * @param operations the operations to validate
 * @throws TypeError for an unknown option
 *
 * @example
 * app.use(validator({ basePath: "/v4" }));
 */
export function expressValidator(operations: Iterable<Operation>, options: ExpressOptions = {}): ExpressValidator {
  const isMounted = options.basePath === undefined;
  return validateWith<ExpressRequest>(operations, options, (request) =>
    isMounted ? (request.url ?? "/") : request.originalUrl,
  );
}
