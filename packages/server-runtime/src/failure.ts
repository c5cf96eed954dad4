import type { Answer } from "./answer.js";
import type { Received } from "./received.js";
import type { Server } from "./server.js";

/** The response to an internal error. A bare 500 if even that cannot be built. */
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
