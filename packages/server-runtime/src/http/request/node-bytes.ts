import type { Meter } from "./meter.js";

/** The part of Node's IncomingMessage that reading uses. */
export interface NodeStream {
  readonly readableDidRead: boolean;
  readonly destroyed: boolean;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/**
 * Reads all bytes, and calls back once: with an error, with the bytes, or without either if there are more than the limit. Discards the rest.
 * A callback, since a promise would cost each request some microtasks.
 */
export function readNodeBytes(
  stream: NodeStream,
  { limit, length }: { readonly limit: number; readonly length?: number | undefined },
  done: BytesDone,
  meter?: Meter,
): void {
  const collected = new ByteCollector(length);
  let isDone = false;
  const finish = (error: Error | undefined, bytes?: Uint8Array): void => {
    if (isDone) return;
    isDone = true;
    collected.clear();
    meter?.done();
    done(error, bytes);
  };
  // Runs at the end of every request, so it creates no error that no caller sees.
  const remaining = (): void => {
    if (!isDone) finish(new Error("The client disconnected before the body was complete."));
  };
  if (stream.destroyed) return remaining();
  meter?.onEnd(finish);
  stream.on("data", (chunk) => {
    // Discards the rest until the response closes the connection: a client that is still sending would not read the response.
    if (isDone) return;
    if (collected.length + chunk.length > limit) return finish(undefined);
    collected.add(chunk);
    meter?.add(chunk.length);
  });
  stream.on("end", () => finish(undefined, collected.bytes()));
  stream.on("close", remaining);
  stream.on("error", finish);
}

export type BytesDone = (error: Error | undefined, bytes?: Uint8Array) => void;

/**
 * Collects chunks in one buffer. A list of chunks would be in memory a second time while they are joined. A single chunk stays as it is.
 */
export class ByteCollector {
  readonly #declared: number;
  #buffer = new Uint8Array();
  #length = 0;

  /** @param declared the length that the client declares, if it does */
  constructor(declared = 0) {
    this.#declared = declared;
  }

  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) this.#buffer = chunk as Uint8Array<ArrayBuffer>;
    else {
      if (length > this.#buffer.length) {
        const larger = new Uint8Array(this.#capacityFor(length));
        larger.set(this.#buffer.subarray(0, this.#length));
        this.#buffer = larger;
      }
      this.#buffer.set(chunk, this.#length);
    }
    this.#length = length;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** A client that declares more than it sends gets at most 16 times what it has sent. */
  #capacityFor(length: number): number {
    return length <= this.#declared && this.#declared <= 16 * length ? this.#declared : 2 * length;
  }

  /** Frees the bytes. Listeners keep the collector until the connection ends. */
  clear(): void {
    this.#buffer = new Uint8Array();
    this.#length = 0;
  }
}
