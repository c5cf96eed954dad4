import type { ResponseDecoder } from "./response/responses.js";

/** An operation as generated code describes it: plain data, and the functions that it needs. A bundle drops the functions that no operation uses. */
export interface Operation {
  readonly method: string;
  /** `{name}` stands for a parameter. */
  readonly path: string;
  /** The header `Accept`. Default: JSON, or else any media type. */
  readonly accept?: string;
  /** Encodes path parameters. Default: one scalar each. */
  readonly pathEncoder?: (name: string, value: unknown) => string;
  /** Encodes the other arguments, in this order: `query`, `headers`, `cookies`, the body. */
  readonly encoders?: readonly RequestEncoder[];
  /** Decodes the body of a 2xx response. Default: JSON. */
  readonly decoder?: ResponseDecoder;
  /** True if credentials are not sent. */
  readonly public?: boolean;
  /** The security requirements, each with the schemes that it needs together. `authorizeBySecurity` uses them. */
  readonly security?: readonly (readonly string[])[];
}

/** Encodes some arguments into a request that has its URL and the headers of the options. */
export type RequestEncoder = (request: OutgoingRequest, given: RequestArguments) => void;

/** The arguments of a call by location, with the names of the description. Generated functions type them exactly. */
export interface RequestArguments {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly headers?: object | undefined;
  readonly cookies?: object | undefined;
  /** The media type of the body, where the description has several. */
  readonly contentType?: string | undefined;
  /** Undefined: no body. Null: the JSON value null. */
  readonly body?: unknown;
}

/** Options that `fetch` gets as they are. Each platform ignores those that it does not know. */
export interface FetchOptions {
  /** How the HTTP cache is used. */
  cache?: "default" | "force-cache" | "no-cache" | "no-store" | "only-if-cached" | "reload" | undefined;
  /**
   * Whether cookies are sent and stored.
   *
   * @defaultValue `same-origin`
   */
  credentials?: "omit" | "same-origin" | "include" | undefined;
  /** Whether the request outlives its page. */
  keepalive?: boolean | undefined;
  /** Whether other origins may be called, and by which rules. */
  mode?: "cors" | "navigate" | "no-cors" | "same-origin" | undefined;
  /** Seconds that Next.js keeps the response (false: without a limit), and the tags by which `revalidateTag` ends that. */
  next?:
    | { readonly revalidate?: number | false | undefined; readonly tags?: readonly string[] | undefined }
    | undefined;
  /** The priority among the requests of a page. */
  priority?: "auto" | "high" | "low" | undefined;
  /**
   * With `error`, a redirected call fails with the code `network`; with `manual`, with the code `http` and the status of the redirect.
   *
   * @defaultValue `follow`, without a body to another origin
   */
  redirect?: "error" | "follow" | "manual" | undefined;
}

/** A request before it is sent. Hooks may change `url`, `headers`, `body` and options of `fetch`. The method is fixed. */
export interface OutgoingRequest extends FetchOptions {
  readonly method: string;
  readonly operation: Operation;
  url: string;
  readonly headers: Headers;
  body?: RequestInit["body"] | undefined;
  duplex?: "half";
  /** Sends the request. A request with a body has one that does not follow every redirect. */
  send: Fetch;
}

/** Sends requests. In addition to the global `fetch`, it receives the operation, and from `withRetry` the number of a further attempt. */
export type Fetch = (
  url: string,
  init: RequestInit & { readonly operation?: Operation; readonly attempt?: number },
) => Promise<Response>;

/** A successful response: narrow by `status` where an operation has several. */
export interface SuccessResponse<Status extends number, T, H extends Headers = Headers> {
  readonly status: Status;
  readonly headers: H;
  readonly data: T;
}

/**
 * The headers of a response, with the documented names. A header is text, as it was sent.
 *
 * @typeParam Always the names of headers that each response has
 * @typeParam Sometimes the names of other documented headers
 */
export type ResponseHeaders<Always extends string, Sometimes extends string = never> = {
  get(name: Always): string;
  get(name: Sometimes): string | null;
} & Headers;
