import { answers, type Next } from "./node.js";
import type { NodeIncoming, NodeResponse } from "./node-pair.js";
import { NodeReceived } from "./node-received.js";
import type { Server } from "./server.js";

/** As much of Express's request as is looked at. */
export interface ExpressRequest extends NodeIncoming {
  readonly originalUrl: string;
}

export type ExpressMiddleware = (request: ExpressRequest, response: NodeResponse, next: Next) => void;

/**
 * Answers the requests of an Express app that are for the API; others go on to the app's own handlers. Stands before
 * whatever parses bodies: a body that was read is an error. Paths begin where the app does, wherever it is mounted.
 *
 * @example
 * app.use(expressMiddleware(server));
 */
export function expressMiddleware(server: Server): ExpressMiddleware {
  return (request, response, next) => {
    const received = new NodeReceived(request, response, request.originalUrl);
    if (!answers({ server, received }, next)) next();
  };
}
