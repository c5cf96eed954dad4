import type { AnyHandlers } from "../server/index.js";
import type { MockUser } from "./access/users.js";
import type { ReplacementHandlers } from "./behavior/replaceable-handlers.js";
import type { InjectedError } from "./responses/injected-errors.js";

/** Options of a mock. */
export interface MockOptions<Handlers = AnyHandlers> {
  /**
   * Determines generated values, such as tokens.
   *
   * @defaultValue 1
   */
  readonly seed?: number;
  /**
   * Returns the time in milliseconds since 1970. `advance` adds to it.
   *
   * @defaultValue `Date.now`
   */
  readonly clock?: () => number;
  /**
   * Divides the durations of transient states: 60 makes them sixty times as fast, 0 ends them before the next request.
   *
   * @defaultValue 1
   */
  readonly pace?: number;
  /**
   * The users, with their grants and tokens. Other credentials are then rejected.
   *
   * @defaultValue one user who may do everything, with any credential
   */
  readonly users?: readonly MockUser[];
  /** Objects that exist from the start, by resource. */
  readonly data?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  /** Handlers that replace the mock's, one operation at a time. A status that the description does not document is sent as it is. */
  readonly handlers?: ReplacementHandlers<Handlers>;
  /** Functions of the custom formats, if the server requires them. */
  readonly formats?: object;
  /** Functions of the custom keywords, if the server requires them. */
  readonly keywords?: object;
  /** Faults that requests meet. */
  readonly faults?: readonly InjectedError<Handlers>[];
  /**
   * Where absolute URLs in responses begin.
   *
   * @defaultValue the origin of the first request; on Node, `http://` and its `Host` header
   */
  readonly publicUrl?: string;
  /**
   * Maximum number of stored objects.
   *
   * @defaultValue 100,000
   */
  readonly maxObjects?: number;
}
