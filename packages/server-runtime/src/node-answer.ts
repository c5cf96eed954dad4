import type { Answer } from "./answer.js";
import { failure, lastResort } from "./failure.js";
import { drop, framed, isStream } from "./framed.js";
import { pump } from "./node-pump.js";
import { isOver } from "./node-pair.js";
import type { NodeReceived } from "./node-received.js";
import { discard, mostDiscarded } from "./node-stream.js";
import type { Server } from "./server.js";
import { sourceOf } from "./source.js";

/** What was asked, and who answers. */
export interface Exchanged {
  readonly server: Server;
  readonly received: NodeReceived;
}

/** Sends an answer; where that cannot be done, what the server says of failures. Never throws. */
export function deliver(answer: Answer, exchanged: Exchanged): void {
  try {
    send(answer, exchanged);
  } catch (error) {
    drop(answer.body);
    deliverFailure(error, exchanged);
  }
}

/** Sends what the server says of a failure, unless something else is on its way. Never throws. */
export function deliverFailure(error: unknown, exchanged: Exchanged): void {
  const { response } = exchanged.received;
  for (const answer of [failure(error, exchanged), lastResort]) {
    if (response.headersSent) break;
    try {
      return send(answer, exchanged);
    } catch {
      // The next one says less.
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
  // The connection goes on with the next request, once the rest of this one has come.
  if (hasRest && !isLast) discard(request, unreadTimeoutMs, (isComplete) => isComplete || request.socket.destroy());
}

type Whole = string | Uint8Array | undefined;

/** The rest of the body is read for nobody, and the connection goes on, unless the rest is long, or nobody knows how long. */
function endsConnection({ length }: NodeReceived, headers: Record<string, string>): boolean {
  const said = Object.keys(headers).find((name) => name.toLowerCase() === "connection");
  const isClosing = said !== undefined && headers[said]?.toLowerCase() === "close";
  if (!isClosing && length !== undefined && length <= mostDiscarded) return false;
  headers[said ?? "connection"] = "close";
  return true;
}

/**
 * Node closes the connection where an answer ends. With bytes still unread, the system would tell the client of that
 * at once, which may cost it the answer.
 */
function sendBeforeRest(body: Whole, { request, response, unreadTimeoutMs }: NodeReceived): void {
  if (body === undefined) response.flushHeaders();
  else response.write(body);
  discard(request, unreadTimeoutMs, () => response.end());
}
