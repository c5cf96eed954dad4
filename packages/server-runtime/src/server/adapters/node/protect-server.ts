import { hasOneHost, oneHostReason } from "../../http/host-header.js";
import type { RejectedStatus, Server } from "../../http/server.js";
import type { OpenSocket } from "./connection-shares.js";
import { ConnectionTracker, type ConnectionOptions, type NodeHttpServer } from "./node-connections.js";
import type { NodeIncoming, NodeServerResponse } from "./node-exchange.js";
import { NodeServerRequest } from "./node-request.js";
import { sendResponse } from "./node-response.js";
import { responseText } from "./response-text.js";

export type { ConnectionOptions, NodeHttpServer } from "./node-connections.js";

/**
 * Limits the connections of a `node:http` server, and formats the errors to which Node responds by itself with the API's error body:
 * invalid HTTP, several `Host` headers, expectations, CONNECT. Replaces the listeners of `clientError`.
 * Works with the server of any framework, such as `app.server` of Fastify or what `serve` of `@hono/node-server` returns.
 *
 * @param http the server, after the framework has added its listeners
 * @returns the same server
 *
 * @example
 * protectServer(http.createServer(nodeListener(server)), server, { maxConnections: 5000 }).listen(8080);
 */
export function protectServer<S extends NodeHttpServer>(http: S, server: Server, options: ConnectionOptions = {}): S {
  const connections = new ConnectionTracker(http, options);
  const listeners = http.listeners("request") as ((request: NodeIncoming, response: NodeServerResponse) => void)[];
  // Node would respond to a request without a `Host` header, and accept a second one.
  http.requireHostHeader = false;
  http.removeAllListeners("request");
  http.on("request", (request: NodeIncoming, response: NodeServerResponse) => {
    connections.begin({ request, response });
    if (hasOneHost(request)) for (const listener of listeners) listener.call(http, request, response);
    else sendRejection(400, { server, request, response, reason: oneHostReason });
  });
  http.on("checkExpectation", (request: NodeIncoming, response: NodeServerResponse) => {
    connections.begin({ request, response });
    sendRejection(417, { server, request, response });
  });
  http.on("connect", (_request: NodeIncoming, socket: OpenSocket) => {
    // Node no longer handles the connection, nor its errors.
    socket.on("error", () => {});
    connections.end(socket, responseText(server.rejection?.(405)));
  });
  http.removeAllListeners("clientError");
  http.on("clientError", (error: { readonly code?: string }, socket: OpenSocket) => {
    // Nothing can be sent on a closed connection.
    if (error.code === "ECONNRESET" || socket.writable !== true) return void socket.destroy();
    const status = statuses[error.code ?? ""] ?? 400;
    connections.end(socket, responseText(server.rejection?.(status)));
  });
  return http;
}

interface RejectionContext {
  readonly server: Server;
  readonly request: NodeIncoming;
  readonly response: NodeServerResponse;
  readonly reason?: string;
}

function sendRejection(status: RejectedStatus, { server, request, response, reason }: RejectionContext): void {
  const received = new NodeServerRequest(request, response, request.url ?? "/");
  if (server.unreadTimeoutMs !== undefined) received.unreadTimeoutMs = server.unreadTimeoutMs;
  sendResponse(server.rejection?.(status, reason) ?? { status, headers: { Connection: "close" } }, {
    server,
    received,
  });
}

/** By Node's error codes. */
const statuses: Readonly<Record<string, RejectedStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};
