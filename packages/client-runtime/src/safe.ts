import type { Pending } from "./call.js";
import { isApiError, type ApiError, type OtherStatus } from "./errors.js";

/** The result of a call: narrow by `ok`, then by `error.status`. */
export type Result<T, E> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly error: Failure<E> };

/** The errors of a call: documented ones, those without a response, and undocumented statuses. */
export type Failure<E> = E | ApiError<0, undefined> | Undocumented<E extends ApiError<infer Status> ? Status : never>;

/** Never, if the description has a `default`. Checks 100 and 599 only, which spares compilers the other statuses. */
type Undocumented<Documented extends number> = 100 | 599 extends Documented ? never : ApiError<OtherStatus<Documented>>;

/**
 * Waits for a call, and returns its `ApiError` instead of throwing it. Throws anything else.
 *
 * @example
 * const result = await safe(getInstance(client, { path: { computeId: 5 } }));
 * if (result.ok) console.log(result.data.label);
 * else if (result.error.status === 404) console.log("gone");
 * else throw result.error;
 */
export async function safe<T, E = never>(pending: Pending<T, E>): Promise<Result<T, E>> {
  try {
    return { ok: true, data: await pending };
  } catch (error) {
    if (isApiError(error)) return { ok: false, error: error as Failure<E> };
    throw error;
  }
}
