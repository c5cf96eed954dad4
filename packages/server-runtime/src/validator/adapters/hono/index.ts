import {
  createRequestValidator,
  type ValidatorOptions,
  type PendingBody,
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
import { validateWebResponse } from "../fetch/web-response.js";

/** The part of Hono's context that the adapter uses. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request;
    /** What `c.req.json()` and similar methods have read. They read from here first. */
    readonly bodyCache: { arrayBuffer?: Promise<ArrayBuffer> | ArrayBuffer };
    arrayBuffer(): Promise<ArrayBuffer>;
  };
  readonly env: unknown;
  /** The response, after the handler has run. */
  res: Response;
}

export interface HonoOptions extends ValidatorOptions, ResponseValidationOptions, ErrorOptions<HonoContext> {}

export type HonoValidator = (context: HonoContext, next: () => Promise<void>) => Promise<Response | void>;

/**
 * Creates Hono middleware that validates requests. Handlers can read the body through the context: `c.req.json()`, `c.req.text()`.
 *
 * @param operations the operations to validate
 * @throws TypeError for an unknown option
 *
 * @example
 * app.use(validator({ basePath: "/v4" }));
 */
export function honoValidator(operations: Iterable<Operation>, options: HonoOptions = {}): HonoValidator {
  ensureKnown(options, adapterOptions);
  const validator = createRequestValidator(operations, options);
  const responseValidator = createResponseValidator(options);
  const proceed = (outcome: ValidationOutcome, context: HonoContext, next: () => Promise<void>): Promise<void> => {
    if (responseValidator === undefined || outcome.kind !== "accepted" || context.req.raw.method === "HEAD")
      return next();
    return next().then(async () => {
      context.res = await validateWebResponse(context.res, {
        accepted: outcome,
        responseValidator,
        serialize: (errorResponse) => serializeError(errorResponse, context, options),
      });
    });
  };
  const settle = (outcome: ValidationOutcome, context: HonoContext): Response | undefined => {
    if (outcome.kind === "accepted") {
      attachInput(context, outcome);
      attachInput(context.req.raw, outcome);
    }
    if (outcome.kind !== "error") return undefined;
    const { status, headers, text } = serializeError(outcome, context, options);
    return new Response(text, { status, headers });
  };
  const validateBody = async (pending: PendingBody, context: HonoContext): Promise<ValidationOutcome> => {
    const bytes = await bytesOf(context, pending);
    return bytes === undefined ? pending.rejectTooLarge() : pending.validateBody(bytes);
  };
  const finish = async (pending: PendingBody, context: HonoContext, next: () => Promise<void>) => {
    const outcome = await validateBody(pending, context);
    return settle(outcome, context) ?? proceed(outcome, context, next);
  };
  // Not async: a request without a body needs no further promise.
  return (context, next) => {
    const outcome = validator.validate(new WebRequestHead(context.req.raw));
    if (outcome.kind === "pending") return finish(outcome, context, next);
    const errorResponse = settle(outcome, context);
    return errorResponse === undefined ? proceed(outcome, context, next) : Promise.resolve(errorResponse);
  };
}

async function bytesOf({ req }: HonoContext, pending: PendingBody): Promise<Uint8Array | undefined> {
  const { raw, bodyCache } = req;
  if (Object.keys(bodyCache).length > 0) {
    const buffer = await req.arrayBuffer();
    return buffer.byteLength > pending.limit ? undefined : new Uint8Array(buffer);
  }
  if (raw.bodyUsed) throw new Error(bodyUsedMessage);
  const bytes = await readWebBytes(raw, pending);
  if (bytes !== undefined) bodyCache.arrayBuffer = Promise.resolve(bufferOf(bytes));
  return bytes;
}

const bodyUsedMessage =
  "The body was read before the request reached the validator. Read it through the context, such as with c.req.json().";

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) return buffer;
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}
