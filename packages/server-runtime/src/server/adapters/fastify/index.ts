import type { Server } from "../../http/server.js";
import { handleNodeRequest } from "../node/index.js";
import type { NodeIncoming, NodeServerResponse } from "../node/node-exchange.js";
import { NodeServerRequest } from "../node/node-request.js";

/** The part of a Fastify request that the adapter uses. */
export interface FastifyServerRequest {
  readonly raw: NodeIncoming;
  readonly originalUrl: string;
}

/** A plugin for `app.register`. Its hook belongs to the context that registers it. */
export type FastifyPlugin = (instance: object) => Promise<void>;

/**
 * Creates a Fastify plugin. It responds to requests below the base paths, with or without routes for them, and passes others to the app.
 * Responses have the headers that earlier hooks have set. Later hooks do not see the API's responses.
 *
 * @example
 * await app.register(fastifyPlugin(server));
 */
export function fastifyPlugin(server: Server): FastifyPlugin {
  const plugin: FastifyPlugin = async (instance) => {
    (instance as FastifyInstance).addHook("onRequest", (request, response, next) => {
      const received = new NodeServerRequest(request.raw, response.raw, request.originalUrl);
      if (!handleNodeRequest({ server, received })) return next();
      carryHeaders(response);
      response.hijack();
    });
  };
  return Object.assign(plugin, {
    [Symbol.for("skip-override")]: true,
    [Symbol.for("fastify.display-name")]: "@plumbline/server-runtime",
  });
}

/** The part of a Fastify instance that the adapter calls. */
interface FastifyInstance {
  addHook(
    name: "onRequest",
    hook: (request: FastifyServerRequest, response: FastifyReply, next: () => void) => void,
  ): unknown;
}

interface FastifyReply {
  readonly raw: NodeServerResponse & { setHeader(name: string, value: HeaderValue): unknown };
  getHeaders(): Readonly<Record<string, HeaderValue | undefined>>;
  hijack(): unknown;
}

type HeaderValue = number | string | readonly string[];

/** Fastify stores headers of hooks, such as those of CORS, apart from Node's response. */
function carryHeaders(response: FastifyReply): void {
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (value !== undefined && !response.raw.headersSent) response.raw.setHeader(name, value);
  }
}
