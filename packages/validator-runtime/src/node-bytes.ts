import type { Meter } from "./meter.js";

/** As much of Node's IncomingMessage as reading it takes. */
export interface NodeStream {
  readonly readableDidRead: boolean;
  readonly destroyed: boolean;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/**
 * Calls back once: with an error, with all bytes, or with neither as soon as there are more than the limit; then the rest
 * is thrown away. No promise, which would cost each request some turns of the queue.
 */
export function readNodeBytes(stream: NodeStream, limit: number, done: BytesDone, meter?: Meter): void {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isDone = false;
  const finish = (error: Error | undefined, bytes?: Uint8Array): void => {
    if (isDone) return;
    isDone = true;
    meter?.done();
    done(error, bytes);
  };
  // Also at the end of every request, where an error that nobody sees would cost its stack.
  const left = (): void => {
    if (!isDone) finish(new Error("The client left before the body was complete."));
  };
  if (stream.destroyed) return left();
  meter?.onEnd((error) => {
    chunks.length = 0;
    finish(error);
  });
  stream.on("data", (chunk) => {
    // More is thrown away until the reply has closed the connection: a client that still sends would not see the reply.
    if (isDone) return;
    length += chunk.length;
    if (length > limit) {
      chunks.length = 0;
      return finish(undefined);
    }
    chunks.push(chunk);
    meter?.add(chunk.length);
  });
  stream.on("end", () => finish(undefined, joined(chunks, length)));
  stream.on("close", left);
  stream.on("error", finish);
}

export type BytesDone = (error: Error | undefined, bytes?: Uint8Array) => void;

/** Chunks as one. */
export function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
