const code = "plumbline/unavailable";

/**
 * A store that the server needs, such as a database or a rate counter, is not available now.
 * The server responds with 503 and `Retry-After`. Throw it from `authenticate`, a `RateLimitStore`, `transaction`, `resources` or a handler.
 *
 * @example
 * throw new UnavailableError("Redis cannot be reached", { cause: error });
 */
export class UnavailableError extends Error {
  override readonly name: string = "UnavailableError";
  readonly code: typeof code = code;
  /**
   * Whole seconds after which a client may retry.
   *
   * @defaultValue 5
   */
  readonly retryAfterSeconds: number;

  constructor(message: string, options: { readonly cause?: unknown; readonly retryAfterSeconds?: number } = {}) {
    super(message, options);
    this.retryAfterSeconds = options.retryAfterSeconds ?? defaultRetryAfterSeconds;
  }
}

/** Returns true for an `UnavailableError`, also for one of another copy of this package. */
export function isUnavailable(error: unknown): error is UnavailableError {
  return error instanceof Error && (error as Partial<UnavailableError>).code === code;
}

const defaultRetryAfterSeconds = 5;
