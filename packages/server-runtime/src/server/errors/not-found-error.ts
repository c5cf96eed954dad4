const code = "plumbline/not-found";

/**
 * The object of a request does not exist. A handler throws it if the description documents no error for that; the server responds with 404.
 *
 * @example
 * throw new NotFoundError();
 */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
  readonly code: typeof code = code;

  constructor() {
    super("The object does not exist.");
  }
}

/** Returns true for a `NotFoundError`, also for one of another copy of this package. */
export function isNotFound(error: unknown): error is NotFoundError {
  return error instanceof Error && (error as Partial<NotFoundError>).code === code;
}
