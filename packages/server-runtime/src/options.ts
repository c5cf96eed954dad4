import type { Call, Caller } from "./call.js";
import type { ErrorEntry } from "./errors.js";
import type { Grants } from "./grants.js";
import type { LimitStore, RateLimit } from "./limits.js";
import type { Store } from "./resources.js";
import type { Authenticate } from "./scopes.js";

/** What goes wrong inside, for whoever runs the server. Clients are told nothing of it. */
export interface LogEntry {
  /** `warn`: a store cannot be used now, and the server responds with 503. */
  readonly level: "error" | "warn";
  readonly message: string;
  readonly requestId: string;
  readonly operation: string | undefined;
  readonly error: unknown;
}

/** Runs what it is given in one transaction: all of it is kept, or, when it throws, nothing. What `run` is told is added to the call for the handler. */
export type Transaction<Context extends Given, Given extends Call = Call> = <T>(
  call: Given,
  run: (added: Added<Context, Given>) => Promise<T>,
) => Promise<T>;

/** What a context has that a call has not, or not as narrowly. */
export type Added<Context extends Given, Given extends Call> = {
  readonly [
    Name in keyof Context as Name extends keyof Given ? (Given[Name] extends Context[Name] ? never : Name) : Name
  ]: Context[Name];
};

/** What holds of every server. */
export interface CommonOptions {
  /** Where the API's paths begin: `"/v4"`, or several that are the same place. As the description's servers have it, unless said. */
  readonly basePath?: string | readonly string[];
  /** Bytes of a body that is held in memory; 1 MiB unless said. */
  readonly bodyLimit?: number;
  /** Bytes of a body that is streamed where the description says nothing; 1 GiB unless said. */
  readonly streamLimit?: number;
  /** How many others a field of a body may name, such as the ids of a list; more are 400, before any is looked up. Default: 5,000. */
  readonly referenceLimit?: number;
  /** Bytes that bodies hold in memory while they arrive, those of all requests together; the oldest gives way, with 503. Default: 64 MiB. */
  readonly bodyMemory?: number;
  /** Bytes of responses of one user that have not left. More GET requests wait up to 10 seconds for room, and then have 429. Default: 16 MiB. */
  readonly responseMemoryPerUser?: number;
  /** The same of all users, with 503. Default: 64 MiB. */
  readonly responseMemory?: number;
  /** Milliseconds in which a body that is held has to arrive, else 408. Default: 60,000. */
  readonly bodyTimeoutMs?: number;
  /** Milliseconds in which a body that is streamed has to arrive where the description says nothing, else 408. Default: 3,600,000. */
  readonly streamTimeoutMs?: number;
  /** Milliseconds after a response in which the client may send the rest of a body that the server does not need. Default: 5,000. */
  readonly unreadTimeoutMs?: number;
  /** Fields of a body that nobody described are handed on, taken away, or refused; as the handler sees them, taken away unless said. */
  readonly unknown?: "ignore" | "strip" | "reject";
  /** Milliseconds since 1970; the machine's clock unless said. Everything is judged by it. */
  readonly clock?: () => number;
  /** Names a request; a name that this server gives no other unless said. */
  readonly requestId?: () => string;
  /** Whether replies are checked against the description, and replaced by a 500 where they break it. Checked unless NODE_ENV is production. */
  readonly replies?: "check" | "trust";
  /** Is told once of each request that failed for a reason of ours; standard error unless said. */
  readonly log?: (entry: LogEntry) => void;
  /** Another body for refusals, as JSON; `{"errors": […]}` unless said. */
  readonly errorBody?: (refusal: { readonly status: number; readonly errors: readonly ErrorEntry[] }) => unknown;
  /** The media type of refusals, one of JSON such as `application/problem+json`; `application/json` unless said. */
  readonly errorType?: string;
  /** What operations without a handler are: an error when the server is made, or answered with 501. */
  readonly missing?: "error" | "not-implemented";
}

/** Limits of what is counted. */
export interface LimitOptions {
  /** Where rates are counted; in memory unless said. */
  readonly store?: LimitStore;
  /** Rates of every operation, counted by user, or by address where there is none. */
  readonly general?: readonly RateLimit[];
}

/** Options as the runtime sees them; a generated package has the same with the types of its description. */
export interface ServeOptions extends CommonOptions {
  readonly authenticate?: Readonly<Record<string, Authenticate<never>>>;
  readonly grants?: (caller: Caller, context: Call) => Grants | Promise<Grants>;
  readonly resources?: Readonly<Record<string, Store>>;
  readonly limits?: LimitOptions & {
    readonly unsettled?: Readonly<Record<string, (key: never, context: Call) => number | Promise<number>>>;
    readonly reached?: Readonly<Record<string, (caller: Caller | undefined, context: Call) => unknown>>;
    readonly taken?: Readonly<
      Record<string, (values: never, context: Call, except: unknown) => boolean | Promise<boolean>>
    >;
  };
  readonly orders?: Readonly<Record<string, (context: Call) => readonly unknown[] | Promise<readonly unknown[]>>>;
  readonly links?: Readonly<Record<string, Link>>;
  readonly transaction?: Transaction<Call>;
}

/** Where an operation is served that the description gives no path, and what its address names. */
export interface Link<Row = unknown, Context = Call> {
  /** A path of its own, outside the base paths: `/uploads/{ticket}`. */
  readonly path: string;
  /** What is meant by the values in the path; undefined for what is not there. */
  target?(values: Readonly<Record<string, string>>, context: Context): Row | undefined | Promise<Row | undefined>;
}
