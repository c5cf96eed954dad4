/** What a client is sent. */
export interface Answer {
  readonly status: number;
  /** By name, as it is written. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: there is none, and nothing is said about its length. An answer to HEAD has the headers of that to GET and no body. */
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array>;
}
