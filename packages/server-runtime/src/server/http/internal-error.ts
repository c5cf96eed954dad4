import type { HttpRequest } from "./http-request.js";
import type { HttpResponse } from "./http-response.js";
import type { Server } from "./server.js";

/** The response to an internal error. A bare 500 if even that cannot be built. */
export function internalErrorResponse(
  error: unknown,
  { server, received }: { readonly server: Server; readonly received: HttpRequest },
): HttpResponse {
  try {
    return server.internalError(error, received);
  } catch {
    return bareErrorResponse;
  }
}

export const bareErrorResponse: HttpResponse = { status: 500, headers: {} };
