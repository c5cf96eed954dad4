import { readFileSync } from "node:fs";
import fastify from "fastify";
import { reply } from "./reply.mjs";

const { routes, components } = JSON.parse(readFileSync("routes.json", "utf8"));
const app = fastify({ ajv: { customOptions: { strict: false } } });
app.addSchema({ $id: "api", components });
for (const route of routes) app.route({ ...route, handler: (request, to) => void to.send(reply) });
await app.ready();

export const { server } = app;
