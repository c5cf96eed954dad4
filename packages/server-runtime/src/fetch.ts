import type { Server } from "./server.js";
import { nowhere, respond } from "./web-answer.js";
import { WebReceived } from "./web-received.js";

/** What whoever carries requests knows of them beside what they say. */
export interface RequestInfo {
  /** The address of the client. */
  readonly address?: string | undefined;
}

export type FetchHandler = (request: Request, info?: RequestInfo) => Promise<Response>;

/**
 * Answers requests as the web has them: in Deno, Bun, workers, or anything else that calls `fetch`. What is not for the API
 * is told so.
 *
 * @example
 * Deno.serve((request, { remoteAddr }) => handle(request, { address: remoteAddr.hostname }));
 */
export function fetchHandler(server: Server): FetchHandler {
  return async (request, info) => {
    const exchanged = { server, received: new WebReceived(request, () => addressIn(info)) };
    return respond(exchanged) ?? nowhere(exchanged);
  };
}

/** Hosts hand on things of their own beside the request. */
function addressIn(info: RequestInfo | undefined): string | undefined {
  const address: unknown = info?.address;
  return typeof address === "string" ? address : undefined;
}
