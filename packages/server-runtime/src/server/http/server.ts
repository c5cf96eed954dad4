import type { RequestHead } from "../../http/index.js";
import type { HttpRequest } from "./http-request.js";
import type { HttpResponse } from "./http-response.js";

/** A status for input that Node does not pass on as a request. */
export type RejectedStatus = 400 | 405 | 408 | 413 | 417 | 431;

/** A server for one API. Adapters pass requests to it. */
export interface Server {
  /** Milliseconds after a response in which the client may send the rest of a body. Default: that of the adapter. */
  readonly unreadTimeoutMs?: number | undefined;
  /** Handles a request. Undefined if its path is not below the base paths. The promise never rejects. */
  handle(received: HttpRequest): Promise<HttpResponse> | undefined;
  /** The name of the operation that has the path and the method of a request. Undefined if there is none. */
  operationOf?(request: RequestHead): string | undefined;
  /** The 404 for a request outside the base paths, if no other handler exists. */
  notFound(received: HttpRequest): HttpResponse;
  /** The response to what is not a request of the API: invalid HTTP, a large or late head, an unknown expectation, CONNECT. Closes the connection. */
  rejection?(status: RejectedStatus, reason?: string): HttpResponse;
  /** The response to an error of the adapter or of a stream. Logs the error; the response has no details. */
  internalError(error: unknown, received: HttpRequest): HttpResponse;
}
