import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Server } from "@plumbline/server-runtime";
import { nodeListener, protectServer } from "@plumbline/server-runtime/node";

/** A host that listens. */
export interface HttpHost {
  /** Where it listens, such as `http://127.0.0.1:4010`. */
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/** The host cannot listen. The message says why, and what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/**
 * Serves a server over HTTP.
 *
 * @param address - Where it listens. Port 0: a free one.
 * @throws ListenError if the port is in use, or not permitted
 */
export async function listenHttp(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HttpHost> {
  const http = protectServer(createServer(nodeListener(server)), server);
  await new Promise<void>((resolve, reject) => {
    http.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    http.listen(port, host, resolve);
  });
  const { address, port: actual } = http.address() as AddressInfo;
  const hostname = address.includes(":") ? `[${address}]` : address;
  return { origin: `http://${hostname}:${actual}`, close: async () => close(http) };
}

function listenError({ code, message }: NodeJS.ErrnoException, host: string, port: number): ListenError {
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. Stop the other program, or choose another port with --port.`,
    EACCES: `Port ${port} requires more permissions. Choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another one with --host.`,
    ENOTFOUND: `${host} is not an address of this machine. Choose another one with --host.`,
  };
  return new ListenError(messages[code ?? ""] ?? message);
}

async function close(http: HttpServer): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  http.closeAllConnections();
  await closed;
}
