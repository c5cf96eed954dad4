import { getRequestListener } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { listen, listenFastify, type AdapterServer } from "../../listen.support.js";
import type { Server } from "../http/server.js";
import { expressMiddleware } from "./express/index.js";
import { fastifyPlugin } from "./fastify/index.js";
import { fetchHandler } from "./fetch/index.js";
import { honoMiddleware } from "./hono/index.js";
import { nodeListener } from "./node/index.js";

export type AdapterName = "node" | "express" | "fastify" | "hono" | "fetch";

/** The five adapters. Each responds with `host` to requests outside the API, except a fetch-style server, which has no other handler. */
export const adapters: Readonly<Record<AdapterName, (api: Server) => Promise<AdapterServer>>> = {
  node: async (api) => {
    const listener = nodeListener(api);
    return listen((request, response) =>
      listener(request, response, (error) => {
        if (error !== undefined) response.statusCode = 500;
        response.end(error === undefined ? "host" : (error as Error).message);
      }),
    );
  },
  express: async (api) => {
    const app = express();
    app.use(expressMiddleware(api));
    app.use((_, response: express.Response) => void response.send("host"));
    return listen(app);
  },
  fastify: async (api) => {
    const app = fastify();
    await app.register(fastifyPlugin(api));
    app.setNotFoundHandler((_, response) => response.code(200).send("host"));
    return listenFastify(app);
  },
  hono: async (api) => {
    const app = new Hono();
    app.use(honoMiddleware(api));
    app.all("*", (context) => context.text("host"));
    const listener = getRequestListener(app.fetch);
    return listen((request, response) => void listener(request, response));
  },
  fetch: async (api) => {
    const listener = getRequestListener(fetchHandler(api));
    return listen((request, response) => void listener(request, response));
  },
};

export const adapterNames = Object.keys(adapters) as AdapterName[];
