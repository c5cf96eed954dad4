import type { CallOptions, Client, OutgoingRequest } from "./client.js";
import { ApiError, type ApiErrorCode, type ApiErrorFacts } from "./errors.js";
import { setHeader } from "./headers.js";
import type { Arguments, Operation } from "./operation.js";
import { segment } from "./path.js";
import { refuse } from "./refuse.js";
import type { Reading } from "./replies.js";

/** A promise of `T` that remembers, in its type alone, how it fails; see `safe`. */
export interface Pending<T, E> extends Promise<T> {
  readonly [failure]?: E;
}
declare const failure: unique symbol;

/**
 * Calls an operation; fails with an `ApiError`, or with what one of the functions among the options throws.
 *
 * @example
 * export function getInstance(client: Client, request: GetInstanceRequest, options?: CallOptions): Pending<Instance,
 * GetInstanceFailure> {   return call(client, { method: "GET", path: "/compute/instances/{computeId}" }, request,
 * options); }
 */
export function call<T, E = ApiError>(
  client: Client,
  operation: Operation,
  given: Arguments = {},
  options: CallOptions = {},
): Pending<T, E> {
  const layers = [client.options(), options] as const;
  const all: Record<string, unknown> = { ...layers[0] };
  for (const name in options) all[name] = options[name as keyof CallOptions] ?? all[name];
  const { authorize, baseUrl = "", fetch: send = fetch, signal, timeout = 0, token } = all as CallOptions;
  const { method, path } = operation;
  const headers = new Headers();
  const request: OutgoingRequest = { method, url: path, headers, body: undefined };
  /** What may be shown of the URL. */
  let shown = path;
  // A longer delay than 2^31 - 1 ms would end at once.
  const timed = timeout > 0 && timeout < 2 ** 31;
  // Only where something may abort: a controller costs as much as the rest of a call.
  const controller = timed || signal ? new AbortController() : undefined;

  const fail = (code: ApiErrorCode, text: string, facts?: Partial<ApiErrorFacts>): ApiError =>
    new ApiError({ code, method, url: shown, text, ...facts });
  // Without the cause: its message says all, and its other fields may hold what was being encoded.
  const refused = (cause: unknown): unknown => fail("request", (cause as Error).message);
  const lost = (cause: unknown): unknown =>
    // A given `fetch` may quote the URL, and with it a key in the query.
    cause instanceof ApiError ? cause : fail("network", "no whole reply", request.url === shown ? { cause } : {});

  // What becomes of an error, from here on; it stays what it is where a function of the options runs.
  let failed: ((cause: unknown) => unknown) | undefined = refused;

  async function exchange(reading: Reading): Promise<unknown> {
    const base = locate(baseUrl);
    const filled = path.replace(/{(.+?)}/g, (_, name: string) =>
      (operation.segment ?? segment)(name, given.path?.[name as keyof object]),
    );
    shown = request.url = base.origin + base.pathname.replace(/\/+$/, "") + filled + base.search;
    const lines = {
      accept: operation.reply ? undefined : "application/json",
      ...layers[0].headers,
      ...options.headers,
    };
    for (const [name, value] of Object.entries(lines))
      if (value === undefined) headers.delete(name);
      else setHeader(headers, name, value);
    for (const write of operation.write ?? []) write(request, given);
    shown = request.url;
    failed = undefined;
    for (const { onRequest } of layers) await onRequest?.(request);
    failed = refused;
    // Read again only when a hook changed it.
    const target = request.url === shown ? base : locate(request.url);
    if (target !== base) {
      target.hash = "";
      shown = request.url = target.href;
    }
    if (!operation.public && target.origin === base.origin) {
      failed = undefined;
      const secret = typeof token === "function" ? await token() : token;
      failed = refused;
      if (secret && !headers.has("authorization")) setHeader(headers, "authorization", `Bearer ${secret}`);
      failed = undefined;
      await authorize?.(request, operation);
    }

    controller?.signal.throwIfAborted();
    failed = lost;
    const response = await send(request.url, { ...request, method, signal: controller?.signal } as RequestInit);
    failed = undefined;
    for (const { onResponse } of layers) await onResponse?.(response, request);
    const { ok, status } = response;
    if (ok && operation.reply) return response.body ? await operation.reply(response, reading) : undefined;
    failed = lost;
    const bytes = await response.arrayBuffer();
    failed = undefined;
    const type = response.headers.get("content-type");
    const facts = { status, headers: response.headers };
    let body: unknown;
    try {
      if (bytes.byteLength)
        body = JSON.parse(
          type && !/json(?!-)/i.test(type) ? "" : new TextDecoder("utf-8", { fatal: true }).decode(bytes),
        );
    } catch {
      body = new TextDecoder().decode(bytes).slice(0, 4096);
      if (ok) throw fail("decode", `no JSON in ${type ?? "reply"}`, { ...facts, body });
    }
    if (ok) return body;
    throw fail("http", response.statusText, { ...facts, body });
  }

  return new Promise<T>((resolve, reject) => {
    // Rejects by itself, not through `fetch`: a hook may hang, and a given `fetch` may know nothing of signals.
    const stop = (code: ApiErrorCode, facts?: Partial<ApiErrorFacts>): void => {
      const error = fail(code, code, facts);
      reject(error);
      controller?.abort(error);
      release();
    };
    const abort = (): void => stop("aborted", { cause: signal?.reason });
    const timer = timed ? setTimeout(stop, timeout, "timeout") : undefined;
    let release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    const hold = (): (() => void) => {
      const later = release;
      release = () => {};
      return later;
    };
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    exchange({ fail, hold, lost, signal: controller?.signal })
      .finally(() => release())
      .then(resolve as (value: unknown) => void, (cause: unknown) => reject(failed ? failed(cause) : cause));
  });
}

function locate(url: string): URL {
  try {
    // As for `fetch`, a relative one belongs to the page, where there is one.
    const found = new URL(url, globalThis.location?.href);
    // "localhost:8080" would be a scheme of its own.
    if (found.protocol.startsWith("http") && !(found.username + found.password)) return found;
  } catch {
    // Not the engine's words, some of which quote the URL.
  }
  return refuse("URL");
}
