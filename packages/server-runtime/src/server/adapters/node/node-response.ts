import { createChunkSource } from "../../http/chunk-source.js";
import { runSoon } from "../../http/event-loop.js";
import type { HttpResponse } from "../../http/http-response.js";
import { internalErrorResponse, bareErrorResponse } from "../../http/internal-error.js";
import { cancelBody, frameResponse, isStreamBody } from "../../http/message-framing.js";
import type { Server } from "../../http/server.js";
import { discardBody } from "./node-body-stream.js";
import { isResponseDone } from "./node-exchange.js";
import { pumpChunks } from "./node-pump.js";
import type { NodeServerRequest } from "./node-request.js";

/** A Node request and the server that handles it. */
export interface NodeServerExchange {
  readonly server: Server;
  readonly received: NodeServerRequest;
}

/** Sends a response, or the response to an internal error if that fails. Never throws. */
export function sendResponse(answer: HttpResponse, exchanged: NodeServerExchange): void {
  const { received } = exchanged;
  if (!received.hasUnreadBody || isResponseDone(received)) return sendNow(answer, exchanged);
  // Node passes on a request before it parses the bytes that came with the head. A body that is there already does not end the connection.
  received.request.resume();
  runSoon(() => sendNow(answer, exchanged));
}

function sendNow(answer: HttpResponse, exchanged: NodeServerExchange): void {
  try {
    writeResponse(answer, exchanged);
  } catch (error) {
    cancelBody(answer.body);
    sendInternalError(error, exchanged);
  }
}

/** Sends the response to an internal error, unless another response has started. Never throws. */
export function sendInternalError(error: unknown, exchanged: NodeServerExchange): void {
  const { response } = exchanged.received;
  for (const answer of [internalErrorResponse(error, exchanged), bareErrorResponse]) {
    if (response.headersSent) break;
    try {
      return writeResponse(answer, exchanged);
    } catch {
      // The last response has no body, and cannot fail in the same way.
    }
  }
  response.destroy();
}

function writeResponse(answer: HttpResponse, { server, received }: NodeServerExchange): void {
  if (isResponseDone(received)) return cancelBody(answer.body);
  const { request, response } = received;
  const { status, headers, body, declared } = frameResponse(answer, received.method);
  if (body === undefined) cancelBody(answer.body);
  const source = isStreamBody(body) ? createChunkSource(body, declared) : undefined;
  const { hasUnreadBody: isLast, unreadTimeoutMs } = received;
  if (isLast) closeAfter(headers);
  response.writeHead(status, headers);
  if (source !== undefined) {
    response.flushHeaders();
    if (isLast) discardBody(request, unreadTimeoutMs, () => {});
    pumpChunks(source, received, (error) => internalErrorResponse(error, { server, received }));
  } else if (isLast) {
    sendAndDiscard(body as BufferedBody, received);
  } else {
    response.end(body as BufferedBody);
  }
}

type BufferedBody = string | Uint8Array | undefined;

/** A client that does not send the rest of a body that the server does not need would hold the connection. */
function closeAfter(headers: Record<string, string>): void {
  const name = Object.keys(headers).find((each) => each.toLowerCase() === "connection") ?? "connection";
  headers[name] = "close";
}

/**
 * Node closes the connection at the end of the response. With unread bytes, the operating system would reset the connection at once, and the client
 * could lose the response.
 */
function sendAndDiscard(body: BufferedBody, { request, response, unreadTimeoutMs }: NodeServerRequest): void {
  if (body === undefined) response.flushHeaders();
  else response.write(body);
  discardBody(request, unreadTimeoutMs, () => response.end());
}
