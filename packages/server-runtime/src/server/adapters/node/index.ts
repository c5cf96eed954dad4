import type { Next } from "../../../http/index.js";
import { cancelBody } from "../../http/message-framing.js";
import type { Server } from "../../http/server.js";
import type { NodeIncoming, NodeServerResponse } from "./node-exchange.js";
import { NodeServerRequest } from "./node-request.js";
import { sendResponse, sendInternalError, type NodeServerExchange } from "./node-response.js";

export type { Next } from "../../../http/index.js";
export type { NodeIncoming, NodeServerResponse } from "./node-exchange.js";
export { protectServer, type ConnectionOptions, type NodeHttpServer } from "./protect-server.js";

/** A listener for `http.createServer`. Without `next`, it responds with 404 to requests outside the base paths. */
export type NodeListener = (request: NodeIncoming, response: NodeServerResponse, next?: Next) => void;

/**
 * Creates a listener for a `node:http` server.
 *
 * @param server what `createBaseServer` or a generated `createServer` returns
 * @example
 * http.createServer(nodeListener(server)).listen(8080);
 */
export function nodeListener(server: Server): NodeListener {
  return (request, response, next) => {
    const exchanged = { server, received: new NodeServerRequest(request, response, request.url ?? "/") };
    if (handleNodeRequest(exchanged, next)) return;
    if (next === undefined) sendNotFound(exchanged);
    else next();
  };
}

/** Responds to a request below the base paths; returns false for others. Calls `next` if another handler has read the body already. */
export function handleNodeRequest(exchanged: NodeServerExchange, next?: Next): boolean {
  const { server, received } = exchanged;
  if (server.unreadTimeoutMs !== undefined) received.unreadTimeoutMs = server.unreadTimeoutMs;
  try {
    const answering = server.handle(received);
    if (answering === undefined) return false;
    answering.then(
      (answer) => {
        if (received.bodyError === undefined || next === undefined) return sendResponse(answer, exchanged);
        cancelBody(answer.body);
        next(received.bodyError);
      },
      (error: unknown) => {
        if (received.bodyError === undefined || next === undefined) sendInternalError(error, exchanged);
        else next(received.bodyError);
      },
    );
  } catch (error) {
    sendInternalError(error, exchanged);
  }
  return true;
}

function sendNotFound(exchanged: NodeServerExchange): void {
  try {
    sendResponse(exchanged.server.notFound(exchanged.received), exchanged);
  } catch (error) {
    sendInternalError(error, exchanged);
  }
}
