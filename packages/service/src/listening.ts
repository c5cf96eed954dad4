import type http from "node:http";
import { Server, type AddressInfo } from "node:net";
import { setImmediate, setTimeout } from "node:timers/promises";

/** A server, and how it ends. */
export interface Listening {
  readonly address: string;
  /** Stops accepting, and answers what is in flight within 10 seconds. */
  close(): Promise<void>;
}

/** Listens; port 0 is a free one. Rejects when the address cannot be had. */
export async function listen(
  server: http.Server,
  at: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const answering = new Set<http.ServerResponse>();
  let isClosing = false;
  // Before whatever answers, which may do so at once.
  server.prependListener("request", (_request, response) => {
    if (isClosing) lastOfItsConnection(response);
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
      // The close of `http` would also end connections on which a request has come that is not read yet, for these count as idle. It is read first.
      const closed = new Promise((resolve) => Server.prototype.close.call(server, resolve));
      await setTimeout(underWay);
      await setImmediate();
      server.close();
      const hasLanded = new AbortController();
      const late = setTimeout(longestFlight, undefined, hasLanded).then(
        () => server.closeAllConnections(),
        () => {},
      );
      await closed;
      hasLanded.abort();
      await late;
    },
  };
}

/** The reasons why people meet that a port cannot be had, in words; else the error as it is. */
function listenError(error: Error, { host, port }: { readonly host: string; readonly port: number }): Error {
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return new Error(`Port ${port} of ${host} is in use. Stop the program that uses it, or choose another port.`);
  if (code === "EACCES")
    return new Error(`This user may not listen on port ${port} of ${host}. Choose a port from 1024 on.`);
  return error;
}

/** A connection that goes on would bring more requests, of which the last would be cut off. */
function lastOfItsConnection(response: http.ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

/** Milliseconds. */
const longestFlight = 10_000;
const underWay = 20;
