import {
  type PendingBody,
  type ValidationOutcome,
  type Operation,
  readWebBytes,
  WebRequestHead,
  type HeadOutcome,
} from "../../../http/index.js";
import { toWebResponse, validateWebResponse } from "../fetch/web-response.js";
import { HostValidator, type HostOptions } from "../host-validator.js";
import { attachInput } from "../validated-input.js";

/** The part of Hono's context that the adapter uses. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request;
    /** What `c.req.json()` and similar methods have read. They read from here first. */
    readonly bodyCache: {
      arrayBuffer?: Promise<ArrayBuffer> | ArrayBuffer;
      readonly formData?: Promise<FormData> | FormData;
    };
    arrayBuffer(): Promise<ArrayBuffer>;
  };
  readonly env: unknown;
  /** The response, or before the handler has run the headers that it will have. A response that is set gets the headers of the one before. */
  get res(): Response;
  set res(response: Response | undefined);
}

export interface HonoOptions extends HostOptions<HonoContext> {}

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
  const validator = new HostValidator<HonoContext>(operations, options);
  const settle: Settle = (outcome, context, next) => {
    const { raw } = context.req;
    if (outcome.kind === "accepted") attachInput(raw, outcome);
    const errorResponse = validator.settle(outcome, context);
    if (errorResponse !== undefined) return Promise.resolve(toWebResponse(errorResponse));
    const validate = validator.responseValidator(outcome, context, raw.method);
    if (validate === undefined) return next();
    const before = new Headers(context.res.headers);
    return next().then(async () => {
      const replacement = await validateWebResponse(context.res, validate);
      if (replacement === undefined) return;
      context.res = undefined;
      context.res = toWebResponse(replacement, before);
    });
  };
  // Not async: a request without a body needs no further promise.
  return (context, next) => {
    const proceed = (outcome: HeadOutcome): ReturnType<HonoValidator> => {
      if (outcome.kind !== "pending") return settle(outcome, context, next);
      return validateBody(outcome, context).then((validated) => settle(validated, context, next));
    };
    const outcome = validator.validate(new WebRequestHead(context.req.raw), context);
    return outcome instanceof Promise ? outcome.then(proceed) : proceed(outcome);
  };
}

type Settle = (outcome: ValidationOutcome, ...rest: Parameters<HonoValidator>) => ReturnType<HonoValidator>;

async function validateBody(pending: PendingBody, context: HonoContext): Promise<ValidationOutcome> {
  const form = await context.req.bodyCache.formData;
  const validated = form && pending.validateValue(await fieldsOf(form));
  if (validated !== undefined) return validated;
  const bytes = await bytesOf(context, pending);
  return bytes === undefined ? pending.rejectTooLarge() : pending.validateBody(bytes);
}

/** What `c.req.parseBody()` has read. */
async function fieldsOf(form: FormData): Promise<Readonly<Record<string, unknown>>> {
  const fields = new Map<string, unknown[]>();
  for (const [name, value] of form) {
    const field =
      typeof value === "string"
        ? value
        : { fileName: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) };
    fields.set(name, [...(fields.get(name) ?? []), field]);
  }
  return Object.fromEntries(fields);
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
