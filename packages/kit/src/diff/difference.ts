import type { SourceRef } from "../model/index.js";
import type { DifferenceCode } from "./difference-rules.js";
import type { AffectedParty } from "./rule.js";

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
  /** For a removed node: the name of the one added node with the same content. For a removed value: the added one that is spelled alike. */
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
