import { drop } from "./framed.js";
import { deliver, deliverFailure, type Exchanged } from "./node-answer.js";
import type { NodeIncoming, NodeResponse } from "./node-pair.js";
import { NodeReceived } from "./node-received.js";
import type { Server } from "./server.js";

export type { NodeIncoming, NodeResponse } from "./node-pair.js";
export { protectServer, type ConnectionOptions, type NodeHttpServer } from "./protect-server.js";

/** Passes on a request that is not for the API, or an error. */
export type Next = (error?: unknown) => void;

/** A listener for `http.createServer`. Without `next`, it responds with 404 to requests outside the base paths. */
export type NodeListener = (request: NodeIncoming, response: NodeResponse, next?: Next) => void;

/**
 * Creates a listener for a `node:http` server.
 *
 * @param server what `serve` or a generated `createServer` returns
 * @example
 * http.createServer(nodeListener(server)).listen(8080);
 */
export function nodeListener(server: Server): NodeListener {
  return (request, response, next) => {
    const exchanged = { server, received: new NodeReceived(request, response, request.url ?? "/") };
    if (answers(exchanged, next)) return;
    if (next === undefined) deliverNowhere(exchanged);
    else next();
  };
}

/** Responds to a request below the base paths; returns false for others. Calls `next` if another handler has read the body already. */
export function answers(exchanged: Exchanged, next?: Next): boolean {
  const { server, received } = exchanged;
  if (server.unreadTimeoutMs !== undefined) received.unreadTimeoutMs = server.unreadTimeoutMs;
  try {
    const answering = server.answer(received);
    if (answering === undefined) return false;
    answering.then(
      (answer) => {
        if (received.eaten === undefined || next === undefined) return deliver(answer, exchanged);
        drop(answer.body);
        next(received.eaten);
      },
      (error: unknown) => {
        if (received.eaten === undefined || next === undefined) deliverFailure(error, exchanged);
        else next(received.eaten);
      },
    );
  } catch (error) {
    deliverFailure(error, exchanged);
  }
  return true;
}

function deliverNowhere(exchanged: Exchanged): void {
  try {
    deliver(exchanged.server.nowhere(exchanged.received), exchanged);
  } catch (error) {
    deliverFailure(error, exchanged);
  }
}
