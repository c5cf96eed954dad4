import { addressIn } from "./bindings.js";
import type { Server } from "./server.js";
import { nowhere, respond } from "./web-answer.js";
import { WebReceived } from "./web-received.js";

/** Whose request it is. */
export interface Client {
  readonly address?: string | undefined;
}

/** Hosts may hand on something of their own beside the request, which is looked at no further. */
export type FetchHandler = (request: Request, client?: Client | object) => Promise<Response>;

/**
 * Answers requests as the web has them: in Deno, Bun, workers, or anything else that calls `fetch`. What is not for the API
 * is told so. `client` says what the request does not; behind `@hono/node-server`, the address is known without it.
 *
 * @example
 * Deno.serve((request, { remoteAddr }) => handle(request, { address: remoteAddr.hostname }));
 */
export function fetchHandler(server: Server): FetchHandler {
  return async (request, client) => {
    const exchanged = { server, received: new WebReceived(request, () => addressOf(client), client) };
    return respond(exchanged) ?? nowhere(exchanged);
  };
}

function addressOf(client: Client | object | undefined): string | undefined {
  const { address } = (client ?? {}) as { readonly address?: unknown };
  return typeof address === "string" ? address : addressIn(client);
}
