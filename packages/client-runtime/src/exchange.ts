import { json } from "./bodies.js";
import type { CallOptions, OutgoingRequest } from "./client.js";
import { isApiError, type ApiError, type ApiErrorCode, type ApiErrorFacts } from "./errors.js";
import { setHeader } from "./headers.js";
import type { Arguments, Operation } from "./operation.js";
import { fillPath, own, writeAll, type ParameterEncoder } from "./parameters.js";
import { readJson, textOf } from "./replies.js";

/** One call under way. */
export interface Run {
  /** What may be shown of the URL. */
  url: string;
  readonly signal: AbortSignal | undefined;
  fail(code: ApiErrorCode, text: string, facts?: Partial<ApiErrorFacts>): ApiError;
  /** Leaves timer and signal on when the call ends; the function that it returns takes them off. */
  hold(): () => void;
}

export type Layers = readonly [client: CallOptions, call: CallOptions];

/** From arguments to result: build, hooks, credentials, send, hooks, read. */
export async function exchange(operation: Operation, given: Arguments, layers: Layers, run: Run): Promise<unknown> {
  const [defaults, options] = layers;
  const { method } = operation;
  const request: OutgoingRequest = { method, url: "", headers: new Headers(), body: undefined };
  const attempt = <R>(work: () => R): R => {
    try {
      return work();
    } catch (cause) {
      // Without the cause: its message says all, and its other fields may hold what was being encoded.
      throw run.fail("request", (cause as Error).message);
    }
  };

  const base = attempt(() => locate(options.baseUrl ?? defaults.baseUrl ?? ""));
  run.url = request.url = attempt(() => address(base, operation, given));
  attempt(() => fill(request, operation, given, layers));
  for (const { onRequest } of layers) if (onRequest) await onRequest(request);
  const target = attempt(() => locate(request.url));
  target.hash = "";
  run.url = request.url = target.href;
  if (!operation.public && target.host === base.host && target.protocol === base.protocol) {
    const token = options.token ?? defaults.token;
    const secret = typeof token === "function" ? await token() : token;
    if (secret && !request.headers.has("authorization"))
      attempt(() => setHeader(request.headers, "authorization", `Bearer ${secret}`));
    await (options.authorize ?? defaults.authorize)?.(request, operation);
  }

  const lost = (cause: unknown): ApiError =>
    // A given `fetch` may quote the URL, and with it a key in the query.
    isApiError(cause) ? cause : run.fail("network", "no whole reply", request.url === run.url ? { cause } : {});
  let response: Response;
  run.signal?.throwIfAborted();
  try {
    const send = options.fetch ?? defaults.fetch ?? fetch;
    response = await send(request.url, { ...request, method, signal: run.signal } as RequestInit);
  } catch (cause) {
    throw lost(cause);
  }
  for (const { onResponse } of layers) if (onResponse) await onResponse(response, request);

  const { status, headers, ok } = response;
  const bytes = (): Promise<ArrayBuffer> =>
    response.arrayBuffer().catch((cause: unknown) => {
      throw lost(cause);
    });
  if (ok && operation.reply) {
    try {
      return response.body ? await operation.reply(response, { ...run, bytes, lost }) : undefined;
    } catch (cause) {
      throw isApiError(cause) ? cause : run.fail("decode", "unreadable reply", { status, headers });
    }
  }
  const raw = await bytes();
  let body: unknown;
  let problem = "";
  try {
    body = readJson(raw, headers);
  } catch (cause) {
    body = textOf(raw);
    problem = (cause as Error).message;
  }
  if (!ok) throw run.fail("http", response.statusText, { status, headers, body });
  if (problem) throw run.fail("decode", problem, { status, headers, body });
  return body;
}

function address(base: URL, operation: Operation, { path, query }: Arguments): string {
  const place = base.pathname.replace(/\/+$/, "") + fillPath(operation.path, path, operation.segments);
  const search = [base.search.slice(1), writeAll(query, operation.query, "&")].filter(Boolean).join("&");
  return `${base.protocol}//${base.host}${place}${search && `?${search}`}`;
}

function fill(request: OutgoingRequest, operation: Operation, given: Arguments, [defaults, options]: Layers): void {
  const { headers } = request;
  if (!operation.reply) headers.set("accept", "application/json");
  for (const layer of [defaults.headers, options.headers])
    for (const [name, value] of Object.entries(layer ?? {}))
      if (value === undefined) headers.delete(name);
      else setHeader(headers, name, value);
  for (const [name, value] of Object.entries(given.headers ?? {}))
    if (value != null) setHeader(headers, name, own<ParameterEncoder>(operation.headers, name)?.(name, value) ?? value);
  const cookies = writeAll(given.cookies, operation.cookies, "; ");
  if (cookies) setHeader(headers, "cookie", [headers.get("cookie"), cookies].filter(Boolean).join("; "));

  if (given.body !== undefined) request.body = (operation.body ?? json)(given.body, request);
}

function locate(url: string): URL {
  let found: URL;
  try {
    // As for `fetch`, a relative one belongs to the page, where there is one.
    found = new URL(url, globalThis.location?.href);
  } catch {
    // Not the engine's words, some of which quote the URL.
    throw new TypeError("the URL is missing or malformed");
  }
  if (found.username || found.password) throw new TypeError("the URL has a user or password; use basic()");
  return found;
}
