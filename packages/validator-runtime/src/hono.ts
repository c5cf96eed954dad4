import { buildGuard, type GuardOptions, type Pending, type Verdict } from "./guard.js";
import { remember } from "./inputs.js";
import { adapterOptions, ensureKnown } from "./known-options.js";
import type { Operation } from "./operation.js";
import { told, type OnError } from "./refusal.js";
import { buildReplyGuard, type ReplyOptions } from "./replies.js";
import { judgedReply } from "./web-reply.js";
import { readWebBytes } from "./web-bytes.js";
import { WebExchange } from "./web-exchange.js";

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

export interface HonoOptions extends GuardOptions, ReplyOptions {
  /** Replaces the status, headers or body of an error response, also of the 500 of `responses: "enforce"`. */
  readonly onError?: OnError<HonoContext>;
}

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
  const guard = buildGuard(operations, options);
  const replies = buildReplyGuard(options);
  const goOn = (verdict: Verdict, context: HonoContext, next: () => Promise<void>): Promise<void> => {
    if (replies === undefined || verdict.kind !== "accepted" || context.req.raw.method === "HEAD") return next();
    return next().then(async () => {
      context.res = await judgedReply(context.res, {
        accepted: verdict,
        replies,
        tell: (refusal) => told(refusal, context, options.onError),
      });
    });
  };
  const settle = (verdict: Verdict, context: HonoContext): Response | undefined => {
    if (verdict.kind === "accepted") {
      remember(context, verdict);
      remember(context.req.raw, verdict);
    }
    if (verdict.kind !== "refusal") return undefined;
    const { status, headers, text } = told(verdict, context, options.onError);
    return new Response(text, { status, headers });
  };
  const judgeBody = async (pending: Pending, context: HonoContext): Promise<Verdict> => {
    const bytes = await bytesOf(context, pending);
    return bytes === undefined ? pending.judgeTooLarge() : pending.judgeBody(bytes);
  };
  const finish = async (pending: Pending, context: HonoContext, next: () => Promise<void>) => {
    const verdict = await judgeBody(pending, context);
    return settle(verdict, context) ?? goOn(verdict, context, next);
  };
  // Not async: a request without a body needs no further promise.
  return (context, next) => {
    const verdict = guard.judge(new WebExchange(context.req.raw));
    if (verdict.kind === "pending") return finish(verdict, context, next);
    const refusal = settle(verdict, context);
    return refusal === undefined ? goOn(verdict, context, next) : Promise.resolve(refusal);
  };
}

async function bytesOf({ req }: HonoContext, pending: Pending): Promise<Uint8Array | undefined> {
  const { raw, bodyCache } = req;
  if (Object.keys(bodyCache).length > 0) {
    const buffer = await req.arrayBuffer();
    return buffer.byteLength > pending.limit ? undefined : new Uint8Array(buffer);
  }
  if (raw.bodyUsed) throw new Error(eaten);
  const bytes = await readWebBytes(raw, pending);
  if (bytes !== undefined) bodyCache.arrayBuffer = Promise.resolve(bufferOf(bytes));
  return bytes;
}

const eaten =
  "The body was read before the request reached the validator. Read it through the context, such as with c.req.json().";

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) return buffer;
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}
