import type { Pending } from "./call.js";
import { isApiError, type ApiError, type OtherStatus } from "./errors.js";

/** How a call ended: narrow by `ok`, then by `error.status`. */
export type Result<T, E> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly error: Failure<E> };

/**
 * A documented failure, none of whose statuses can be taken for granted: there may be no reply, or one that nobody
 * documented.
 */
export type Failure<E> = E | ApiError<0, undefined> | Undocumented<E extends ApiError<infer Status> ? Status : never>;

/** None where the description has a `default`; asked of 100 and 599, which spares compilers to count what is left. */
type Undocumented<Documented extends number> = 100 | 599 extends Documented ? never : ApiError<OtherStatus<Documented>>;

/**
 * Waits for a call and returns its failure instead of throwing it; anything but an `ApiError` is still thrown.
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
