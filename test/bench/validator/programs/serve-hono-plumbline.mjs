import { createServer } from "node:http";
import { validator } from "@cloud-compute/validator/hono";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { reply } from "./reply.mjs";

const app = new Hono();
app.use(validator({ basePath: "/v4" }));
app.get("/v4/compute/instances", (context) => context.json(reply));
app.post("/v4/compute/instances", (context) => context.json(reply));

const listen = getRequestListener(app.fetch);

export const server = createServer((request, response) => void listen(request, response));
