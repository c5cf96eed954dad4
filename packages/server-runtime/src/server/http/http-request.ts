import type { RequestHead, Meter } from "../../http/index.js";

/** A request as an adapter passes it. Its body is read on demand. */
export interface HttpRequest extends RequestHead {
  /**
   * Reads all bytes of the body. Resolves with undefined as soon as there are more than the limit.
   *
   * @throws ClientDisconnectedError when the client disconnects before the last byte
   */
  bytes(limit: number, isDeclared: boolean, meter?: Meter): Promise<Uint8Array | undefined>;
  /** Streams the bytes with back-pressure. Fails with a `ContentTooLargeError` after the limit, and with a `ClientDisconnectedError` when the client disconnects. */
  stream(limit: number, meter?: Meter): ReadableStream<Uint8Array>;
  /** Aborted when the client disconnects before it has the response. Created on first use. */
  readonly signal: AbortSignal;
  /** The address of the client, if the adapter knows it. */
  readonly address: string | undefined;
  /** Whether the request has exactly one `Host` header, which HTTP/1.1 requires. A request of HTTP/1.0 may have none. */
  readonly hasOneHost: boolean;
  /** Passes to the adapter which user sent the request, once the credential is checked. Absent if the adapter has no limits that depend on it. */
  identify?(user: string): void;
  /**
   * Undefined if the request may run now, else a promise that resolves after the earlier responses of the connection were sent.
   *
   * @throws ClientDisconnectedError when the connection closes first
   */
  ready(): Promise<void> | undefined;
  /** The scheme by which the request arrived, perhaps from a proxy. Absent if the adapter does not know it. */
  readonly scheme?: "http" | "https";
  /** The absolute URL, if the adapter has it. On Node, the `Host` header has the origin. */
  readonly url?: string;
  /**
   * Closes the connection without a response: the adapter ignores what `handle` resolves with. Absent if the adapter cannot.
   *
   * @param error the reason, with which the handler of a web request rejects
   */
  disconnect?(error: Error): void;
}

/** A streamed body exceeds its maximum size. */
export class ContentTooLargeError extends Error {
  override readonly name = "ContentTooLargeError";
  readonly limit: number;

  constructor(limit: number) {
    super(`The body has more than ${limit} bytes.`);
    this.limit = limit;
  }
}

/** The client disconnected before it had sent the complete body. Not an error of the server; the response would have no recipient. */
export class ClientDisconnectedError extends Error {
  override readonly name = "ClientDisconnectedError";

  constructor(cause?: unknown) {
    super("The client disconnected, or the response was sent, before the body was complete.", { cause });
  }
}

/** Another handler has read the body already. */
export class BodyAlreadyUsedError extends Error {
  override readonly name = "BodyAlreadyUsedError";

  constructor() {
    super("The body was read before the request reached the API. Register the API before body parsers.");
  }
}
