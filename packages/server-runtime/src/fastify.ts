import { answers } from "./node.js";
import type { NodeIncoming, NodeResponse } from "./node-pair.js";
import { NodeReceived } from "./node-received.js";
import type { Server } from "./server.js";

/** As much of Fastify's request as is looked at. */
export interface FastifyRequest {
  readonly raw: NodeIncoming;
  readonly originalUrl: string;
}

/** A plugin for `app.register`. Its hook is that of the context that it is registered in. */
export type FastifyPlugin = (instance: object) => Promise<void>;

/**
 * Answers the requests of a Fastify app that are for the API, whether or not the app has routes for them; others go on to
 * the app's own. Headers that earlier hooks have set are sent too; later hooks that look at replies see none of the API's.
 *
 * @example
 * await app.register(fastifyPlugin(server));
 */
export function fastifyPlugin(server: Server): FastifyPlugin {
  const plugin: FastifyPlugin = async (given) => {
    (given as Instance).addHook("onRequest", (request, reply, next) => {
      const received = new NodeReceived(request.raw, reply.raw, request.originalUrl);
      if (!answers({ server, received })) return next();
      carryHeaders(reply);
      reply.hijack();
    });
  };
  return Object.assign(plugin, {
    [Symbol.for("skip-override")]: true,
    [Symbol.for("fastify.display-name")]: "@plumbline/server-runtime",
  });
}

/** As much of Fastify's instance as is called. */
interface Instance {
  addHook(name: "onRequest", hook: (request: FastifyRequest, reply: Reply, next: () => void) => void): unknown;
}

interface Reply {
  readonly raw: NodeResponse & { setHeader(name: string, value: HeaderValue): unknown };
  getHeaders(): Readonly<Record<string, HeaderValue | undefined>>;
  hijack(): unknown;
}

type HeaderValue = number | string | readonly string[];

/** Fastify keeps what hooks say in a place of its own, such as who may ask from elsewhere. */
function carryHeaders(reply: Reply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined && !reply.raw.headersSent) reply.raw.setHeader(name, value);
  }
}
