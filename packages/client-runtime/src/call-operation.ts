import type { ApiPromise } from "./api-promise.js";
import type { CallOptions, Client } from "./client.js";
import { defineOperation } from "./define-operation.js";
import type { ApiError } from "./errors.js";
import type { Operation, RequestArguments, SuccessResponse } from "./operation.js";

/**
 * Calls an operation that a program knows as data only. `defineOperation` is for operations that are called more than once.
 *
 * @param operation method, path and encoders
 * @param given the arguments, by location
 * @param options override those of the client
 * @throws ApiError, or what a function among the options throws
 *
 * @example
 * const tags = await callOperation<TagPage>(client, { method: "GET", path: "/tags", encoders: [encodeQuery] }, { query: { page: 2 } });
 */
export function callOperation<T, E = ApiError, S = SuccessResponse<number, T>>(
  client: Client,
  { method, path, encoders, ...more }: Operation,
  given?: RequestArguments,
  options?: CallOptions,
): ApiPromise<T, E, S> {
  const call = defineOperation<OperationCall<T, E, S>>(method, path, encoders, more);
  return call(client, given, options);
}

type OperationCall<T, E, S> = (client: Client, given?: RequestArguments, options?: CallOptions) => ApiPromise<T, E, S>;
