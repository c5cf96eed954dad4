import { json, type BodyEncoder } from "./bodies.js";
import type { CallOptions, Client, OutgoingRequest } from "./client.js";
import { ApiError, isApiError, type ApiErrorCode, type ApiErrorFacts } from "./errors.js";
import { setHeader } from "./headers.js";
import { fillPath, own, writeAll, type Encoders, type ParameterEncoder } from "./parameters.js";
import { readJson, textOf, type ReplyDecoder } from "./replies.js";

/** What generated code says of an operation: plain data, and those encoders that it needs beside the usual ones. */
export interface Operation {
  readonly method: string;
  /** `{name}` stands for one segment, `{+name}` for one or more. */
  readonly path: string;
  /** Encoders of path parameters; without one: scalars, and arrays with commas. */
  readonly segments?: Encoders;
  /** Encoders of query parameters; without one: `form`, exploded. */
  readonly query?: Encoders;
  /** Encoders of header parameters; without one: scalars, and arrays with commas. */
  readonly headers?: Encoders;
  /** Encoders of cookies; without one: `form`, exploded. */
  readonly cookies?: Encoders;
  /** How the body is written; without one: JSON. */
  readonly body?: BodyEncoder;
  /** How the body of a 2xx reply is read; without one: JSON. */
  readonly reply?: ReplyDecoder;
  /** Credentials are not sent. */
  readonly public?: boolean;
  /** Alternatives, each a list of the schemes that it takes together; read by `bySecurity`. */
  readonly security?: readonly (readonly string[])[];
}

/** What a call is given, by place, under the names of the wire. Generated functions type it exactly. */
export interface Arguments {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly headers?: object | undefined;
  readonly cookies?: object | undefined;
  readonly body?: unknown;
}

/** A promise of `T` that remembers, in its type alone, how it fails; see `safe`. */
export interface Pending<T, E> extends Promise<T> {
  readonly [failure]?: E;
}
declare const failure: unique symbol;

/**
 * Calls an operation. Fails with an `ApiError`, and with nothing else unless a function among the options throws.
 *
 * @example
 * export function getInstance(client: Client, request: GetInstanceRequest, options?: CallOptions): Pending<Instance, GetInstanceFailure> {
 *   return call(client, { method: "GET", path: "/compute/instances/{computeId}" }, request, options);
 * }
 */
export function call<T, E = ApiError>(
  client: Client,
  operation: Operation,
  request: Arguments = {},
  options: CallOptions = {},
): Pending<T, E> {
  const defaults = client.options();
  const { method } = operation;
  const timeout = options.timeout ?? defaults.timeout ?? 0;
  const signal = options.signal ?? defaults.signal;
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let held = false;

  return new Promise<T>((resolve, reject) => {
    const run: Run = {
      url: operation.path,
      signal: controller.signal,
      fail: (code, text, facts) => new ApiError({ code, method, url: run.url, text, ...facts }),
      hold() {
        held = true;
        return release;
      },
    };
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    // Rejects by itself rather than through `fetch`: a hook may hang, and a given `fetch` may know nothing of signals.
    const stop = (error: unknown): void => {
      release();
      reject(error);
      controller.abort(error);
    };
    const onAbort = (): void => stop(run.fail("aborted", "aborted", { cause: signal?.reason }));

    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort);
    // Longer delays than 2^31 - 1 ms would end at once.
    if (timeout > 0 && timeout < 2 ** 31)
      timer = setTimeout(() => stop(run.fail("timeout", `no whole reply within ${timeout} ms`)), timeout);
    perform(operation, request, [defaults, options], run).then((value) => {
      if (!held) release();
      resolve(value as T);
    }, stop);
  });
}

/** One call under way. `url` is what may be shown of it. */
interface Run {
  url: string;
  readonly signal: AbortSignal;
  fail(code: ApiErrorCode, text: string, facts?: Partial<ApiErrorFacts>): ApiError;
  /** Leaves timer and signal on when the call ends; the function that it returns takes them off. */
  hold(): () => void;
}

type Layers = readonly [client: CallOptions, call: CallOptions];

