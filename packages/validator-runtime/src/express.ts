import type { GuardOptions } from "./guard.js";
import { validateWith, type Next } from "./node.js";
import type { NodeRequest } from "./node-exchange.js";
import type { NodeResponse } from "./node-reply.js";
import type { Operation } from "./operation.js";
import type { OnError } from "./refusal.js";
import type { ReplyOptions } from "./replies.js";

/** As much of Express's request as is looked at. */
export interface ExpressRequest extends NodeRequest {
  readonly originalUrl: string;
}

export interface ExpressOptions extends GuardOptions, ReplyOptions {
  /** Replaces parts of a refusal, and of what `responses: "enforce"` sends: its status, headers or body. */
  readonly onError?: OnError<ExpressRequest>;
}

export type ExpressValidator = (request: ExpressRequest, response: NodeResponse, next: Next) => void;

/**
 * Judges the requests of an Express app. Stands before whatever parses bodies; a parsed body is in `request.body`.
 * Without a base path, paths begin where the middleware is mounted.
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
