import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expressMiddleware } from "@cloud-compute/server/express";
import { fastifyPlugin } from "@cloud-compute/server/fastify";
import { fetchHandler } from "@cloud-compute/server/fetch";
import { honoMiddleware } from "@cloud-compute/server/hono";
import { nodeListener } from "@cloud-compute/server/node";
import { getRequestListener } from "@hono/node-server";
import type { Server } from "@plumbline/server-runtime";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";

export interface Host {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The same API in each kind of server, beside a path of the server's own. */
export const hosts = {
  node: (server: Server) => {
    const answer = nodeListener(server);
    return listening((request, response) => answer(request, response, () => response.end("its own")));
  },
  express: (server: Server) => {
    const app = express();
    app.use(expressMiddleware(server));
    app.get("/own", (_, response) => void response.end("its own"));
    return listening(app);
  },
  fastify: async (server: Server): Promise<Host> => {
    const app = fastify({ forceCloseConnections: true });
    await app.register(fastifyPlugin(server));
    app.get("/own", async () => "its own");
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    return { url, close: () => app.close() };
  },
  hono: (server: Server) => {
    const app = new Hono();
    app.use(honoMiddleware(server));
    app.get("/own", (context) => context.text("its own"));
    return listening(fetching(app.fetch));
  },
  fetch: (server: Server) => {
    const handle = fetchHandler(server);
    return listening(
      fetching((request) => (new URL(request.url).pathname === "/own" ? new Response("its own") : handle(request))),
    );
  },
} satisfies Record<string, (server: Server) => Promise<Host>>;

function fetching(handle: (request: Request) => Response | Promise<Response>): RequestListener {
  const listener = getRequestListener(handle, { overrideGlobalObjects: false });
  return (request, response) => void listener(request, response);
}

async function listening(listener: RequestListener): Promise<Host> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
