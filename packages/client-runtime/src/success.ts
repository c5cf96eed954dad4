import type { ApiPromise } from "./api-promise.js";

/**
 * Waits for a call, and returns the status and the headers of its response beside the data. Throws what the call throws.
 *
 * @param pending what the function of an operation returned; not a promise derived from it
 *
 * @example
 * const { data, status, headers } = await withResponse(listInstances(client));
 * console.log(status, headers.get("ETag"), data.results);
 */
export function withResponse<T, E, S>(pending: ApiPromise<T, E, S>): ApiPromise<S, E, S>;
export async function withResponse(pending: ApiPromise<unknown, unknown>): Promise<unknown> {
  const data = await pending;
  const { response } = pending;
  if (response === undefined) throw new TypeError("withResponse needs the promise that a call returned");
  return { status: response.status, headers: response.headers, data };
}
