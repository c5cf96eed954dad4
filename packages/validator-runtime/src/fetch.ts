import { buildGuard, type GuardOptions, type Verdict } from "./guard.js";
import { remember } from "./inputs.js";
import type { Operation } from "./operation.js";
import { told, type OnError } from "./refusal.js";
import { readWebBytes } from "./web-bytes.js";
import { WebExchange } from "./web-exchange.js";

export interface FetchOptions extends GuardOptions {
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
  return (handler) =>
    async (request, ...rest) => {
      const verdict = guard.judge(new WebExchange(request));
      if (verdict.kind !== "pending") return settle(verdict, { request, options }) ?? handler(request, ...rest);
      if (request.bodyUsed) throw new Error(eaten);
      const bytes = await readWebBytes(request.body, verdict.limit);
      const judged = bytes === undefined ? verdict.judgeTooLarge() : await verdict.judgeBody(bytes);
      const again = bytes === undefined || judged.kind === "refusal" ? request : withBody(request, bytes);
      return settle(judged, { request: again, options }) ?? handler(again, ...rest);
    };
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
