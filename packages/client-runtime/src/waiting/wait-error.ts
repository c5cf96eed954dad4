/** Why a wait ended without the target state. */
export type WaitErrorCode = "unreachable" | "gone" | "stateless" | "deadline" | "aborted";

/** What the constructor of `WaitError` takes. */
export interface WaitErrorInit {
  readonly code: WaitErrorCode;
  readonly what: string;
  readonly target: string;
  readonly state: string | undefined;
  readonly reason: string;
  readonly cause?: unknown;
}

const brand: unique symbol = Symbol.for("plumbline WaitError");

/** The error of `waitFor`. Recognize it with `isWaitError`. */
export class WaitError extends Error {
  declare readonly code: WaitErrorCode;
  /** The target state. */
  declare readonly target: string;
  /** The last state that was read. Undefined if there was none. */
  declare readonly state: string | undefined;

  override get name(): string {
    return "WaitError";
  }

  constructor({ code, what, target, state, reason, cause }: WaitErrorInit) {
    const progress = state === undefined ? "" : `it is ${state}, and `;
    super(`waiting for ${what} to become ${target}: ${progress}${reason}`, { cause });
    Object.assign(this, { code, target, state });
    Object.defineProperties(this, { [brand]: {} });
  }
}

/**
 * Returns true for a `WaitError`, also for one of another copy of this package.
 *
 * @example
 * if (isWaitError(error) && error.code === "unreachable") console.log(error.state);
 */
export function isWaitError(value: unknown): value is WaitError {
  return typeof value === "object" && value !== null && brand in value;
}
