import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";

export interface AdapterServer {
  readonly port: number;
  readonly server: Server;
  close(): Promise<void>;
}

export async function listen(listener: RequestListener): Promise<AdapterServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return adapterServerOf(server, () => new Promise<void>((resolve) => server.close(() => resolve())));
}

export async function listenFastify(app: Pick<FastifyInstance, "close" | "listen" | "server">): Promise<AdapterServer> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  return adapterServerOf(app.server, async () => app.close());
}

function adapterServerOf(server: Server, close: () => Promise<unknown>): AdapterServer {
  return {
    port: (server.address() as AddressInfo).port,
    server,
    close: async () => {
      server.closeAllConnections();
      await close();
    },
  };
}
