/** Why a call failed. The README explains each code. */
export type ApiErrorCode = "http" | "network" | "timeout" | "aborted" | "decode" | "request";

/** One entry of an error response. `field` is what the API sends: of problem details a pointer such as `#/disks/0/size`, or the name of a parameter. */
export interface ApiErrorDetail {
  readonly field?: string | null;
  readonly reason: string;
}

/**
 * The statuses from 100 to 599 that a description does not document for an operation: those of `default`, and those of proxies.
 * With them apart, `error.status === 404` narrows `error.body`.
 */
export type UndocumentedStatus<Documented extends number = never> =
  | Statuses[Exclude<keyof Statuses, TensOf<`${Documented}`>>]
  | Exclude<Statuses[TensOf<`${Documented}`>], Documented>;

/** The statuses of a range of a description, such as `4XX`. */
export type StatusInRange<Range extends `${1 | 2 | 3 | 4 | 5}XX`> =
  Range extends `${infer First extends 1 | 2 | 3 | 4 | 5}XX` ? Statuses[`${First}${Digit}`] : never;

/** Grouped by their first two digits: a compiler then expands only the groups of documented statuses. */
type Statuses = { [Start in `${1 | 2 | 3 | 4 | 5}${Digit}`]: NumberIn<`${Start}${Digit}`> };
type TensOf<Status extends string> = Status extends `${infer Start extends keyof Statuses}${Digit}` ? Start : never;
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type NumberIn<Text> = Text extends `${infer Value extends number}` ? Value : never;

/** What may be in the body of an error, or in an entry of it: problem details (RFC 9457), and the forms of other APIs. */
type Failure = Readonly<
  Partial<
    Record<"errors" | "error" | "reason" | "detail" | "message" | "title" | "field" | "pointer" | "parameter", unknown>
  >
>;

/** What the constructor of `ApiError` takes. `text` ends the message, after method, URL and status. Default: the code. */
export interface ApiErrorInit<Status extends number = number, Body = unknown> {
  readonly code: ApiErrorCode;
  readonly method: string;
  readonly url: string;
  readonly text?: string | undefined;
  readonly status?: Status | undefined;
  readonly body?: Body | undefined;
  readonly headers?: Headers | undefined;
  readonly cause?: unknown;
}

const brand: unique symbol = Symbol.for("plumbline ApiError");

/**
 * The error of calls. Recognize it with `isApiError`, not with `instanceof`.
 * Its message, its JSON and its `console.log` output have no headers, bodies or credentials.
 *
 * @example
 * try { await getInstance(client, { path: { computeId: 5 } }); }
 * catch (error) { if (isApiError(error) && error.status === 404) return undefined; throw error; }
 */
export class ApiError<Status extends number = number, Body = unknown> extends Error {
  declare readonly code: ApiErrorCode;
  /** The HTTP status. 0 if no complete response arrived. */
  declare readonly status: Status;
  /** The parsed JSON of the response, or up to 4,096 characters of its text if it is not JSON. Undefined if no complete response arrived. */
  declare readonly body: Body;
  /**
   * The entries of the body that have a reason: those of `errors` or `error`, or else the body itself. A reason is a text, or
   * the `reason`, `detail`, `message` or `title` of an object; a field its `field`, `pointer` or `parameter`. Empty if there are none.
   */
  declare readonly errors: readonly ApiErrorDetail[];
  /** The `X-Request-Id` of the response. Quote it when you contact the API's support. */
  declare readonly requestId: string | undefined;
  declare readonly method: string;
  /** The URL without user name, password, fragment, and what `token` and `authorize` added. The path template if the URL could not be built. */
  declare readonly url: string;
  /** The headers of the response. Undefined if no complete response arrived. */
  declare readonly headers: Headers | undefined;

  override get name(): string {
    return "ApiError";
  }

  constructor(facts: ApiErrorInit<Status, Body>) {
    const { text = facts.code, body, headers, ...rest } = facts;
    const read = (list: unknown): readonly ApiErrorDetail[] =>
      ([list].flat() as readonly (Failure | null | undefined)[])
        .map((each) =>
          each?.reason
            ? each
            : { reason: each?.detail || each?.message || each?.title || each, field: each?.pointer || each?.parameter },
        )
        .filter((each): each is ApiErrorDetail => typeof each.reason === "string");
    // A body that is a text, such as a page of a proxy, becomes an object, and is no reason.
    const whole = Object(body) as Failure;
    const entries = read(whole.errors || whole.error);
    const errors = entries[0] ? entries : read(whole);
    const said = errors.map((each) => each.reason + (each.field ? ` (${each.field})` : "")).join("; ") || text;
    super(`${rest.method} ${rest.url}: ${rest.status ? `${rest.status} ` : ""}${said}`, facts);
    Object.assign(this, { status: 0, ...rest, errors, requestId: headers?.get("x-request-id") ?? undefined });
    // Not enumerable, so that logging an error does not log the response.
    Object.defineProperties(this, { [brand]: {}, body: { value: body }, headers: { value: headers } });
  }

  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) };
  }
}

/**
 * Returns true for an `ApiError`, also for one of another copy of this package.
 *
 * @example
 * if (isApiError(error) && error.code === "timeout") retry();
 */
export function isApiError(value: unknown): value is ApiError {
  return typeof value === "object" && value !== null && brand in value;
}
