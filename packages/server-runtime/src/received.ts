import type { Exchange, Meter } from "@plumbline/validator-runtime/serving";

/** A request, as an adapter hands it on. Nothing of its body is read before somebody asks. */
export interface Received extends Exchange {
  /** All bytes of the body; undefined as soon as there are more than the limit. Rejects when the client leaves before the last one. */
  bytes(limit: number, isDeclared: boolean, meter?: Meter): Promise<Uint8Array | undefined>;
  /** The bytes as they come, no faster than they are read. Errors with a TooLarge after the limit, and when the client leaves. */
  stream(limit: number, meter?: Meter): ReadableStream<Uint8Array>;
  /** Aborted when the client leaves before it has its answer. Made when it is first asked for. */
  readonly signal: AbortSignal;
  /** The address of the client, where the adapter knows it. */
  readonly address: string | undefined;
  /** Whether the request has one `Host` header, as HTTP asks; a request of HTTP/1.0 may have none. */
  readonly hasOneHost: boolean;
  /**
   * Undefined where the request may run now; else resolves when the responses to earlier requests of its connection have left. Rejects with a
   * ClientLeft when the connection closes before.
   */
  ready(): Promise<void> | undefined;
}

/** A streamed body has more bytes than it may have. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
  readonly limit: number;

  constructor(limit: number) {
    super(`the body has more than ${limit} bytes`);
    this.limit = limit;
  }
}

/** The client left before it had sent all of its body: nobody's failure, and nobody is there to be told. */
export class ClientLeft extends Error {
  override readonly name = "ClientLeft";

  constructor(cause?: unknown) {
    super("The client left, or had its answer, before the body was complete.", { cause });
  }
}

/** Somebody has read the body before. */
export class BodyEaten extends Error {
  override readonly name = "BodyEaten";

  constructor() {
    super("The API found the body already read, and cannot read it. Put the API before whatever parses bodies.");
  }
}
