import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { reply } from "./reply.mjs";

const app = new Hono();
app.get("/v4/compute/instances", (context) => context.json(reply));
app.post("/v4/compute/instances", async (context) => {
  await context.req.json();
  return context.json(reply);
});

const listen = getRequestListener(app.fetch);

export const server = createServer((request, response) => void listen(request, response));
