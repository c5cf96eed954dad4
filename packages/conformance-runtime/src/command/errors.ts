/** A valid command that had to stop. The message has the reason. */
export class RunAbortedError extends Error {
  override readonly name = "RunAbortedError";
}

/** Converts an expected error to a one-line message with the fix. Rethrows bugs of the program. */
export function toRunAbortedError(error: unknown, wayOut: string): Error {
  if (!(error instanceof Error)) return new RunAbortedError(`Run aborted: ${String(error)}. ${wayOut}`.trimEnd());
  if (error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError) return error;
  const stop = /[.!?]$/.test(error.message) ? "" : ".";
  return new RunAbortedError(`Run aborted: ${error.message}${stop} ${wayOut}`.trimEnd(), { cause: error });
}
