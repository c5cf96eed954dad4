import { buildGuard, type Guard, type GuardOptions, type Verdict } from "./guard.js";
import { remember } from "./inputs.js";
import type { Operation } from "./operation.js";
import { told, type OnError } from "./refusal.js";
import { buildReplyGuard, type ReplyOptions } from "./replies.js";
import { judgedReply } from "./web-reply.js";
import { readWebBytes } from "./web-bytes.js";
import { WebExchange } from "./web-exchange.js";

export interface FetchOptions extends GuardOptions, ReplyOptions {
  /** Replaces parts of a refusal: its status, headers or body. */
  readonly onError?: OnError<Request>;
}

/** What a fetch-style server calls with a request and whatever it adds. */
export type FetchHandler<Rest extends readonly unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>;

/**
 * Judges requests before a fetch-style handler. The handler gets the request itself or, where a body was read, another
 * whose body can be read again.
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
  const guard = buildGuard(operations, options);
  const replies = buildReplyGuard(options);
  return (handler) =>
    async (request, ...rest) => {
      const { judged, again } = await judgeWhole(guard, request);
      const refusal = settle(judged, { request: again, options });
      if (refusal !== undefined) return refusal;
      const reply = await handler(again, ...rest);
      if (replies === undefined || judged.kind !== "accepted" || request.method === "HEAD") return reply;
      return judgedReply(reply, { accepted: judged, replies });
    };
}

interface Whole {
  readonly judged: Verdict;
  /** The request whose body can be read. */
  readonly again: Request;
}

async function judgeWhole(guard: Guard, request: Request): Promise<Whole> {
  const verdict = guard.judge(new WebExchange(request));
  if (verdict.kind !== "pending") return { judged: verdict, again: request };
  if (request.bodyUsed) throw new Error(eaten);
  const bytes = await readWebBytes(request.body, verdict.limit);
  if (bytes === undefined) return { judged: verdict.judgeTooLarge(), again: request };
  return { judged: await verdict.judgeBody(bytes), again: withBody(request, bytes) };
}

const eaten = "The validator found the body already read, and cannot judge it. Put the validator before what reads it.";

function settle(
  verdict: Verdict,
  { request, options }: { readonly request: Request; readonly options: FetchOptions },
): Response | undefined {
  if (verdict.kind === "accepted") remember(request, verdict);
  if (verdict.kind !== "refusal") return undefined;
  const { status, headers, text } = told(verdict, request, options.onError);
  return new Response(text, { status, headers });
}

function withBody(request: Request, bytes: Uint8Array): Request {
  const { method, headers, signal, url } = request;
  return new Request(url, { method, headers, signal, body: bytes as Uint8Array<ArrayBuffer> });
}
