import type { Answer } from "./answer.js";
import { failure, lastResort } from "./failure.js";
import { drop, framed, isStream } from "./framed.js";
import { pump } from "./node-pump.js";
import { isOver } from "./node-pair.js";
import type { NodeReceived } from "./node-received.js";
import { discard, mostDiscarded } from "./node-stream.js";
import type { Server } from "./server.js";
import { sourceOf } from "./source.js";

/** A Node request and the server that handles it. */
export interface Exchanged {
  readonly server: Server;
  readonly received: NodeReceived;
}

/** Sends a response, or the response to an internal error if that fails. Never throws. */
export function deliver(answer: Answer, exchanged: Exchanged): void {
  try {
    send(answer, exchanged);
  } catch (error) {
    drop(answer.body);
    deliverFailure(error, exchanged);
  }
}

/** Sends the response to an internal error, unless another response has started. Never throws. */
export function deliverFailure(error: unknown, exchanged: Exchanged): void {
  const { response } = exchanged.received;
  for (const answer of [failure(error, exchanged), lastResort]) {
    if (response.headersSent) break;
    try {
      return send(answer, exchanged);
    } catch {
      // The last response has no body, and cannot fail in the same way.
    }
  }
  response.destroy();
}

function send(answer: Answer, { server, received }: Exchanged): void {
  if (isOver(received)) return drop(answer.body);
  const { request, response } = received;
  const { status, headers, body, declared } = framed(answer, received.method);
  if (body === undefined) drop(answer.body);
  const source = isStream(body) ? sourceOf(body, declared) : undefined;
  const { hasRest, unreadTimeoutMs } = received;
  const isLast = hasRest && endsConnection(received, headers);
  response.writeHead(status, headers);
  if (source !== undefined) {
    response.flushHeaders();
    if (isLast) discard(request, unreadTimeoutMs, () => {});
    pump(source, received, (error) => failure(error, { server, received }));
  } else if (isLast) {
    sendBeforeRest(body as Whole, received);
  } else {
    response.end(body as Whole);
  }
  // The connection serves the next request when the rest of this body has arrived.
  if (hasRest && !isLast) discard(request, unreadTimeoutMs, (isComplete) => isComplete || request.socket.destroy());
}

type Whole = string | Uint8Array | undefined;

/** Whether the connection ends after this response. A short rest of the body is discarded; a long rest, or one of unknown length, is not worth it. */
function endsConnection({ length }: NodeReceived, headers: Record<string, string>): boolean {
  const said = Object.keys(headers).find((name) => name.toLowerCase() === "connection");
  const isClosing = said !== undefined && headers[said]?.toLowerCase() === "close";
  if (!isClosing && length !== undefined && length <= mostDiscarded) return false;
  headers[said ?? "connection"] = "close";
  return true;
}

/**
 * Node closes the connection at the end of the response. With unread bytes, the operating system would reset the connection at once, and the client
 * could lose the response.
 */
function sendBeforeRest(body: Whole, { request, response, unreadTimeoutMs }: NodeReceived): void {
  if (body === undefined) response.flushHeaders();
  else response.write(body);
  discard(request, unreadTimeoutMs, () => response.end());
}
