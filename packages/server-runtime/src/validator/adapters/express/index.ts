import type { NodeRequest, Operation } from "../../../http/index.js";
import type { HostOptions } from "../host-validator.js";
import { validateWith, type Next } from "../node/index.js";
import type { NodeResponse } from "../node/node-response.js";

/** The part of an Express request that the adapter uses. */
export interface ExpressRequest extends NodeRequest {
  readonly originalUrl: string;
}

export interface ExpressOptions extends HostOptions<ExpressRequest> {}

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
