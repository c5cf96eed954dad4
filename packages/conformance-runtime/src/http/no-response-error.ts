/** The server did not respond: no connection, connection lost, or timeout. */
export class NoResponseError extends Error {
  override readonly name: string = "NoResponseError";
}
