import { buildGuard, type Guard, type GuardOptions, type Verdict } from "./guard.js";
import { remember } from "./inputs.js";
import { adapterOptions, ensureKnown } from "./known-options.js";
import type { Operation } from "./operation.js";
import { told, type OnError } from "./refusal.js";
import { buildReplyGuard, type ReplyOptions } from "./replies.js";
import { judgedReply } from "./web-reply.js";
import { makeReadable } from "./readable-request.js";
import { readWebBytes } from "./web-bytes.js";
import { WebExchange } from "./web-exchange.js";

export interface FetchOptions extends GuardOptions, ReplyOptions {
  /** Replaces the status, headers or body of an error response, also of the 500 of `responses: "enforce"`. */
  readonly onError?: OnError<Request>;
}

/** A handler of web requests, with the further arguments of its server. */
export type FetchHandler<Rest extends readonly unknown[]> = (
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
  handler: FetchHandler<Rest>,
) => (request: Request, ...rest: Rest) => Promise<Response> {
  ensureKnown(options, adapterOptions);
  const guard = buildGuard(operations, options);
  const replies = buildReplyGuard(options);
  return (handler) =>
    async (request, ...rest) => {
      const judged = await judgeWhole(guard, request);
      const refusal = settle(judged, { request, options });
      if (refusal !== undefined) return refusal;
      const reply = await handler(request, ...rest);
      if (replies === undefined || judged.kind !== "accepted" || request.method === "HEAD") return reply;
      return judgedReply(reply, {
        accepted: judged,
        replies,
        tell: (refused) => told(refused, request, options.onError),
      });
    };
}

async function judgeWhole(guard: Guard, request: Request): Promise<Verdict> {
  const verdict = guard.judge(new WebExchange(request));
  if (verdict.kind !== "pending") return verdict;
  if (request.bodyUsed) throw new Error(eaten);
  const bytes = await readWebBytes(request, verdict);
  if (bytes === undefined) return verdict.judgeTooLarge();
  makeReadable(request, bytes);
  return verdict.judgeBody(bytes);
}

const eaten =
  "The body was read before the request reached the validator. Put the validator before the code that reads it.";

function settle(
  verdict: Verdict,
  { request, options }: { readonly request: Request; readonly options: FetchOptions },
): Response | undefined {
  if (verdict.kind === "accepted") remember(request, verdict);
  if (verdict.kind !== "refusal") return undefined;
  const { status, headers, text } = told(verdict, request, options.onError);
  return new Response(text, { status, headers });
}
