/** Why a wait ended without what was waited for. */
export type WaitErrorCode = "unreachable" | "gone" | "stateless" | "deadline" | "aborted";

/** What a `WaitError` is made from. */
export interface WaitErrorFacts {
  readonly code: WaitErrorCode;
  readonly what: string;
  readonly target: string;
  readonly state: string | undefined;
  readonly reason: string;
  readonly cause?: unknown;
}

// Above the class, which needs it at once.
const brand: unique symbol = Symbol.for("plumbline WaitError");

/** What waiting for a state fails with. Recognise it with `isWaitError`. */
export class WaitError extends Error {
  declare readonly code: WaitErrorCode;
  /** The state that was waited for. */
  declare readonly target: string;
  /** The state that was seen last; undefined where none was. */
  declare readonly state: string | undefined;

  static {
    Object.assign(this.prototype, { name: "WaitError", [brand]: true });
  }

  constructor({ code, what, target, state, reason, cause }: WaitErrorFacts) {
    const seen = state === undefined ? "" : `it is ${state}, and `;
    super(`waiting for ${what} to become ${target}: ${seen}${reason}`, { cause });
    Object.assign(this, { code, target, state });
  }
}

/**
 * Whether a caught value is a `WaitError`, of this copy of the package or of another.
 *
 * @example
 * if (isWaitError(error) && error.code === "unreachable") console.log(error.state);
 */
export function isWaitError(value: unknown): value is WaitError {
  return typeof value === "object" && value !== null && brand in value;
}
