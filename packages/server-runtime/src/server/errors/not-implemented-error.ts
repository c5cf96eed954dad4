const code = "plumbline/not-implemented";

/**
 * The handler of an operation is not written yet. A handler throws it; the server responds with 501, and logs a warning with the name of the
 * operation.
 *
 * @example
 * throw new NotImplementedError("createPet");
 */
export class NotImplementedError extends Error {
  override readonly name = "NotImplementedError";
  readonly code: typeof code = code;

  /** @param operation - The name of the operation. */
  constructor(operation: string) {
    super(`The handler of ${operation} is not implemented.`);
  }
}

/** Returns true for a `NotImplementedError`, also for one of another copy of this package. */
export function isNotImplemented(error: unknown): error is NotImplementedError {
  return error instanceof Error && (error as Partial<NotImplementedError>).code === code;
}
