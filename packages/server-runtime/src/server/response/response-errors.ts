import type { ErrorEntry } from "../errors/errors.js";
import type { HttpResponse } from "../http/http-response.js";

const errorsByResponse = new WeakMap<HttpResponse, readonly ErrorEntry[]>();

/** What an error response is about, also where its documented body has no place for it. Undefined for any other response. */
export function errorsOfResponse(response: HttpResponse): readonly ErrorEntry[] | undefined {
  return errorsByResponse.get(response);
}

/** Remembers what an error response is about. */
export function withErrors(response: HttpResponse, errors: readonly ErrorEntry[]): HttpResponse {
  errorsByResponse.set(response, errors);
  return response;
}
