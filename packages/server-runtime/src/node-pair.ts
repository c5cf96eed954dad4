import type { NodeRequest } from "@plumbline/validator-runtime/serving";

/** As much of Node's IncomingMessage as is looked at. */
export interface NodeIncoming extends NodeRequest {
  /** Whether all of the body has arrived; undefined where a test injects the request, without a connection. */
  readonly complete?: boolean;
  readonly socket: NodeSocket;
  readonly httpVersionMajor?: number;
  readonly httpVersionMinor?: number;
  pause(): unknown;
  resume(): unknown;
}

export interface NodeSocket {
  readonly remoteAddress?: string | undefined;
  readonly destroyed?: boolean;
  destroy(): unknown;
  pause?(): unknown;
  resume?(): unknown;
  on(event: "close" | "error", listener: () => void): unknown;
}

/** As much of Node's ServerResponse as is called. */
export interface NodeResponse {
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

/** A request of Node's, and where its answer goes. */
export interface NodePair {
  readonly request: NodeIncoming;
  readonly response: NodeResponse;
}

/** Calls back when nothing more is sent of an answer, be it complete or not; perhaps twice. */
export function whenOver({ request, response }: NodePair, over: () => void): void {
  const forget = whenClosed(request.socket, over);
  response.on("close", () => {
    forget();
    over();
  });
}

/** Whether nothing can be sent any more: somebody has, or nobody is there. */
export function isOver(pair: NodePair): boolean {
  return pair.response.headersSent || pair.response.writableEnded || isGone(pair);
}

/** Whether the connection is broken. */
export function isGone({ request, response }: NodePair): boolean {
  return response.destroyed || request.socket.destroyed === true;
}

/**
 * An answer that waits for those of earlier requests is not told that its connection closed. Each connection has one
 * listener for all of them, however many there are.
 */
function whenClosed(socket: NodeSocket, listener: () => void): () => void {
  const listeners = waiting.get(socket) ?? listenersOf(socket);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const waiting = new WeakMap<NodeSocket, Set<() => void>>();

function listenersOf(socket: NodeSocket): Set<() => void> {
  const listeners = new Set<() => void>();
  waiting.set(socket, listeners);
  socket.on("close", () => {
    for (const listener of listeners) listener();
  });
  return listeners;
}
