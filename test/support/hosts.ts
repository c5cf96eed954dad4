import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { Operation } from "@cloud-compute/validator";
import { validator as expressValidator } from "@cloud-compute/validator/express";
import { validator as fastifyValidator } from "@cloud-compute/validator/fastify";
import { validator as fetchValidator } from "@cloud-compute/validator/fetch";
import { validator as honoValidator } from "@cloud-compute/validator/hono";
import { inputOf, validator as nodeValidator } from "@cloud-compute/validator/node";
import * as described from "@cloud-compute/validator/operations";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";

export interface Host {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** The response of a handler: its operation, and its input. */
export interface Echo {
  readonly operation?: string;
  readonly input?: unknown;
}

export type HostName = keyof typeof hosts;

/** Every operation of the validator, by its name. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  Object.values(described).flatMap((each: unknown) =>
    isOperation(each) ? [[each.definition.name, each] as const] : [],
  ),
);

const options = { basePath: ["/v4", "/v4beta"] };

/** The five kinds of servers, each with the validator and a handler for everything. */
export const hosts = {
  node: () => {
    const validate = nodeValidator(options);
    return listen((request, response) =>
      validate(request, response, (error) => {
        const text = JSON.stringify(error === undefined ? echo(request) : { error: (error as Error).message });
        response.writeHead(error === undefined ? 200 : 500, { "content-type": "application/json" }).end(text);
      }),
    );
  },
  express: () => {
    const app = express();
    app.use(expressValidator(options));
    app.use((request, response) => void response.json(echo(request)));
    return listen(app);
  },
  fastify: async () => {
    const app = fastify();
    await app.register(fastifyValidator(options));
    app.all("/*", (request, response) => response.send(echo(request)));
    await app.listen({ port: 0, host: "127.0.0.1" });
    return {
      port: (app.server.address() as AddressInfo).port,
      close: async () => {
        app.server.closeAllConnections();
        await app.close();
      },
    };
  },
  hono: () => {
    const app = new Hono();
    app.use(honoValidator(options));
    app.all("*", (context) => context.json(echo(context)));
    app.onError((error) => Response.json({ error: error.message }, { status: 500 }));
    const listener = getRequestListener(app.fetch);
    return listen((request, response) => void listener(request, response));
  },
  fetch: () => {
    const handle = fetchValidator(options)((request) => Response.json(echo(request)));
    return listen(bridge(handle));
  },
} satisfies Readonly<Record<string, () => Promise<Host>>>;

function echo(request: object): Echo {
  const { stackTraceLimit } = Error;
  // All operations but one throw. A stack costs more than everything else here.
  Error.stackTraceLimit = 0;
  try {
    for (const [name, operation] of operations) {
      try {
        return { operation: name, input: inputOf(operation, request) };
      } catch {
        // Validated as another one.
      }
    }
    return {};
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Listens on a free port of this machine. */
export async function listen(listener: RequestListener): Promise<Host> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A fetch-style handler behind Node's server. */
function bridge(handle: (request: Request) => Promise<Response>): RequestListener {
  const answer = async (incoming: IncomingMessage): Promise<Response> => {
    const request = fetchRequestOf(incoming);
    return request === undefined ? new Response(null, { status: 400 }) : handle(request);
  };
  return (incoming, response) => {
    answer(incoming)
      .then(async (reply) => {
        response.writeHead(reply.status, Object.fromEntries(reply.headers));
        response.end(new Uint8Array(await reply.arrayBuffer()));
      })
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  };
}

/** Undefined for what the platform cannot represent as a Request, such as a target that is not a URL. */
function fetchRequestOf(incoming: IncomingMessage): Request | undefined {
  const { method = "GET", url = "/", rawHeaders } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
  try {
    const headers = new Headers();
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
    }
    const init: RequestInit & { duplex: "half" } = { method, headers, body, duplex: "half" };
    return new Request(url.startsWith("/") ? `http://localhost${url}` : url, init);
  } catch {
    return undefined;
  }
}

function isOperation(value: unknown): value is Operation {
  return typeof value === "function" && "definition" in value;
}
