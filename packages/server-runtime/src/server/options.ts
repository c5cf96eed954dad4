import type { Authenticate } from "./access/authentication.js";
import type { Grants } from "./access/grants.js";
import type { ErrorEntry } from "./errors/errors.js";
import type { ObserveRequest } from "./observe/observe.js";
import type { RateLimitStore, RateLimit } from "./rate-limits/limits.js";
import type { RequestContext, Caller } from "./request/request-context.js";
import type { ResourceStore } from "./resources/resources.js";
import type { HandlerResponse, SerializedResponse } from "./response/responses.js";

/** An entry of the log. Clients never see it. */
export interface LogEntry {
  /** `warn`: a store is not available, and the server responds with 503. */
  readonly level: "error" | "warn";
  readonly message: string;
  readonly requestId: string;
  readonly operation: string | undefined;
  readonly error: unknown;
}

/**
 * Runs a function in one transaction: commits, or rolls back when the function throws. The values passed to `run` are added to the handler's context.
 * `input` has what the client sent, valid by its schemas: what needs no lock, such as the hash of a password, is computed before the transaction.
 */
export type Transaction<Context extends Given, Given extends RequestContext = RequestContext> = <T>(
  call: Given,
  run: (added: AddedContext<Context, Given>) => Promise<T>,
  input: { readonly body?: unknown },
) => Promise<T>;

/** The properties that a context has in addition to a call, or with a narrower type. */
export type AddedContext<Context extends Given, Given extends RequestContext> = {
  readonly [
    Name in keyof Context as Name extends keyof Given ? (Given[Name] extends Context[Name] ? never : Name) : Name
  ]: Context[Name];
};

/** Options that every server has. */
export interface CommonOptions {
  /**
   * Where the API's paths begin, such as `"/v4"`; several values are aliases.
   *
   * @defaultValue the paths of the description's servers
   */
  readonly basePath?: string | readonly string[];
  /**
   * Maximum size in bytes of a body that is held in memory.
   *
   * @defaultValue 1 MiB
   */
  readonly bodyLimit?: number;
  /**
   * Maximum size in bytes of a streamed body, if the description has no limit.
   *
   * @defaultValue 1 GiB
   */
  readonly streamLimit?: number;
  /**
   * How many resources a field of a body may reference, such as the ids of a list. The server responds with 400 to more, before any lookup.
   *
   * @defaultValue 5,000
   */
  readonly referenceLimit?: number;
  /**
   * Bytes that all incomplete bodies hold in memory together, at least `bodyLimit`. At the limit, the server drops the oldest body and responds with 503.
   *
   * @defaultValue 64 MiB
   */
  readonly bodyMemory?: number;
  /**
   * Bytes of one user's responses that are not sent completely. Further GET requests wait up to 10 seconds for room, then get 429.
   *
   * @defaultValue 16 MiB
   */
  readonly responseMemoryPerUser?: number;
  /**
   * Bytes of all responses that are not sent completely. Further GET requests wait up to 10 seconds for room, then get 503.
   *
   * @defaultValue 64 MiB
   */
  readonly responseMemory?: number;
  /**
   * Milliseconds in which a body that is held in memory has to arrive. Then the server responds with 408.
   *
   * @defaultValue 60,000
   */
  readonly bodyTimeoutMs?: number;
  /**
   * Milliseconds in which a streamed body has to arrive, if the description has no limit. Then the server responds with 408.
   *
   * @defaultValue 3,600,000
   */
  readonly streamTimeoutMs?: number;
  /**
   * Milliseconds after a response in which the client may send the rest of a body that the server does not need.
   *
   * @defaultValue 5,000
   */
  readonly unreadTimeoutMs?: number;
  /**
   * What to do with undocumented body properties: `"ignore"` passes them to the handler, `"strip"` removes them, `"reject"` responds with 400.
   *
   * @defaultValue "strip"
   */
  readonly unknown?: "ignore" | "strip" | "reject";
  /**
   * Returns the time in milliseconds since 1970. The server uses no other clock.
   *
   * @defaultValue `Date.now`
   */
  readonly clock?: () => number;
  /**
   * Returns an id for a request.
   *
   * @defaultValue ids that are unique in this process
   */
  readonly requestId?: () => string;
  /**
   * `"enforce"` validates responses of handlers, and sends a 500 in place of an invalid one. `"off"` does not.
   *
   * @defaultValue "enforce", or "off" if NODE_ENV is `production`
   */
  readonly validateResponses?: "enforce" | "off";
  /**
   * Receives one entry for each request that failed because of an error in the server.
   *
   * @defaultValue writes to standard error
   */
  readonly log?: (entry: LogEntry) => void;
  /**
   * Observes requests, for traces, metrics and logs: one function, or several. Without it a request costs nothing more.
   *
   * @defaultValue none
   */
  readonly observe?: ObserveRequest | readonly ObserveRequest[];
  /**
   * Formats the JSON body of error responses.
   *
   * @defaultValue the body that the description documents for the operation and the status; problem details (RFC 9457) where it documents
   * none; `{"errors": […]}` where that is its form
   */
  readonly errorBody?: (errorResponse: { readonly status: number; readonly errors: readonly ErrorEntry[] }) => unknown;
  /**
   * The media type of error responses. Has to be a JSON type, such as `application/problem+json`.
   *
   * @defaultValue "application/json" with `errorBody`; else the documented media type, or `application/problem+json` for problem details
   */
  readonly errorType?: string;
  /**
   * What to do with operations without a handler: `"error"` throws when the server is created, `"not-implemented"` responds with 501.
   *
   * @defaultValue "error"
   */
  readonly missingHandlers?: "error" | "not-implemented";
}

