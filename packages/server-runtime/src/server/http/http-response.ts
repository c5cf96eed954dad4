/** An HTTP response of the API, before an adapter sends it. */
export interface HttpResponse {
  readonly status: number;
  /** Header values by name. Names keep the case in which they are sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for a response without a body, or of unknown length. The response to HEAD has the headers of GET and no body. */
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array>;
}
