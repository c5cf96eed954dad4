import type { Origin } from "../problem.js";
import type { Code } from "./codes.js";

/**
 * The parties that a difference affects. `callers`: code that compiles against the generated client. `implementers`: handlers of the
 * generated server. `wire`: running programs in any language that send requests to the new server.
 */
export type Party = "callers" | "implementers" | "wire";

/** A kind of difference. */
export interface Rule {
  /** A sentence with the placeholders `{what}`, `{old}` and `{new}`. */
  readonly says: string;
  /** The parties for which something stops working. */
  readonly breaks: readonly Party[];
  /** The parties that it affects without breaking anything. */
  readonly touches: readonly Party[];
  readonly why: string;
}

/** A difference between two descriptions. */
export interface Difference {
  readonly code: Code;
  /** The parties that it breaks; empty when it breaks nothing. */
  readonly breaking: readonly Party[];
  /** The parties that it affects without breaking anything. */
  readonly touches: readonly Party[];
  readonly where: Where;
  /** The old value, shortened; absent where there was none. */
  readonly old?: string;
  /** The new value, shortened; absent where there is none. */
  readonly new?: string;
  readonly origin: Origin;
  /** The description that `origin` points into: `old` only for removed nodes. */
  readonly side: Side;
  readonly says: string;
  readonly why: string;
  /** For a removed node: the name of the one added node with the same content. */
  readonly renamedTo?: string;
}

export type Side = "old" | "new";

export interface Where {
  /** Such as `POST /pets`, in order: all operations that use a changed schema. Empty for differences of the whole API. */
  readonly operations: readonly string[];
  /** Such as `request body`, `response 200`, `query parameter "page"`, `Pet in requests`, `the API`. */
  readonly place: string;
  /** Pointer into the value at that location, with `*` for every item; empty for the whole value. */
  readonly pointer: string;
}
