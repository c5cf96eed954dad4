import type { Server } from "../../http/server.js";
import { handleNodeRequest, type Next } from "../node/index.js";
import type { NodeIncoming, NodeServerResponse } from "../node/node-exchange.js";
import { NodeServerRequest } from "../node/node-request.js";

/** The part of an Express request that the adapter uses. */
export interface ExpressServerRequest extends NodeIncoming {
  readonly originalUrl: string;
}

export type ExpressMiddleware = (request: ExpressServerRequest, response: NodeServerResponse, next: Next) => void;

/**
 * Creates Express middleware. It responds to requests below the base paths and passes others to the app's own handlers.
 * Register it before body parsers: a body that was read already is an error. Base paths start at the app's root, wherever you mount it.
 *
 * @example
 * app.use(expressMiddleware(server));
 */
export function expressMiddleware(server: Server): ExpressMiddleware {
  return (request, response, next) => {
    const received = new NodeServerRequest(request, response, request.originalUrl);
    if (!handleNodeRequest({ server, received }, next)) next();
  };
}
