import type { Origin } from "../problem.js";
import type { Code } from "./codes.js";

/**
 * Whom a difference concerns. `callers`: whose code is compiled against the generated client. `implementers`: who writes the handlers of
 * the generated server. `wire`: programs that run already, in whatever language, and meet the new server.
 */
export type Party = "callers" | "implementers" | "wire";

/** One kind of difference. */
export interface Rule {
  /** A sentence, in which `{what}`, `{old}` and `{new}` are filled in. */
  readonly says: string;
  /** For whom something stops working. */
  readonly breaks: readonly Party[];
  /** Who is concerned without anything of theirs breaking. */
  readonly touches: readonly Party[];
  readonly why: string;
}

/** Something that one model has and another has not, or has otherwise. */
export interface Difference {
  readonly code: Code;
  /** Empty when it breaks nothing. */
  readonly breaking: readonly Party[];
  /** Who is concerned without anything of theirs breaking. */
  readonly touches: readonly Party[];
  readonly where: Where;
  /** The value before, cut short; absent when there was none. */
  readonly old?: string;
  /** The value after, cut short; absent when there is none. */
  readonly new?: string;
  readonly origin: Origin;
  /** Which of the two descriptions the origin is in: the old one only for what has been removed. */
  readonly side: Side;
  readonly says: string;
  readonly why: string;
  /** Of what is gone: the name of something new that says the same. */
  readonly renamedTo?: string;
}

export type Side = "old" | "new";

export interface Where {
  /** As `POST /pets`, in order: all that carry a named shape which differs. Empty for what concerns no operation alone. */
  readonly operations: readonly string[];
  /** Such as `request body`, `reply 200`, `query parameter "page"`, `Pet in requests`, `the API`. */
  readonly place: string;
  /** Into the value that the place describes, with `*` for every item; empty for the whole value. */
  readonly pointer: string;
}
