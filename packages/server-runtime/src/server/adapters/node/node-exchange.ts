import type { NodeRequest } from "../../../http/index.js";

/** The part of Node's IncomingMessage that this package uses. */
export interface NodeIncoming extends NodeRequest {
  /** Whether all of the body has arrived. Undefined if a test injects the request without a connection. */
  readonly complete?: boolean;
  readonly socket: NodeSocket;
  readonly httpVersionMajor?: number;
  readonly httpVersionMinor?: number;
  pause(): unknown;
  resume(): unknown;
}

export interface NodeSocket {
  readonly remoteAddress?: string | undefined;
  /** True for TLS. */
  readonly encrypted?: boolean;
  readonly destroyed?: boolean;
  destroy(): unknown;
  pause?(): unknown;
  resume?(): unknown;
  on(event: "close" | "error", listener: () => void): unknown;
}

/** The part of Node's ServerResponse that this package uses. */
export interface NodeServerResponse {
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  writeHead(status: number, headers: Record<string, string>): unknown;
  flushHeaders(): void;
  write(chunk: string | Uint8Array): boolean;
  end(chunk?: string | Uint8Array): unknown;
  destroy(): unknown;
  on(event: "close" | "drain", listener: () => void): unknown;
}

/** A Node request and its response. */
export interface NodePair {
  readonly request: NodeIncoming;
  readonly response: NodeServerResponse;
}

/** Calls back when no more of a response is sent, complete or not. May call twice. */
export function onResponseEnd({ request, response }: NodePair, over: () => void): void {
  const forget = onSocketClose(request.socket, over);
  response.on("close", () => {
    forget();
    over();
  });
}

/** Whether nothing more can be sent: a response has started, or the client has disconnected. */
export function isResponseDone(pair: NodePair): boolean {
  return pair.response.headersSent || pair.response.writableEnded || isDisconnected(pair);
}

/** Whether the connection is closed. */
export function isDisconnected({ request, response }: NodePair): boolean {
  return response.destroyed || request.socket.destroyed === true;
}

/** Node emits no close event on a response that waits for those of earlier requests. One listener on the connection serves all of its requests. */
function onSocketClose(socket: NodeSocket, listener: () => void): () => void {
  const listeners = closeListeners.get(socket) ?? listenersOf(socket);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const closeListeners = new WeakMap<NodeSocket, Set<() => void>>();

function listenersOf(socket: NodeSocket): Set<() => void> {
  const listeners = new Set<() => void>();
  closeListeners.set(socket, listeners);
  socket.on("close", () => {
    for (const listener of listeners) listener();
  });
  return listeners;
}
