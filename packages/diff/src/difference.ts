import type { SourceRef } from "../../model/src/diagnostic.js";
import type { DifferenceCode } from "./difference-rules.js";

/**
 * The parties that a difference affects. `callers`: code that compiles against the generated client. `implementers`: handlers of the
 * generated server. `wire`: running programs in any language that send requests to the new server.
 */
export type AffectedParty = "callers" | "implementers" | "wire";

/** A kind of difference. */
export interface DifferenceRule {
  /** A sentence with the placeholders `{what}`, `{old}` and `{new}`. */
  readonly message: string;
  /** The parties for which something stops working. */
  readonly breaks: readonly AffectedParty[];
  /** The parties that it affects without breaking anything. */
  readonly affects: readonly AffectedParty[];
  readonly reason: string;
}

/** A difference between two descriptions. */
export interface Difference {
  readonly code: DifferenceCode;
  /** The parties that it breaks; empty when it breaks nothing. */
  readonly breaking: readonly AffectedParty[];
  /** The parties that it affects without breaking anything. */
  readonly affects: readonly AffectedParty[];
  readonly where: DifferenceLocation;
  /** The old value, shortened; absent where there was none. */
  readonly old?: string;
  /** The new value, shortened; absent where there is none. */
  readonly new?: string;
  readonly origin: SourceRef;
  /** The description that `origin` points into: `old` only for removed nodes. */
  readonly side: DescriptionSide;
  readonly message: string;
  readonly reason: string;
  /** For a removed node: the name of the one added node with the same content. */
  readonly renamedTo?: string;
}

export type DescriptionSide = "old" | "new";

export interface DifferenceLocation {
  /** Such as `POST /pets`, in order: all operations that use a changed schema. Empty for differences of the whole API. */
  readonly operations: readonly string[];
  /** Such as `request body`, `response 200`, `query parameter "page"`, `Pet in requests`, `the API`. */
  readonly location: string;
  /** Pointer into the value at that location, with `*` for every item; empty for the whole value. */
  readonly pointer: string;
}
