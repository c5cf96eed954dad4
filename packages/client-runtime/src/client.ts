import type { Fetch, FetchOptions, Operation, OutgoingRequest } from "./operation.js";
import { parseHttpUrl } from "./request/url.js";

/** A secret, or a function that returns it before each request. */
export type Secret = string | (() => string | Promise<string>);

/** Adds credentials to a request. See `basic`, `apiKey`, `bearer` and `authorizeBySecurity`. */
export type Authorize = (request: OutgoingRequest, operation: Operation) => void | Promise<void>;

/** Options of one call. Absent or undefined ones are those of the client. */
export interface CallOptions extends Readonly<FetchOptions> {
  /** The URL before the paths of operations: absolute, or in browsers from "/". It may have a path and a query. */
  readonly baseUrl?: string | undefined;
  /**
   * Sends requests.
   *
   * @defaultValue the global `fetch`
   */
  readonly fetch?: Fetch | undefined;
  /** Headers of each request. Undefined removes a header of the client. Header parameters of the operation have priority. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Milliseconds for the complete exchange, hooks and body included. 0, or 2^31 and more: no limit.
   *
   * @defaultValue 0
   */
  readonly timeout?: number | undefined;
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
  /** Sent as `Authorization: Bearer`. Not sent to public operations, nor to another origin than that of `baseUrl`. */
  readonly token?: Secret | undefined;
  /** Adds other credentials, under the same two conditions as `token`. */
  readonly authorize?: Authorize | undefined;
  /** Runs before credentials are added: first the client's hook, then the call's. The call fails with what it throws. */
  readonly onRequest?: ((request: OutgoingRequest) => void | Promise<void>) | undefined;
  /** Runs before the body of the response is read: first the client's hook, then the call's. Read a `clone()`. The call fails with what it throws. */
  readonly onResponse?: ((response: Response, request: OutgoingRequest) => void | Promise<void>) | undefined;
}

/** Options of one call of an API whose description names no credentials. `authorize` sends some, if there are any. */
export type OpenCallOptions = Omit<CallOptions, "token">;

/** Options of a client: the defaults of its calls. */
export type ClientOptions = CallOptions;

/** The client of an API, the first argument of every operation. Its options are behind a function, so logging a client does not log its token. */
export interface Client {
  readonly options: () => ClientOptions;
  /** Returns the complete `baseUrl`, parsed. Throws if there is none. */
  readonly baseUrl: () => string;
}

/**
 * Creates a client: a frozen value with options. It holds no connection.
 *
 * @param options the defaults of its calls
 * @param baseUrl the base URL without another one among the options
 * @example
 * const client = createBaseClient({ baseUrl: "https://api.example/v4", token });
 * const patient = createBaseClient({ ...client.options(), timeout: 60_000 });
 */
export function createBaseClient(options: ClientOptions, baseUrl?: string): Client {
  const kept = Object.freeze({ ...options, baseUrl: options.baseUrl ?? baseUrl });
  return Object.freeze({ options: () => kept, baseUrl: () => parseHttpUrl(kept.baseUrl)[0] });
}
