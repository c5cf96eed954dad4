import type { Meter } from "../../../http/index.js";
import { ClientDisconnectedError, ContentTooLargeError } from "../../http/http-request.js";
import { onResponseEnd, type NodeIncoming, type NodePair } from "./node-exchange.js";

/**
 * Streams the body of a Node request with back-pressure: reads one chunk from the connection each time the consumer pulls.
 * Calls `done` when the stream needs no more of the body.
 */
export function nodeStream(
  pair: NodePair,
  { limit, unreadTimeoutMs, meter, done }: Streaming,
): ReadableStream<Uint8Array> {
  const { request } = pair;
  let length = 0;
  let isDone = false;
  const finish = (report: () => void): void => {
    if (isDone) return;
    isDone = true;
    done();
    report();
  };
  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const failed = (error: Error): void => finish(() => controller.error(error));
    if (request.destroyed) return failed(new ClientDisconnectedError());
    meter?.onEnd(failed);
    request.pause();
    request.on("data", (chunk) => {
      if (isDone) return;
      request.pause();
      length += chunk.length;
      if (length > limit) failed(new ContentTooLargeError(limit));
      else controller.enqueue(chunk);
    });
    request.on("end", () => finish(() => controller.close()));
    request.on("error", (error) => failed(new ClientDisconnectedError(error)));
    onResponseEnd(pair, () => {
      failed(new ClientDisconnectedError());
      // The response was sent, and the next request waits behind the rest of this body.
      if (request.complete === false)
        discardBody(request, unreadTimeoutMs, (isComplete) => isComplete || request.socket.destroy());
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

/** Milliseconds in which a client may send the rest of its body after it has the response. */
export const defaultUnreadTimeoutMs = 5000;

/** Milliseconds without a byte after which a client is not sending. It has read the response, or it never will. */
export const quietTimeoutMs = 500;

/** Bytes that the server discards, so that a client that sends before it reads gets its response. */
const maxDiscardedBytes = 16_777_216;

/** Discards the rest of a request. Calls back at its end, or after too many bytes, too much time, or a pause. */
export function discardBody(request: NodeIncoming, milliseconds: number, done: (isComplete: boolean) => void): void {
  let length = 0;
  let isDone = false;
  const finish = (isComplete: boolean): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(end);
    clearTimeout(quiet);
    done(isComplete);
  };
  const stop = (): void => finish(false);
  const end = setTimeout(stop, milliseconds);
  const quietMs = Math.min(milliseconds, quietTimeoutMs);
  let quiet = setTimeout(stop, quietMs);
  request.on("data", (chunk) => {
    if (isDone) return;
    length += chunk.length;
    clearTimeout(quiet);
    if (length <= maxDiscardedBytes) quiet = setTimeout(stop, quietMs);
    else {
      request.pause();
      stop();
    }
  });
  request.on("end", () => finish(true));
  request.on("close", () => finish(true));
  request.resume();
}
