import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import express, { type NextFunction, type Request as ExpressRequest, type Response as ExpressResponse } from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { listen, listenFastify, type AdapterServer } from "../../listen.support.js";
import type { AjvValidator } from "../ajv/index.js";
import { pets } from "../pets.support.js";
import { expressValidator } from "./express/index.js";
import { fastifyValidator } from "./fastify/index.js";
import { fetchValidator } from "./fetch/index.js";
import { honoValidator } from "./hono/index.js";
import type { HostOptions } from "./host-validator.js";
import { nodeValidator } from "./node/index.js";
import { inputOf } from "./validated-input.js";

/** The response of every handler: the operation, its input, and the body as the framework has it. */
export interface Echo {
  readonly operation?: string;
  readonly input?: unknown;
  readonly body?: unknown;
}

export type AdapterName = "node" | "express" | "fastify" | "hono" | "fetch";

/** Options that all five adapters accept. */
export type AdapterTestOptions = HostOptions<object>;

type Start = (options: AdapterTestOptions) => Promise<AdapterServer>;

/** What validates: compiled checks, or Ajv. */
export interface Engine extends Omit<AjvValidator, "compile"> {
  readonly inputOf: typeof inputOf;
}

const compiledEngine: Engine = {
  node: (options) => nodeValidator(pets, options),
  express: (options) => expressValidator(pets, options),
  fastify: (options) => fastifyValidator(pets, options),
  hono: (options) => honoValidator(pets, options),
  fetch: (options) => fetchValidator(pets, options),
  inputOf,
};

/** The five adapters, each with a compiled validator and one handler for everything. */
export const adapters: Readonly<Record<AdapterName, Start>> = adaptersOn(compiledEngine);

/** The five adapters on an engine. */
export function adaptersOn(engine: Engine): Readonly<Record<AdapterName, Start>> {
  const echoOf = (request: object, body: unknown): Echo => echo(request, body, engine.inputOf);
  return {
    node: async (options) => {
      const validate = engine.node(options);
      return listen((request, response) =>
        validate(request, response, (error) => {
          if (error === undefined) send(response, echoOf(request, (request as { body?: unknown }).body));
          else response.writeHead(500).end((error as Error).message);
        }),
      );
    },
    express: async (options) => {
      const app = express();
      app.use(engine.express(options));
      app.use((request: ExpressRequest, response: ExpressResponse) => {
        response.json(echoOf(request, request.body));
      });
      app.use((error: Error, _: ExpressRequest, response: ExpressResponse, __: NextFunction) => {
        response.status(500).send(error.message);
      });
      return listen(app);
    },
    fastify: async (options) => {
      const app = fastify();
      await app.register(engine.fastify(options));
      app.all("/*", (request, response) => response.send(echoOf(request, request.body)));
      return listenFastify(app);
    },
    hono: async (options) => {
      const app = new Hono();
      app.use(engine.hono(options));
      app.all("*", async (context) =>
        context.json(await echoRead(echoOf(context, undefined), () => context.req.text())),
      );
      app.onError((error) => new Response(error.message, { status: 500 }));
      const listener = getRequestListener(app.fetch);
      return listen((request, response) => void listener(request, response));
    },
    fetch: async (options) => {
      const handle = engine.fetch(options)(async (request) =>
        Response.json(await echoRead(echoOf(request, undefined), () => request.text())),
      );
      return listen(bridge(handle));
    },
  };
}

export function echo(request: object, body: unknown, read: typeof inputOf = inputOf): Echo {
  for (const each of pets) {
    try {
      return { operation: each.definition.name, input: read(each, request), body };
    } catch {
      // Validated as another operation.
    }
  }
  return {};
}

/** If the handler reads the body itself, reads it only if there was one to validate. */
async function echoRead({ operation, input, body }: Echo, read: () => Promise<string>): Promise<Echo> {
  if ((input as { body?: unknown } | undefined)?.body === undefined) return { operation, input, body } as Echo;
  const text = await read();
  return { operation, input, body: text.startsWith("{") ? (JSON.parse(text) as unknown) : text } as Echo;
}

function send(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** A fetch-style handler on a Node server. */
function bridge(handle: (request: Request) => Promise<Response>): RequestListener {
  return (incoming, response) => {
    const answer = async (): Promise<void> => {
      const result = await handle(requestOf(incoming));
      response.writeHead(result.status, Object.fromEntries(result.headers));
      response.end(Buffer.from(await result.arrayBuffer()));
    };
    answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
  };
}

function requestOf(incoming: IncomingMessage): Request {
  const { method = "GET", url = "/", rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
  const init: RequestInit & { duplex: "half" } = { method, headers, body, duplex: "half" };
  return new Request(url.startsWith("/") ? `http://localhost${url}` : url, init);
}
