/** The kinds of servers for which there is a file to start from. */
export type AdapterName = "node" | "express" | "fastify" | "hono" | "fetch";

export interface ServerFileRequest {
  readonly adapter: AdapterName;
  /** The package of the generated server. */
  readonly server: string;
  /** The relative module with the handlers. */
  readonly handlers: string;
}

/** Prints a file that serves the handlers. It belongs to the user: later runs do not change it. */
export function serverFileText({ adapter, server, handlers }: ServerFileRequest): string {
  const { imports, body } = adapters[adapter];
  return `${imports(JSON.stringify(`${server}/${adapter}`))}import { createServer, type ServerOptions } from ${JSON.stringify(server)};
import { handlers } from ${JSON.stringify(handlers)};

${body}`;
}

const about = `/**
 * Serves the handlers.
 *
 * @param options - What the description requires: how callers are authenticated, and how objects are loaded.
 */
`;

const adapters = {
  node: {
    imports: (module) => `import http from "node:http";
import { nodeListener, protectServer } from ${module};
`,
    body: `${about}export function startServer(options: ServerOptions, port = 8080): http.Server {
  const server = createServer(handlers, options);
  return protectServer(http.createServer(nodeListener(server)), server).listen(port);
}
`,
  },
  express: {
    imports: (module) => `import express from "express";
import { expressMiddleware } from ${module};
`,
    body: `${about}export function createApp(options: ServerOptions): express.Express {
  return express().use(expressMiddleware(createServer(handlers, options)));
}
`,
  },
  fastify: {
    imports: (module) => `import fastify, { type FastifyInstance } from "fastify";
import { fastifyPlugin } from ${module};
`,
    body: `${about}export async function createApp(options: ServerOptions): Promise<FastifyInstance> {
  const app = fastify();
  await app.register(fastifyPlugin(createServer(handlers, options)));
  return app;
}
`,
  },
  hono: {
    imports: (module) => `import { Hono } from "hono";
import { honoMiddleware } from ${module};
`,
    body: `${about}export function createApp(options: ServerOptions): Hono {
  return new Hono().use(honoMiddleware(createServer(handlers, options)));
}
`,
  },
  fetch: {
    imports: (module) => `import { fetchHandler } from ${module};
`,
    body: `${about}export function createFetch(options: ServerOptions): (request: Request) => Promise<Response> {
  return fetchHandler(createServer(handlers, options));
}
`,
  },
} satisfies Record<AdapterName, { readonly imports: (module: string) => string; readonly body: string }>;
