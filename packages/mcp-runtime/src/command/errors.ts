/** Invalid usage of the command. The message is one line with the fix. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
