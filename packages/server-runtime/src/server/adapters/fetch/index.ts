import type { Server } from "../../http/server.js";
import { addressIn } from "./bindings.js";
import { WebServerRequest } from "./web-request.js";
import { notFoundResponse, handleWebRequest } from "./web-response.js";

/** The client of a request. */
export interface FetchClient {
  readonly address?: string | undefined;
}

/** Handles one request. Runtimes may pass an object of their own as second argument; only its `address` is used. */
export type FetchHandler = (request: Request, client?: FetchClient | object) => Promise<Response>;

/**
 * Creates a handler of web requests for Deno, Bun, workers, or anything else that calls `fetch`.
 * It responds with 404 to requests outside the base paths. `client` adds the address; `@hono/node-server` passes it by itself.
 *
 * @example
 * const handle = fetchHandler(server);
 * Deno.serve((request, { remoteAddr }) => handle(request, { address: remoteAddr.hostname }));
 */
export function fetchHandler(server: Server): FetchHandler {
  return async (request, client) => {
    const exchanged = { server, received: new WebServerRequest(request, () => addressOf(client), client) };
    return handleWebRequest(exchanged) ?? notFoundResponse(exchanged);
  };
}

function addressOf(client: FetchClient | object | undefined): string | undefined {
  const { address } = (client ?? {}) as { readonly address?: unknown };
  return typeof address === "string" ? address : addressIn(client);
}