async function perform(operation: Operation, given: Arguments, layers: Layers, run: Run): Promise<unknown> {
  const [defaults, options] = layers;
  const { method } = operation;
  const outgoing: OutgoingRequest = { method, url: "", headers: new Headers(), body: undefined };
  const attempt = <R>(work: () => R): R => {
    try {
      return work();
    } catch (cause) {
      // Without the cause: all it knows is in its message, and its other fields may hold what was being encoded.
      throw run.fail("request", (cause as Error).message);
    }
  };
  const lost = (cause: unknown): ApiError =>
    isApiError(cause) ? cause : run.fail("network", "no whole reply", outgoing.url === run.url ? { cause } : {});

  const base = attempt(() => build(outgoing, operation, given, layers));
  for (const { onRequest } of layers) await onRequest?.(outgoing);
  const target = attempt(() => locate(outgoing.url));
  target.hash = "";
  run.url = outgoing.url = target.href;
  if (!operation.public && target.host === base.host && target.protocol === base.protocol) {
    const token = options.token ?? defaults.token;
    const secret = typeof token === "function" ? await token() : token;
    if (secret) attempt(() => setHeader(outgoing.headers, "authorization", `Bearer ${secret}`));
    await (options.authorize ?? defaults.authorize)?.(outgoing, operation);
  }

  run.signal.throwIfAborted();
  const send = options.fetch ?? defaults.fetch ?? fetch;
  let response: Response;
  try {
    response = await send(outgoing.url, { ...outgoing, method, signal: run.signal } as RequestInit);
  } catch (cause) {
    throw lost(cause);
  }
  for (const { onResponse } of layers) await onResponse?.(response, outgoing);

  const { status, headers, ok } = response;
  const bytes = (): Promise<ArrayBuffer> =>
    response.arrayBuffer().catch((cause: unknown) => {
      throw lost(cause);
    });
  if (ok && operation.reply) {
    try {
      return response.body ? await operation.reply(response, { bytes, lost, signal: run.signal, hold: run.hold }) : undefined;
    } catch (cause) {
      throw isApiError(cause) ? cause : run.fail("decode", "unreadable reply", { status, headers, cause });
    }
  }
  const raw = await bytes();
  let body: unknown;
  let text = "";
  try {
    body = readJson(raw, headers);
  } catch (cause) {
    body = textOf(raw);
    text = (cause as Error).message;
  }
  if (!ok) throw run.fail("http", response.statusText, { status, headers, body });
  if (text) throw run.fail("decode", text, { status, headers, body });
  return body;
}

/** Fills in the request and returns where it starts from; throws what is wrong with it. */
function build(outgoing: OutgoingRequest, operation: Operation, given: Arguments, [defaults, options]: Layers): URL {
  const { headers } = outgoing;
  const base = locate(options.baseUrl ?? defaults.baseUrl ?? "");
  const path = base.pathname.replace(/\/+$/, "") + fillPath(operation.path, given.path, operation.segments);
  const query = [base.search.slice(1), writeAll(given.query, operation.query, "&")].filter(Boolean).join("&");
  outgoing.url = `${base.protocol}//${base.host}${path}${query && `?${query}`}`;

  if (!operation.reply) headers.set("accept", "application/json");
  for (const layer of [defaults.headers, options.headers])
    for (const [name, value] of Object.entries(layer ?? {}))
      if (value === undefined) headers.delete(name);
      else setHeader(headers, name, value);
  for (const [name, value] of Object.entries(given.headers ?? {}))
    if (value != null) setHeader(headers, name, own<ParameterEncoder>(operation.headers, name)?.(name, value) ?? value);
  const cookies = writeAll(given.cookies, operation.cookies, "; ");
  if (cookies) setHeader(headers, "cookie", cookies);

  if (given.body !== undefined) outgoing.body = (operation.body ?? json)(given.body, outgoing);
  return base;
}

function locate(url: string): URL {
  // As for `fetch`, a relative one belongs to the page, where there is one.
  const page = globalThis.location?.href;
  if (!URL.canParse(url, page)) throw new TypeError("the URL is missing or malformed");
  const found = new URL(url, page);
  if (found.username || found.password) throw new TypeError("the URL has a user or password; use basic()");
  return found;
}
