import type { CallOptions, Client } from "./client.js";
import { ApiError } from "./errors.js";
import { exchange, type Run } from "./exchange.js";
import type { Arguments, Operation } from "./operation.js";

/** A promise of `T` that remembers, in its type alone, how it fails; see `safe`. */
export interface Pending<T, E> extends Promise<T> {
  readonly [failure]?: E;
}
declare const failure: unique symbol;

/**
 * Calls an operation; fails with an `ApiError`, or with what one of the functions among the options throws.
 *
 * @example
 * export function getInstance(client: Client, request: GetInstanceRequest, options?: CallOptions): Pending<Instance,
 * GetInstanceFailure> {   return call(client, { method: "GET", path: "/compute/instances/{computeId}" }, request,
 * options); }
 */
export function call<T, E = ApiError>(
  client: Client,
  operation: Operation,
  request: Arguments = {},
  options: CallOptions = {},
): Pending<T, E> {
  const defaults = client.options();
  const timeout = options.timeout ?? defaults.timeout ?? 0;
  const signal = options.signal ?? defaults.signal;
  // A longer delay than 2^31 - 1 ms would end at once.
  const timed = timeout > 0 && timeout < 2 ** 31;
  // Only where something may abort: a controller costs as much as the rest of a call.
  const controller = timed || signal ? new AbortController() : undefined;

  return new Promise<T>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let held = false;
    const run: Run = {
      url: operation.path,
      signal: controller?.signal,
      fail: (code, text, facts) => new ApiError({ code, method: operation.method, url: run.url, text, ...facts }),
      hold() {
        held = true;
        return release;
      },
    };
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    // Rejects by itself, not through `fetch`: a hook may hang, and a given `fetch` may know nothing of signals.
    const stop = (error: unknown): void => {
      release();
      reject(error);
      controller?.abort(error);
    };
    const abort = (): void => stop(run.fail("aborted", "aborted", { cause: signal?.reason }));

    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    if (timed) timer = setTimeout(() => stop(run.fail("timeout", `no whole reply within ${timeout} ms`)), timeout);
    exchange(operation, request, [defaults, options], run).then((value) => {
      if (!held) release();
      resolve(value as T);
    }, stop);
  });
}
