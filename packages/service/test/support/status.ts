import { isApiError } from "@cloud-compute/client";

/** The status of a response: 200 for every success, 0 without a response. */
export async function statusOf(call: PromiseLike<unknown>): Promise<number> {
  return call.then(
    () => 200,
    (error: unknown) => {
      if (!isApiError(error)) throw error;
      return error.status ?? 0;
    },
  );
}
