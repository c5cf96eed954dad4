import { defaultUnreadTimeoutMs } from "./node-body-stream.js";
import { defaultMaxConnections } from "./open-files.js";
import type { NodePair, NodeSocket } from "./node-exchange.js";

/** Limits of a server's connections. */
export interface ConnectionOptions {
  /**
   * Maximum number of open connections. At the limit, a new connection replaces the one that is idle for the longest time. If none is idle, the
   * server
   * closes the new one.
   *
   * @defaultValue 10,000, or four fifths of the files that the process may open
   */
  readonly maxConnections?: number;
  /**
   * Milliseconds in which a client has to read a part of its response. Then the server closes the connection.
   *
   * @defaultValue 60,000
   */
  readonly responseTimeoutMs?: number;
}

/** The part of a Node server that this package uses. Servers of `node:https` have it, too. */
export interface NodeHttpServer {
  requireHostHeader?: boolean;
  on(event: string, listener: (...given: never[]) => void): unknown;
  listeners(event: string): unknown[];
  removeAllListeners(event: string): unknown;
}

export interface OpenSocket extends NodeSocket {
  readonly writable?: boolean;
  readonly writableLength?: number;
  readonly bytesWritten?: number;
  end(text: string): unknown;
}

/** The open connections of a server. */
export class ConnectionTracker {
  readonly #open = new Map<NodeSocket, Connection>();
  /** Connections without a running request, the longest idle one first. */
  readonly #idle = new Set<OpenSocket>();
  readonly #max: number;

  constructor(
    server: NodeHttpServer,
    { maxConnections, responseTimeoutMs = defaultResponseTimeoutMs }: ConnectionOptions,
  ) {
    this.#max = maxConnections ?? defaultMaxConnections();
    // A TLS server reads requests from another object than the TCP connection.
    const event = "setSecureContext" in server ? "secureConnection" : "connection";
    server.on(event, (socket: OpenSocket) => this.#add(socket));
    const sweep = setInterval(
      () => this.#closeUnread(responseTimeoutMs),
      Math.min(responseTimeoutMs / 4, maxSweepIntervalMs),
    );
    (sweep as { readonly unref?: () => void }).unref?.();
    server.on("close", () => clearInterval(sweep));
  }

  /** Marks a connection as busy until the response was sent. */
  begin(pair: NodePair): void {
    const { socket } = pair.request;
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    connection.running += 1;
    connection.latest = pair;
    this.#idle.delete(connection.socket);
    pair.response.on("close", () => {
      connection.running -= 1;
      if (connection.running > 0 || !this.#open.has(socket)) return;
      this.#idle.add(connection.socket);
      connection.whenIdle?.();
    });
  }

  /** Sends a last response after the responses to earlier requests, and closes the connection. */
  end(socket: OpenSocket, text: string): void {
    const connection = this.#open.get(socket);
    const send = (): void => endWith(socket, text);
    if (connection === undefined || connection.running === 0) return send();
    const { request, response } = connection.latest as NodePair;
    if (request.complete === true) connection.whenIdle = send;
    // The body of the latest request is broken, and its response would never come.
    else if (response.headersSent) socket.destroy();
    else send();
  }

  #add(socket: OpenSocket): void {
    if (this.#open.size >= this.#max && !this.#closeIdle()) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, { socket, running: 0, latest: undefined, sent: 0, since: 0, whenIdle: undefined });
    this.#idle.add(socket);
    socket.on("close", () => {
      this.#open.delete(socket);
      this.#idle.delete(socket);
    });
  }

  #closeIdle(): boolean {
    const [longest] = this.#idle;
    if (longest === undefined) return false;
    // The close event comes later.
    this.#open.delete(longest);
    this.#idle.delete(longest);
    longest.destroy();
    return true;
  }

  #closeUnread(timeout: number): void {
    const now = performance.now();
    for (const connection of this.#open.values()) {
      const { socket, running, sent, since } = connection;
      const { bytesWritten = 0, writableLength = 0 } = socket;
      const left = bytesWritten - writableLength;
      if (running === 0 || writableLength === 0 || left !== sent) {
        connection.sent = left;
        connection.since = now;
      } else if (now - since >= timeout) socket.destroy();
    }
  }
}

interface Connection {
  readonly socket: OpenSocket;
  /** Requests whose responses are not sent completely. */
  running: number;
  latest: NodePair | undefined;
  /** Bytes sent at the last sweep, and the time since which they did not change, in milliseconds. */
  sent: number;
  since: number;
  whenIdle: (() => void) | undefined;
}

/** A client that does not close its side would keep the connection open. */
function endWith(socket: OpenSocket, text: string): void {
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), defaultUnreadTimeoutMs);
  socket.on("close", () => clearTimeout(timer));
}

const defaultResponseTimeoutMs = 60_000;
const maxSweepIntervalMs = 5000;
