import type { NodePair, NodeSocket } from "./node-exchange.js";

export interface OpenSocket extends NodeSocket {
  readonly remotePort?: number | undefined;
  readonly writable?: boolean;
  readonly writableLength?: number;
  readonly bytesRead?: number;
  readonly bytesWritten?: number;
  end(text: string): unknown;
}

/** An open connection. */
export interface Connection {
  socket: OpenSocket;
  client: ClientConnections;
  /** Requests whose responses are not sent completely. */
  running: number;
  latest: NodePair | undefined;
  /** Bytes received and sent when the connection became idle, or when `victimFor` last looked at it. */
  progress: number;
  /** Bytes sent at the last sweep, and the time since which they did not change, in milliseconds. */
  sent: number;
  since: number;
  whenIdle: (() => void) | undefined;
}

interface ClientConnections {
  readonly key: string;
  /** Between two requests, the longest idle one first. */
  readonly idle: Set<Connection>;
  /** All others. Those whose clients were silent for the longest time are first. */
  readonly busy: Set<Connection>;
}

/** Divides the connections of a server among its clients. */
export class ConnectionShares {
  readonly #max: number;
  readonly #clients = new Map<string, ClientConnections>();
  /** The clients that have as many connections as the index says. */
  readonly #bySize: Set<ClientConnections>[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** Adds a connection. It counts to the network of its address until a user is known. */
  add(socket: OpenSocket): Connection {
    const client = this.#clientOf(networkOf(socket.remoteAddress));
    const connection: Connection = {
      socket,
      client,
      running: 0,
      latest: undefined,
      progress: -1,
      sent: 0,
      since: 0,
      whenIdle: undefined,
    };
    this.#insert(connection);
    return connection;
  }

  delete(connection: Connection): void {
    const { client } = connection;
    const size = sizeOf(client);
    if (client.idle.delete(connection) || client.busy.delete(connection)) this.#resize(client, size);
  }

  /** Counts a connection to the user whose credential came with its latest request. */
  assign(connection: Connection, user: string): void {
    const { client } = connection;
    // A connection may close while the credential is checked.
    if (client.key === user || !client.busy.has(connection)) return;
    this.delete(connection);
    connection.client = this.#clientOf(user);
    this.#insert(connection);
  }

  markBusy(connection: Connection): void {
    const { idle, busy } = connection.client;
    if (!idle.delete(connection)) busy.delete(connection);
    busy.add(connection);
  }

  markIdle(connection: Connection): void {
    const { idle, busy } = connection.client;
    busy.delete(connection);
    idle.add(connection);
    connection.progress = progressOf(connection.socket);
  }

  /**
   * The connection to close for a new one: of the client with the most connections, the longest idle one, else the one that waits for its client for
   * the longest time. One whose handler runs is closed only if its client has more than half of the maximum, and no other client an idle one. Then it is
   * closed before one that waits for another client: new connections of others would close each other.
   */
  victimFor(newest: Connection): Connection {
    const [largest = newest.client] = this.#largestFirst();
    const victim =
      longestIdle(largest) ?? longestWaiting(largest, newest) ?? firstOf(this.#largestFirst(), longestIdle);
    if (victim !== undefined) return victim;
    if (largest !== newest.client && sizeOf(largest) > this.#max / 2)
      return firstOf(largest.busy, (connection) => connection) ?? newest;
    return firstOf(this.#largestFirst(), (client) => longestWaiting(client, newest)) ?? newest;
  }

  *#largestFirst(): Generator<ClientConnections> {
    for (let size = this.#bySize.length - 1; size > 0; size -= 1) yield* this.#bySize[size] ?? [];
  }

  #clientOf(key: string): ClientConnections {
    const client = this.#clients.get(key) ?? { key, idle: new Set(), busy: new Set() };
    this.#clients.set(key, client);
    return client;
  }

  #insert(connection: Connection): void {
    const { client } = connection;
    const size = sizeOf(client);
    client.busy.add(connection);
    this.#resize(client, size);
  }

  #resize(client: ClientConnections, before: number): void {
    const size = sizeOf(client);
    this.#bySize[before]?.delete(client);
    if (size === 0) this.#clients.delete(client.key);
    else (this.#bySize[size] ??= new Set()).add(client);
    while (this.#bySize.length > 0 && (this.#bySize.at(-1)?.size ?? 0) === 0) this.#bySize.pop();
  }
}

function sizeOf({ idle, busy }: ClientConnections): number {
  return idle.size + busy.size;
}

function longestIdle({ idle, busy }: ClientConnections): Connection | undefined {
  return firstOf(idle, (connection) => {
    if (!hasProgressed(connection)) return connection;
    // A part of its next request has arrived.
    idle.delete(connection);
    busy.add(connection);
    return undefined;
  });
}

/** A connection gets a second chance if bytes have passed since it was looked at, so this usually looks at few. */
function longestWaiting({ busy }: ClientConnections, newest: Connection): Connection | undefined {
  return firstOf(busy, (connection) => {
    if (connection === newest || !isWaiting(connection)) return undefined;
    if (!hasProgressed(connection)) return connection;
    busy.delete(connection);
    busy.add(connection);
    return undefined;
  });
}

function firstOf<T, R>(items: Iterable<T>, choose: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const chosen = choose(item);
    if (chosen !== undefined) return chosen;
  }
  return undefined;
}

/** Whether a connection waits for its client: for a request, for the rest of one, or until a response is read. */
function isWaiting({ running, latest, socket }: Connection): boolean {
  return running === 0 || latest?.request.complete === false || (socket.writableLength ?? 0) > 0;
}

function hasProgressed(connection: Connection): boolean {
  const progress = progressOf(connection.socket);
  if (progress === connection.progress) return false;
  connection.progress = progress;
  return true;
}

function progressOf(socket: OpenSocket): number {
  return (socket.bytesRead ?? 0) + bytesSent(socket);
}

/** The bytes that the operating system has taken. */
export function bytesSent({ bytesWritten = 0, writableLength = 0 }: OpenSocket): number {
  return bytesWritten - writableLength;
}

/** The client of an address. In IPv6, one client has a network of 2^64 addresses. The prefix keeps addresses apart from users. */
function networkOf(address = ""): string {
  if (!address.includes(":") || address.includes(".")) return `@${address.slice(address.lastIndexOf(":") + 1)}`;
  const [start = [], end = []] = address.split("::").map((part) => part.split(":"));
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => "0");
  return `@${[...start, ...(address.includes("::") ? zeros : []), ...end].slice(0, 4).join(":")}`;
}
