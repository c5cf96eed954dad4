import { readFileSync } from "node:fs";
import fastify from "fastify";
import { reply } from "./reply.mjs";
import { validator } from "./user-ajv.mjs";

const { routes } = JSON.parse(readFileSync("routes.json", "utf8"));
const app = fastify();
await app.register(validator.fastify({ basePath: "/v4" }));
for (const { method, url } of routes) app.route({ method, url, handler: (request, to) => void to.send(reply) });
await app.ready();

export const { server } = app;
