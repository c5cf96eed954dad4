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
  // Runs at the end of every request, so it creates no error that no caller sees.
  const remaining = (): void => {
    if (!isDone) finish(new Error("The client disconnected before the body was complete."));
  };
  if (stream.destroyed) return remaining();
  meter?.onEnd((error) => {
    chunks.length = 0;
    finish(error);
  });
  stream.on("data", (chunk) => {
    // Discards the rest until the response closes the connection: a client that is still sending would not read the response.
    if (isDone) return;
    length += chunk.length;
    if (length > limit) {
      chunks.length = 0;
      return finish(undefined);
    }
    chunks.push(chunk);
    meter?.add(chunk.length);
  });
  stream.on("end", () => finish(undefined, concatBytes(chunks, length)));
  stream.on("close", remaining);
  stream.on("error", finish);
}

export type BytesDone = (error: Error | undefined, bytes?: Uint8Array) => void;

/** Concatenates chunks. */
export function concatBytes(chunks: readonly Uint8Array[], length: number): Uint8Array {
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
