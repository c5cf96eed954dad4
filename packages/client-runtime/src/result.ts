import type { ApiPromise } from "./api-promise.js";
import { isApiError, type ApiError, type UndocumentedStatus } from "./errors.js";

/** The result of a call: narrow by `ok`, then by `error.status`. */
export type Result<T, E> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly error: CallError<E> };

/** The errors of a call: documented ones, those without a response, and undocumented statuses. */
export type CallError<E> =
  | E
  | ApiError<0, undefined>
  | UndocumentedError<E extends ApiError<infer Status> ? Status : never>;

/** Never, if the description has a `default`. Checks 100 and 599 only, which spares compilers the other statuses. */
type UndocumentedError<Documented extends number> = 100 | 599 extends Documented
  ? never
  : ApiError<UndocumentedStatus<Documented>>;

/**
 * Waits for a call, and returns its `ApiError` instead of throwing it. Throws anything else.
 *
 * @example
 * const result = await toResult(getInstance(client, { path: { computeId: 5 } }));
 * if (result.ok) console.log(result.data.label);
 * else if (result.error.status === 404) console.log("gone");
 * else throw result.error;
 */
export async function toResult<T, E = never>(pending: ApiPromise<T, E, unknown>): Promise<Result<T, E>> {
  try {
    return { ok: true, data: await pending };
  } catch (error) {
    if (isApiError(error)) return { ok: false, error: error as CallError<E> };
    throw error;
  }
}
