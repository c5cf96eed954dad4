import { isApiError } from "@cloud-compute/client";

/** The status that a call of the API is answered with: 200 for every success, 0 where nothing answers. */
export async function statusOf(call: PromiseLike<unknown>): Promise<number> {
  return call.then(
    () => 200,
    (error: unknown) => {
      if (!isApiError(error)) throw error;
      return error.status ?? 0;
    },
  );
}
