/** The message of an error. Other thrown values as text. */
export function formatError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