/** Options of rate limits. */
export interface LimitOptions {
  /**
   * Counts rates.
   *
   * @defaultValue `createMemoryStore()`
   */
  readonly store?: RateLimitStore;
  /** Rates that apply to every operation, by user, or by address for anonymous callers. */
  readonly global?: readonly RateLimit[];
}

/** The options of `createBaseServer`. A generated package narrows them to the types of its description. */
export interface BaseServerOptions extends CommonOptions {
  readonly authenticate?: Readonly<Record<string, Authenticate<never>>>;
  readonly grants?: (caller: Caller, context: RequestContext) => Grants | Promise<Grants>;
  readonly resources?: Readonly<Record<string, ResourceStore>>;
  readonly limits?: LimitOptions & {
    readonly countInProgress?: Readonly<
      Record<string, (key: never, context: RequestContext) => number | Promise<number>>
    >;
    readonly onReached?: Readonly<Record<string, (caller: Caller | undefined, context: RequestContext) => unknown>>;
    readonly isTaken?: Readonly<
      Record<
        string,
        (values: never, context: RequestContext, except: unknown, parent: never) => boolean | Promise<boolean>
      >
    >;
  };
  readonly orderedValues?: Readonly<
    Record<string, (context: RequestContext) => readonly unknown[] | Promise<readonly unknown[]>>
  >;
  readonly operationRoutes?: Readonly<Record<string, OperationRoute>>;
  readonly transaction?: Transaction<RequestContext>;
  /**
   * Serializes a response whose status the description does not document. Undefined rejects it.
   *
   * @defaultValue rejects it: the client gets a 500
   */
  readonly undocumentedResponse?: (response: HandlerResponse) => SerializedResponse | undefined;
}

/** The path of an operation to which the description gives none, and what the path names. */
export interface OperationRoute<Row = unknown, Context = RequestContext> {
  /** A path outside the base paths, such as `/uploads/{ticket}`. */
  readonly path: string;
  /** Loads the resource that the values in the path name. Return undefined if it does not exist. */
  target?(values: Readonly<Record<string, string>>, context: Context): Row | undefined | Promise<Row | undefined>;
}
