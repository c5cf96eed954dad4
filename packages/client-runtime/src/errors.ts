/** Why a call failed; each has a paragraph in the README. */
export type ApiErrorCode = "http" | "network" | "timeout" | "aborted" | "decode" | "request";

/** One thing that the server refused. */
export interface Complaint {
  readonly field?: string | null;
  readonly reason: string;
}

/**
 * The statuses, 100 to 599, beside those that a description documents for an operation: those of a `default` reply, and
 * whatever a proxy answers. Telling them apart is what lets `error.status === 404` narrow `error.body`.
 */
export type OtherStatus<Documented extends number = never> =
  | Statuses[Exclude<keyof Statuses, Tens<`${Documented}`>>]
  | Exclude<Statuses[Tens<`${Documented}`>], Documented>;

/** The statuses of a range of a description, such as `4XX`. */
export type StatusIn<Range extends `${1 | 2 | 3 | 4 | 5}XX`> =
  Range extends `${infer First extends 1 | 2 | 3 | 4 | 5}XX` ? Statuses[`${First}${Digit}`] : never;

/** By their first two digits: only the tens of what is documented are looked through, since compilers count. */
type Statuses = { [Start in `${1 | 2 | 3 | 4 | 5}${Digit}`]: NumberIn<`${Start}${Digit}`> };
type Tens<Status extends string> = Status extends `${infer Start extends keyof Statuses}${Digit}` ? Start : never;
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type NumberIn<Text> = Text extends `${infer Value extends number}` ? Value : never;

/** What an `ApiError` is made from. `text` is the part of the message behind method, URL and status; without it: the code. */
export interface ApiErrorFacts<Status extends number = number, Body = unknown> {
  readonly code: ApiErrorCode;
  readonly method: string;
  readonly url: string;
  readonly text?: string | undefined;
  readonly status?: Status | undefined;
  readonly body?: Body | undefined;
  readonly headers?: Headers | undefined;
  readonly cause?: unknown;
}

// Above the class, which needs it at once.
const brand: unique symbol = Symbol.for("plumbline ApiError");

/**
 * The one error that calls fail with: `status` and `body` are the reply's (0 and undefined when no whole reply
 * arrived). Neither its message nor its JSON nor what `console.log` shows has headers, bodies or credentials. Recognise
 * it with `isApiError`, not with `instanceof`.
 *
 * @example
 * try { await getInstance(client, { path: { computeId: 5 } }); }
 * catch (error) { if (isApiError(error) && error.status === 404) return undefined; throw error; }
 */
export class ApiError<Status extends number = number, Body = unknown> extends Error {
  declare readonly code: ApiErrorCode;
  /** The HTTP status, 0 when no whole reply arrived. */
  declare readonly status: Status;
  /** The parsed JSON of the reply; its text, at most 4,096 characters, when it is not JSON; else undefined. */
  declare readonly body: Body;
  /** The entries of `body.errors` that have a reason; empty when there are none. */
  declare readonly errors: readonly Complaint[];
  /** The reply's `X-Request-Id`: quote it to whoever runs the server. */
  declare readonly requestId: string | undefined;
  declare readonly method: string;
  /**
   * Without user, password, fragment and whatever `token` and `authorize` added; the path template when the URL could
   * not be built.
   */
  declare readonly url: string;
  /** The reply's headers, undefined when no whole reply arrived. */
  declare readonly headers: Headers | undefined;

  static {
    Object.assign(this.prototype, { name: "ApiError", [brand]: true });
  }

  constructor(facts: ApiErrorFacts<Status, Body>) {
    const { code, method, url, text = code, status = 0, body, headers } = facts;
    const errors = [(body as { readonly errors?: unknown } | null | undefined)?.errors]
      .flat()
      .filter((each): each is Complaint => typeof (each as Partial<Complaint> | null)?.reason === "string");
    const said = errors.map(({ reason, field }) => (field ? `${reason} (${field})` : reason)).join("; ") || text;
    super(`${method} ${url}: ${status ? `${status} ` : ""}${said}`, facts);
    Object.assign(this, { code, status, errors, requestId: headers?.get("x-request-id") ?? undefined, method, url });
    // Not enumerable, so that logging an error does not log what the server sent.
    Object.defineProperties(this, { body: { value: body }, headers: { value: headers } });
  }

  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) };
  }
}

/**
 * Whether a caught value is an `ApiError`, of this copy of the package or of another.
 *
 * @example
 * if (isApiError(error) && error.code === "timeout") retry();
 */
export function isApiError(value: unknown): value is ApiError {
  return typeof value === "object" && value !== null && brand in value;
}
