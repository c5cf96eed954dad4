import type { CallOptions, Client } from "./client.js";
import { ApiError, type ApiErrorCode, type ApiErrorInit } from "./errors.js";
import { setHeader } from "./request/headers.js";
import type { Operation, OutgoingRequest, RequestArguments, SuccessResponse } from "./operation.js";
import { encodeSegment } from "./request/path.js";
import type { DecodeContext } from "./response/responses.js";
import { onAbort } from "./timing/signals.js";
import { parseHttpUrl } from "./request/url.js";

/** A promise of `T` whose type also has the error `E` and the successful responses `S`. See `toResult` and `withResponse`. */
export interface ApiPromise<T, E, S = SuccessResponse<number, T>> extends Promise<T> {
  readonly [errorType]?: E;
  readonly [successType]?: S;
  /** The response, from the time that its status and headers arrive. Its body is read by the call. */
  readonly response?: Response;
}
declare const errorType: unique symbol;
declare const successType: unique symbol;

/**
 * Calls an operation.
 *
 * @param operation method, path and encoders
 * @param given the arguments, by location
 * @param options override those of the client
 * @throws ApiError, or what a function among the options throws
 *
 * @example
 * export function getInstance(client: Client, request: GetInstanceRequest, options?: CallOptions): Pending<Instance, GetInstanceFailure> {
 *   return callOperation(client, { method: "GET", path: "/compute/instances/{computeId}" }, request, options);
 * }
 */
export function callOperation<T, E = ApiError, S = SuccessResponse<number, T>>(
  client: Client,
  operation: Operation,
  given: RequestArguments = {},
  options: CallOptions = {},
): ApiPromise<T, E, S> {
  const layers = [client.options(), options] as const;
  const all: Record<string, unknown> = { ...layers[0] };
  for (const name in options) all[name] = options[name as keyof CallOptions] ?? all[name];
  const { authorize, fetch: send = fetch, signal, timeout = 0, token } = all as CallOptions;
  const { method, path, decoder } = operation;
  const headers = new Headers();
  const request: OutgoingRequest = { method, operation, url: path, headers };
  /** The URL without secrets. */
  let shown = path;
  // A longer delay than 2^31 - 1 ms would end at once.
  const timed = timeout > 0 && timeout < 2 ** 31;
  // Only if something may abort: a controller costs as much as the rest of a call.
  const controller = timed || signal ? new AbortController() : undefined;
  const stopped = controller?.signal;

  const fail = (code: ApiErrorCode, facts?: Partial<ApiErrorInit>): ApiError =>
    new ApiError({ code, method, url: shown, ...facts });
  // Without the cause: its message says everything, and its properties may have the value that could not be encoded.
  const rejected = (cause: unknown): unknown => fail("request", { text: (cause as Error).message });
  const lost = (cause: unknown): unknown =>
    fail("network", {
      // The cause of Node's error has the network's code, such as ECONNREFUSED.
      text: (cause as { cause?: { code?: string } })?.cause?.code ?? "no response",
      // A custom `fetch` may quote the URL, and with it a key in the query.
      ...(request.url === shown && { cause }),
    });

  // Turns what is thrown from here on into an `ApiError`. Undefined while a function of the options runs, whose errors pass unchanged.
  let failed: ((cause: unknown) => unknown) | undefined = rejected;

  const exchange = async (reading: DecodeContext): Promise<unknown> => {
    const base = options.baseUrl === undefined ? client.baseUrl() : parseHttpUrl(options.baseUrl);
    const filled = path.replace(/{(.+?)}/g, (_, name: string) =>
      (operation.pathEncoder ?? encodeSegment)(name, given.path?.[name as keyof object]),
    );
    // Between the path of `baseUrl`, which may end with a slash, and its query.
    shown = request.url = base.replace(/\/*(\?.*)?$/, (_, query = "") => filled + query);
    const lines = { accept: decoder ? undefined : "application/json", ...layers[0].headers, ...options.headers };
    for (const [name, value] of Object.entries(lines))
      if (value === undefined) headers.delete(name);
      else setHeader(headers, name, value);
    for (const write of operation.encoders ?? []) write(request, given, send);
    shown = request.url;
    failed = undefined;
    // `await` takes time even without a promise.
    for (const { onRequest } of layers) if (onRequest) await onRequest(request);
    failed = rejected;
    // Parsed again only if a hook has changed it.
    const isHome =
      request.url === shown ||
      new URL((shown = request.url = parseHttpUrl(request.url))).origin === new URL(base).origin;
    if (isHome && !operation.public) {
      failed = undefined;
      const secret = typeof token === "function" ? await token() : token;
      failed = rejected;
      if (secret && !headers.has("authorization")) setHeader(headers, "authorization", `Bearer ${secret}`);
      failed = undefined;
      if (authorize) await authorize(request, operation);
    }

    stopped?.throwIfAborted();
    failed = lost;
    const response = await (request.send ?? send)(request.url, { ...request, method, signal: stopped } as RequestInit);
    pending.response = response;
    failed = (thrown) => {
      // The body is not needed any more. `cancel` fails for a locked body, and a custom `fetch` may return a body without it.
      response.body?.cancel?.().catch(() => {});
      return thrown;
    };
    for (const { onResponse } of layers) if (onResponse) await onResponse(response, request);
    const { ok, headers: replied } = response;
    const decoded = ok && response.body && decoder?.(response, reading);
    if (decoded) return decoded;
    failed = lost;
    const bytes = await response.arrayBuffer();
    failed = undefined;
    const decode = (how?: TextDecoderOptions): string => new TextDecoder("utf8", how).decode(bytes);
    const type = replied.get("content-type");
    let body: unknown;
    try {
      if (bytes.byteLength) body = JSON.parse(!type || /json(?!-)/i.test(type) ? decode({ fatal: true }) : "");
      if (ok) return body;
    } catch {
      body = decode().slice(0, 4096);
    }
    throw fail(ok ? "decode" : "http", {
      text: ok ? `not JSON: ${type ?? "body"}` : response.statusText,
      status: response.status,
      body,
      headers: replied,
    });
  };

  const pending: ApiPromise<T, E, S> & { response?: Response } = new Promise<T>((resolve, reject) => {
    // Rejects by itself, not through `fetch`: a hook may hang, and a custom `fetch` may ignore signals.
    const stop = (code: ApiErrorCode, facts?: Partial<ApiErrorInit>): void => {
      const error = fail(code, facts);
      reject(error);
      controller?.abort(error);
      reading.close();
    };
    const abort = (): void => stop("aborted", { cause: signal?.reason });
    let leave: (() => void) | undefined;
    const timer = timed ? setTimeout(stop, timeout, "timeout") : 0;
    const reading: DecodeContext = {
      toError: fail,
      networkError: lost,
      signal: stopped,
      close() {
        clearTimeout(timer);
        leave?.();
      },
    };
    if (signal?.aborted) return abort();
    if (signal) leave = onAbort(signal, abort);
    exchange(reading)
      .finally(() => reading.close())
      .then(resolve as (value: unknown) => void, (cause: unknown) => reject(failed ? failed(cause) : cause));
  });
  return pending;
}
