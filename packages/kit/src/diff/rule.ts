/**
 * The parties that a difference affects. `callers`: code that compiles against the generated client. `implementers`: handlers of the
 * generated server. `wire`: running programs in any language that send requests to the new server.
 */
export type AffectedParty = (typeof affectedParties)[number];

export const affectedParties = ["callers", "implementers", "wire"] as const;

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
