import {
  createRequestValidator,
  type RequestValidator,
  type ValidatorOptions,
  type ValidationOutcome,
  ensureKnown,
  type Operation,
  serializeError,
  type ErrorOptions,
  readWebBytes,
  WebRequestHead,
} from "../../../http/index.js";
import { attachInput } from "../validated-input.js";
import { adapterOptions } from "../known-options.js";
import { createResponseValidator, type ResponseValidationOptions } from "../responses.js";
import { validateWebResponse } from "./web-response.js";
import { makeBodyReadable } from "./readable-request.js";

export interface FetchOptions extends ValidatorOptions, ResponseValidationOptions, ErrorOptions<Request> {}

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
  ensureKnown(options, adapterOptions);
  const validator = createRequestValidator(operations, options);
  const responseValidator = createResponseValidator(options);
  return (handler) =>
    async (request, ...rest) => {
      const outcome = await validateRequest(validator, request);
      const errorResponse = settle(outcome, { request, options });
      if (errorResponse !== undefined) return errorResponse;
      const response = await handler(request, ...rest);
      if (responseValidator === undefined || outcome.kind !== "accepted" || request.method === "HEAD") return response;
      return validateWebResponse(response, {
        accepted: outcome,
        responseValidator,
        serialize: (rejected) => serializeError(rejected, request, options),
      });
    };
}

async function validateRequest(validator: RequestValidator, request: Request): Promise<ValidationOutcome> {
  const outcome = validator.validate(new WebRequestHead(request));
  if (outcome.kind !== "pending") return outcome;
  if (request.bodyUsed) throw new Error(bodyUsedMessage);
  const bytes = await readWebBytes(request, outcome);
  if (bytes === undefined) return outcome.rejectTooLarge();
  makeBodyReadable(request, bytes);
  return outcome.validateBody(bytes);
}

const bodyUsedMessage =
  "The body was read before the request reached the validator. Put the validator before the code that reads it.";

function settle(
  outcome: ValidationOutcome,
  { request, options }: { readonly request: Request; readonly options: FetchOptions },
): Response | undefined {
  if (outcome.kind === "accepted") attachInput(request, outcome);
  if (outcome.kind !== "error") return undefined;
  const { status, headers, text } = serializeError(outcome, request, options);
  return new Response(text, { status, headers });
}
