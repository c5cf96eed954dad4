import type { Answer } from "./answer.js";
import type { Received } from "./received.js";
import type { Server } from "./server.js";

/** What is told of a failure; that something failed, where not even that can be said otherwise. */
export function failure(
  error: unknown,
  { server, received }: { readonly server: Server; readonly received: Received },
): Answer {
  try {
    return server.failed(error, received);
  } catch {
    return lastResort;
  }
}

export const lastResort: Answer = { status: 500, headers: {} };
