import { getRequestListener } from "@hono/node-server";
import express from "express";
import * as fc from "fast-check";
import fastify from "fastify";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { propertyRuns } from "../../../../../test/support/property-testing.js";
import type { Operation } from "../../http/index.js";
import { listen, listenFastify, type AdapterServer } from "../../listen.support.js";
import { createPet, deletePet, getImage, getPet, getTag, listPets, pets } from "../pets.support.js";
import { expressValidator } from "./express/index.js";
import { fastifyValidator } from "./fastify/index.js";
import { honoValidator } from "./hono/index.js";
import { sendRaw } from "./raw-http.support.js";
import { inputOf } from "./validated-input.js";

const options = { basePath: "/v4" };

/** What the frameworks' own routers call: throws, which is a 500, unless the validator matched the same operation. */
function handle(operation: Operation, request: object): { readonly operation: string } {
  inputOf(operation, request);
  return { operation: operation.definition.name };
}

const routes = [
  ["get", "/v4/pets", listPets],
  ["post", "/v4/pets", createPet],
  ["get", "/v4/pets/:petId", getPet],
  ["delete", "/v4/pets/:petId", deletePet],
  ["get", "/v4/tags/:label", getTag],
] as const;

/** Routers at their most lenient, the default of Express and Hono. */
const apps: Readonly<Record<string, () => Promise<AdapterServer>>> = {
  express: async () => {
    const app = express();
    app.use(expressValidator(pets, options));
    for (const [method, path, operation] of routes) {
      app[method](path, (request, response) => void response.json(handle(operation, request)));
    }
    app.get("/v4/images/*id", (request, response) => void response.json(handle(getImage, request)));
    return listen(app);
  },
  fastify: async () => {
    const app = fastify({
      useSemicolonDelimiter: true,
      routerOptions: {
        ignoreTrailingSlash: true,
        ignoreDuplicateSlashes: true,
        caseSensitive: false,
      },
    });
    await app.register(fastifyValidator(pets, options));
    for (const [method, path, operation] of routes) {
      app[method](path, (request, response) => response.send(handle(operation, request)));
    }
    app.get("/v4/images/*", (request, response) => response.send(handle(getImage, request)));
    return listenFastify(app);
  },
  hono: async () => {
    const app = new Hono({ strict: false });
    app.use(honoValidator(pets, options));
    for (const [method, path, operation] of routes) {
      app[method](path, (context) => context.json(handle(operation, context)));
    }
    app.get("/v4/images/*", (context) => context.json(handle(getImage, context)));
    app.onError((error) => new Response(error.message, { status: 500 }));
    const listener = getRequestListener(app.fetch);
    return listen((request, response) => void listener(request, response));
  },
};

describe.each(Object.entries(apps))("the router of %s", (_, start) => {
  it("never calls a handler that the validator did not match", async () => {
    const { port, close } = await start();
    onTestFinished(close);
    const piece = fc.constantFrom(
      ..."/ // /./ /../ v4 V4 %764 pets Pets %70ets 5 x images %2f %2F %252f %2e%2e ; ;x=1 \\ %5c %00 %25 . .. ?page=1".split(
        " ",
      ),
    );
    const target = fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join("")}`);
    const nearly = fc.tuple(
      fc.constantFrom("/v4/pets", "/v4/pets/5", "/v4/images/a", "/v4/tags/a", "/V4/pets/5", "//v4/pets/5"),
      target,
    );
    const method = fc.constantFrom("GET", "HEAD", "POST", "DELETE");
    const any = fc.oneof(
      target,
      nearly.map((both) => both.join("")),
      nearly.map(([before]) => before),
    );
    await fc.assert(
      fc.asyncProperty(method, any, async (name, path) => {
        const response = await sendRaw(port, [`${name} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`]);
        expect(response.status).toBeLessThan(500);
        expect([200, 400, 404, 405]).toContain(response.status);
      }),
      propertyRuns(80, 1000),
    );
  });

  it("calls the handler of a documented operation", async () => {
    const { port, close } = await start();
    onTestFinished(close);
    const targets = ["/v4/pets", "/v4/pets/5", "/v4/images/private/5", "/v4/images/private%2F5", "/v4/tags/a%2Fb"];
    const send = (each: string) => sendRaw(port, [`GET ${each} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`]);
    const bodies = await Promise.all(targets.map(async (each) => (await send(each)).body));
    expect(bodies).toEqual(
      ["listPets", "getPet", "getImage", "getImage", "getTag"].map((operation) => JSON.stringify({ operation })),
    );
  });
});
