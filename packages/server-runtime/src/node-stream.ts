import type { Meter } from "@plumbline/validator-runtime/serving";
import { whenOver, type NodeIncoming, type NodePair } from "./node-pair.js";
import { ClientLeft, TooLarge } from "./received.js";

/**
 * The bytes of a request as they come. One chunk at a time is taken from the connection, and only when somebody waits for
 * it: a sender that is faster is stopped. `done` is called when the rest of the bytes is nobody's any more.
 */
export function nodeStream(
  pair: NodePair,
  { limit, unreadTimeoutMs, meter, done }: Streaming,
): ReadableStream<Uint8Array> {
  const { request } = pair;
  let length = 0;
  let isDone = false;
  const finish = (tell: () => void): void => {
    if (isDone) return;
    isDone = true;
    done();
    tell();
  };
  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const failed = (error: Error): void => finish(() => controller.error(error));
    if (request.destroyed) return failed(new ClientLeft());
    meter?.onEnd(failed);
    request.pause();
    request.on("data", (chunk) => {
      if (isDone) return;
      request.pause();
      length += chunk.length;
      if (length > limit) failed(new TooLarge(limit));
      else controller.enqueue(chunk);
    });
    request.on("end", () => finish(() => controller.close()));
    request.on("error", (error) => failed(new ClientLeft(error)));
    whenOver(pair, () => {
      failed(new ClientLeft());
      // It is answered, and the next request waits behind the rest of this one.
      if (request.complete === false)
        discard(request, unreadTimeoutMs, (isComplete) => isComplete || request.socket.destroy());
    });
  };
  return new ReadableStream<Uint8Array>(
    {
      start,
      pull: () => {
        request.resume();
      },
      cancel: () => finish(() => {}),
    },
    { highWaterMark: 0 },
  );
}

interface Streaming {
  readonly limit: number;
  readonly unreadTimeoutMs: number;
  readonly meter: Meter | undefined;
  readonly done: () => void;
}

/** Milliseconds for a client that has its response to send what it had begun to send. */
export const usualUnreadTimeoutMs = 5000;

/**
 * Bytes that are read for nobody, so that a client that sends before it reads has its answer, and so that a connection can
 * go on. Beyond that, it costs less to begin a new one.
 */
export const mostDiscarded = 16_777_216;

/** Reads what is left of a request, and calls back when there is no more, or more than is worth waiting for, in bytes or in time. */
export function discard(request: NodeIncoming, milliseconds: number, done: (isComplete: boolean) => void): void {
  let length = 0;
  let isDone = false;
  const finish = (isComplete: boolean): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    done(isComplete);
  };
  const timer = setTimeout(() => finish(false), milliseconds);
  request.on("data", (chunk) => {
    length += chunk.length;
    if (length <= mostDiscarded) return;
    request.pause();
    finish(false);
  });
  request.on("end", () => finish(true));
  request.on("close", () => finish(true));
  request.resume();
}
