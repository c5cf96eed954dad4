import { rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import fastifyMultipart from "@fastify/multipart";
import { getRequestListener } from "@hono/node-server";
import validatorGenerator from "@plumbline/generators/validator";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import type { AjvValidator } from "@plumbline/server-runtime/validator/ajv";
import express, { type RequestHandler } from "express";
import fastify from "fastify";
import { Hono } from "hono";
import multer from "multer";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createUserAjv } from "../support/ajv.js";
import { placeScripts, portOf, type ValidatorAdapters } from "../support/generated-validator.js";
import { listen } from "../support/hosts.js";
import { unremovedFolder } from "../support/places.js";

const description = `openapi: 3.1.0
info: {title: Photos, version: 1.0.0}
servers: [{url: https://photos.example}]
paths:
  /photos:
    post:
      operationId: addPhoto
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              properties:
                photo: {$ref: '#/components/schemas/Photo'}
                pages: {type: array, items: {type: string, contentMediaType: image/png, maxLength: 8}}
          application/octet-stream: {schema: {$ref: '#/components/schemas/Photo'}}
      responses: {'204': {description: ok}}
components:
  schemas:
    Photo: {type: string, format: binary, minLength: 2, maxLength: 8}
`;

interface Generated extends ValidatorAdapters {
  readonly ajv: AjvValidator;
}

let folder: string;
let generated: Generated;
beforeAll(async () => {
  const files = await testGenerator(validatorGenerator, { description, config: { ajv: true } });
  folder = await unremovedFolder();
  const { load, adapters } = await placeScripts(folder, files);
  const { ajvValidator } = await load("gen/ajv");
  generated = { ...adapters, ajv: (ajvValidator as (ajv: object) => AjvValidator)(createUserAjv()) };
});
afterAll(() => rm(folder, { recursive: true }));

type Start = () => Promise<number>;

const done = (): Response => new Response(null, { status: 204 });

/** Each kind of server, and two on Ajv. */
const servers: Readonly<Record<string, Start>> = {
  node: () => {
    const validate = generated.node();
    return portOf(listen((request, response) => validate(request, response, () => response.writeHead(204).end())));
  },
  express: () => startExpress([generated.express()]),
  fastify: async () => startFastify(async (app) => void (await app.register(generated.fastify()))),
  hono: () => startHono(async (_, next) => next()),
  fetch: () => startFetch(generated.fetch()(done)),
  "Ajv, express": () => startExpress([generated.ajv.express()]),
  "Ajv, fetch": () => startFetch(generated.ajv.fetch()(done)),
};

/** Servers whose forms another program has read. */
const readForms: Readonly<Record<string, Start>> = {
  multer: () => startExpress([multer().any(), generated.express({ acceptParsedBody: true })]),
  "multer, with Ajv": () => startExpress([multer().any(), generated.ajv.express({ acceptParsedBody: true })]),
  "@fastify/multipart": () =>
    startFastify(async (app) => {
      await app.register(fastifyMultipart, { attachFieldsToBody: "keyValues" });
      await app.register(generated.fastify({ acceptParsedBody: true }));
    }),
  "parseBody of Hono": () =>
    startHono(async (context, next) => {
      await context.req.parseBody();
      await next();
    }),
};

describe.each(Object.entries({ ...servers, ...readForms }))("a file in a form: %s", (_, start) => {
  it("has the number of bytes that the description says", async () => {
    const port = await start();
    const send = async (field: string, ...texts: readonly string[]): Promise<object> => {
      const form = new FormData();
      for (const text of texts) form.append(field, new Blob([text], { type: "image/png" }), "a.png");
      return summaryOf(port, { method: "POST", body: form });
    };
    const rejected = (field: string, reason: string) => ({ status: 400, body: { errors: [{ field, reason }] } });
    // Each of these characters has two bytes.
    expect(await send("photo", "éééé")).toEqual({ status: 204 });
    expect(await send("photo", "ééééx")).toEqual(rejected("photo", "must be 2 to 8 bytes"));
    expect(await send("photo", "é")).toEqual({ status: 204 });
    expect(await send("photo", "x")).toEqual(rejected("photo", "must be 2 to 8 bytes"));
    expect(await send("pages", "x", "éééé")).toEqual({ status: 204 });
    expect(await send("pages", "x", "ééééx")).toEqual(rejected("pages.1", "must be at most 8 bytes"));
  });
});

it.each(Object.entries(servers))(
  "a body of bytes has at most as many as the description says: %s",
  async (_, start) => {
    const port = await start();
    const send = (body: string): Promise<object> =>
      summaryOf(port, { method: "POST", body, headers: { "content-type": "application/octet-stream" } });
    expect(await send("éééé")).toEqual({ status: 204 });
    const errors = [{ reason: "Body must be at most 8 bytes" }];
    expect(await send("ééééx")).toEqual({ status: 413, body: { errors } });
  },
);

async function summaryOf(port: number, init: RequestInit): Promise<object> {
  const response = await fetch(`http://127.0.0.1:${port}/photos`, init);
  const text = await response.text();
  return { status: response.status, ...(text !== "" && { body: JSON.parse(text) as unknown }) };
}

function startExpress(handlers: readonly RequestHandler[]): Promise<number> {
  const app = express();
  app.use(...handlers);
  app.post("/photos", (__, response) => void response.status(204).end());
  return portOf(listen(app));
}

async function startFastify(register: (app: ReturnType<typeof fastify>) => Promise<void>): Promise<number> {
  const app = fastify();
  onTestFinished(() => app.close());
  await register(app);
  app.post("/photos", (__, reply) => reply.code(204).send());
  await app.listen({ port: 0, host: "127.0.0.1" });
  return (app.server.address() as AddressInfo).port;
}

function startHono(before: Parameters<Hono["use"]>[1]): Promise<number> {
  const app = new Hono();
  app.use(before, generated.hono());
  app.post("/photos", done);
  return startFetch(app.fetch);
}

function startFetch(handle: (request: Request) => Response | Promise<Response>): Promise<number> {
  const listener = getRequestListener(handle);
  return portOf(listen((request, response) => void listener(request, response)));
}
