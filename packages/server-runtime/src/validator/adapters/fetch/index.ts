import { type ValidationOutcome, type Operation, readWebBytes, WebRequestHead } from "../../../http/index.js";
import { HostValidator, type HostOptions } from "../host-validator.js";
import { makeBodyReadable } from "./readable-request.js";
import { toWebResponse, validateWebResponse } from "./web-response.js";

export interface FetchOptions extends HostOptions<Request> {}

/** A handler of web requests, with the further arguments of its server. */
export type ValidatedFetchHandler<Rest extends readonly unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>;

/**
 * Creates a wrapper that validates requests before a fetch-style handler. The handler can read the request's body.
 * To forward the request, pass its `clone()` to `fetch`.
 *
 * @param operations the operations to validate
 * @throws TypeError for an unknown option
 *
 * @example
 * export default { fetch: validator({ basePath: "/v4" })(handle) };
 */
export function fetchValidator(
  operations: Iterable<Operation>,
  options: FetchOptions = {},
): <Rest extends readonly unknown[]>(
  handler: ValidatedFetchHandler<Rest>,
) => (request: Request, ...rest: Rest) => Promise<Response> {
  const validator = new HostValidator<Request>(operations, options);
  return (handler) =>
    async (request, ...rest) => {
      const outcome = await validateRequest(validator, request);
      const errorResponse = validator.settle(outcome, request);
      if (errorResponse !== undefined) return toWebResponse(errorResponse);
      const response = await handler(request, ...rest);
      const validate = validator.responseValidator(outcome, request, request.method);
      const replacement = validate && (await validateWebResponse(response, validate));
      return replacement === undefined ? response : toWebResponse(replacement);
    };
}

async function validateRequest(validator: HostValidator<Request>, request: Request): Promise<ValidationOutcome> {
  const outcome = await validator.validate(new WebRequestHead(request), request);
  if (outcome.kind !== "pending") return outcome;
  if (request.bodyUsed) throw new Error(bodyUsedMessage);
  const bytes = await readWebBytes(request, outcome);
  if (bytes === undefined) return outcome.rejectTooLarge();
  makeBodyReadable(request, bytes);
  return outcome.validateBody(bytes);
}

const bodyUsedMessage =
  "The body was read before the request reached the validator. Put the validator before the code that reads it.";
