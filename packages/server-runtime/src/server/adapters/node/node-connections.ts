import { bytesSent, ConnectionShares, type Connection, type OpenSocket } from "./connection-shares.js";
import { quietTimeoutMs } from "./node-body-stream.js";
import type { NodePair, NodeSocket } from "./node-exchange.js";
import { defaultMaxConnections } from "./open-files.js";

/** Limits of a server's connections. */
export interface ConnectionOptions {
  /**
   * Maximum number of open connections. At the limit, a new connection replaces one of the client that has the most: the longest idle one, else the
   * one that waits for its client for the longest time. If handlers run on all, the server closes the new one, unless one client has more than half.
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

/** The open connections of a server. */
export class ConnectionTracker {
  readonly #open = new Set<Connection>();
  readonly #shares: ConnectionShares;
  readonly #max: number;
  /** Connections of a TLS server before their handshake, by the client's address and port. */
  readonly #shaking = new Map<string, Connection>();

  constructor(
    server: NodeHttpServer,
    { maxConnections, responseTimeoutMs = defaultResponseTimeoutMs }: ConnectionOptions,
  ) {
    this.#max = maxConnections ?? defaultMaxConnections();
    this.#shares = new ConnectionShares(this.#max);
    const isTls = "setSecureContext" in server;
    server.on("connection", (socket: OpenSocket) => this.#add(socket, isTls));
    // A TLS server reads requests from another object than the TCP connection.
    if (isTls) server.on("secureConnection", (socket: OpenSocket) => this.#secure(socket));
    const sweep = setInterval(
      () => this.#closeUnread(responseTimeoutMs),
      Math.min(responseTimeoutMs / 4, maxSweepIntervalMs),
    );
    (sweep as { readonly unref?: () => void }).unref?.();
    server.on("close", () => clearInterval(sweep));
  }

  /** Marks a connection as busy until the response was sent. */
  begin(pair: NodePair): void {
    const tracked = trackedConnections.get(pair.request.socket);
    if (tracked === undefined) return;
    const { connection, shares } = tracked;
    if (!this.#open.has(connection)) return;
    connection.running += 1;
    connection.latest = pair;
    shares.markBusy(connection);
    pair.response.on("close", () => {
      connection.running -= 1;
      if (connection.running > 0 || !this.#open.has(connection)) return;
      shares.markIdle(connection);
      connection.whenIdle?.();
    });
  }

  /** Sends a last response after the responses to earlier requests, and closes the connection. */
  end(socket: OpenSocket, text: string): void {
    const connection = trackedConnections.get(socket)?.connection;
    const send = (): void => endWith(socket, text);
    if (connection === undefined || connection.running === 0) return send();
    const { request, response } = connection.latest as NodePair;
    if (request.complete === true) connection.whenIdle = send;
    // The body of the latest request is broken, and its response would never come.
    else if (response.headersSent) socket.destroy();
    else send();
  }

  #add(socket: OpenSocket, isTls: boolean): void {
    const connection = this.#shares.add(socket);
    this.#open.add(connection);
    this.#track(socket, connection);
    if (isTls) {
      const port = portOf(socket);
      this.#shaking.set(port, connection);
      socket.on("close", () => this.#shaking.delete(port));
    }
    if (this.#open.size <= this.#max) return;
    const victim = this.#shares.victimFor(connection);
    // The close event comes later.
    this.#forget(victim);
    victim.socket.destroy();
  }

  #secure(socket: OpenSocket): void {
    const connection = this.#shaking.get(portOf(socket));
    if (connection === undefined) return;
    connection.socket = socket;
    this.#track(socket, connection);
  }

  #track(socket: OpenSocket, connection: Connection): void {
    trackedConnections.set(socket, { connection, shares: this.#shares });
    socket.on("close", () => this.#forget(connection));
  }

  #forget(connection: Connection): void {
    this.#open.delete(connection);
    this.#shares.delete(connection);
  }

  #closeUnread(timeout: number): void {
    const now = performance.now();
    for (const connection of this.#open) {
      const { socket, running, sent, since } = connection;
      const sentBytes = bytesSent(socket);
      if (running === 0 || (socket.writableLength ?? 0) === 0 || sentBytes !== sent) {
        connection.sent = sentBytes;
        connection.since = now;
      } else if (now - since >= timeout) socket.destroy();
    }
  }
}

/** Counts the connection of a request to the user who sent it. Does nothing on a server without a limit of connections. */
export function assignConnection(socket: NodeSocket, user: string): void {
  const tracked = trackedConnections.get(socket);
  tracked?.shares.assign(tracked.connection, user);
}

const trackedConnections = new WeakMap<NodeSocket, Tracked>();

interface Tracked {
  readonly connection: Connection;
  readonly shares: ConnectionShares;
}

function portOf({ remoteAddress, remotePort }: OpenSocket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** A client that does not close its side would keep the connection open. */
function endWith(socket: OpenSocket, text: string): void {
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), quietTimeoutMs);
  socket.on("close", () => clearTimeout(timer));
}

const defaultResponseTimeoutMs = 60_000;
const maxSweepIntervalMs = 5000;
