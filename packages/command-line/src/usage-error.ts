/** The command line is invalid. The message has one line, with the fix. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
