import type { Operation } from "./operation.js";
import { locate } from "./url.js";

/** A secret, or a function that is asked for it before each request. */
export type Secret = string | (() => string | Promise<string>);

/**
 * A request on its way out. Hooks may change `url`, `headers` and `body`, and set `credentials` and `redirect`; the
 * method stays.
 */
export interface OutgoingRequest {
  readonly method: string;
  readonly operation: Operation;
  url: string;
  readonly headers: Headers;
  body?: RequestInit["body"] | undefined;
  credentials?: "omit" | "same-origin" | "include";
  redirect?: "follow" | "error" | "manual";
  duplex?: "half";
  /** Sends in place of `fetch`: what has a body, which not every redirect may get. */
  send?: Fetch;
}

/** What sends requests; it is told the operation, too, which the global `fetch` does not look at. */
export type Fetch = (url: string, init: RequestInit & { readonly operation?: Operation }) => Promise<Response>;

/** Adds credentials to a request; see `basic`, `apiKey`, `bearer` and `bySecurity`. */
export type Authorize = (request: OutgoingRequest, operation: Operation) => void | Promise<void>;

/** Options of one call; those that are absent or undefined are the client's. */
export interface CallOptions {
  /** Where paths begin: absolute, or in browsers from "/"; it may have a path and a query. */
  readonly baseUrl?: string | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Sent with the request; undefined takes away a header of the client's. Parameters of the operation win. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds for the whole exchange, hooks and body included; 0 or 2^31 and more: no limit, as without it. */
  readonly timeout?: number | undefined;
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
  /** Sent as `Authorization: Bearer`; not to public operations, nor to an origin other than `baseUrl`'s. */
  readonly token?: Secret | undefined;
  /** Adds other credentials, under the same two conditions as `token`. */
  readonly authorize?: Authorize | undefined;
  /** Runs before credentials are added: first the client's, then the call's. What it throws, the call throws. */
  readonly onRequest?: ((request: OutgoingRequest) => void | Promise<void>) | undefined;
  /**
   * Runs before the reply is read: first the client's, then the call's. Read a `clone()`. What it throws, the call
   * throws.
   */
  readonly onResponse?: ((response: Response, request: OutgoingRequest) => void | Promise<void>) | undefined;
}

/** Options of a client: the defaults of its calls. */
export type ClientOptions = CallOptions;

/** What every operation takes first. A function holds the options, so that logging a client does not log its token. */
export interface Client {
  readonly options: () => ClientOptions;
  /** Its `baseUrl` in full, read when it is first needed; throws where there is none. */
  readonly base: () => string;
}

/**
 * Makes a client: a frozen value that holds options, and no connection.
 *
 * @example
 * const client = connect({ baseUrl: "https://api.example/v4", token });
 * const patient = connect({ ...client.options(), timeout: 60_000 });
 */
export function connect(options: ClientOptions): Client {
  const kept = Object.freeze({ ...options });
  let base: string | undefined;
  return Object.freeze({ options: () => kept, base: () => (base ??= locate(kept.baseUrl)) });
}
