import type http from "node:http";
import { Server, type AddressInfo, type Socket } from "node:net";
import { setImmediate, setTimeout } from "node:timers/promises";

/** A listening server. */
export interface ListeningServer {
  readonly address: string;
  /** Stops accepting connections, and answers requests in flight within 10 seconds. */
  close(): Promise<void>;
}

/** Listens on an address. Port 0 picks a free port. Rejects if the address is not available. */
export async function listen(
  server: http.Server,
  at: { readonly host: string; readonly port: number },
): Promise<ListeningServer> {
  const answering = new Set<http.ServerResponse>();
  const silent = new Set<Socket>();
  let isClosing = false;
  server.keepAliveTimeout = idleMs;
  server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  // Before the listener that responds, which may do so at once.
  server.prependListener("request", (request, response) => {
    if (isClosing) lastOfItsConnection(response);
    silent.delete(request.socket);
    answering.add(response);
    response.once("close", () => answering.delete(response));
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => reject(listenError(error, at));
    server.once("error", fail);
    server.listen(at.port, at.host, () => {
      server.off("error", fail);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = at.host.includes(":") ? `[${at.host}]` : at.host;
  return {
    address: `http://${host}:${port}`,
    close: async () => {
      isClosing = true;
      for (const response of answering) lastOfItsConnection(response);
      // `close` of `http` would also end connections with a request that has arrived but is not read yet, since these count as idle. It is read
      // first.
      const closed = new Promise((resolve) => Server.prototype.close.call(server, resolve));
      await setTimeout(underWay);
      await setImmediate();
      server.close();
      // Clients connect in advance. `http` takes that for the begin of a request.
      for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
      const hasLanded = new AbortController();
      const late = setTimeout(maxFlightMs, undefined, hasLanded).then(
        () => server.closeAllConnections(),
        () => {},
      );
      await closed;
      hasLanded.abort();
      await late;
    },
  };
}

/** Readable messages for the usual reasons why a port is not available. Other errors stay unchanged. */
function listenError(error: Error, { host, port }: { readonly host: string; readonly port: number }): Error {
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return new Error(`Port ${port} of ${host} is in use. Stop the program that uses it, or choose another port.`);
  if (code === "EACCES")
    return new Error(`This user may not listen on port ${port} of ${host}. Choose a port from 1024 on.`);
  return error;
}

/** A connection that stays open would bring more requests, and the last of these would be cut off. */
function lastOfItsConnection(response: http.ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

/**
 * Milliseconds for which an idle connection stays open. Proxies and clients keep theirs for a minute at most. They have to close first: a
 * request that crosses with the end of its connection fails.
 */
const idleMs = 72_000;

/** Milliseconds. */
const maxFlightMs = 10_000;
const underWay = 20;
