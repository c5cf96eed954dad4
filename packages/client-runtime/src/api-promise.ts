import type { SuccessResponse } from "./operation.js";

/** A promise of `T` whose type also has the error `E` and the successful responses `S`. See `toResult` and `withResponse`. */
export interface ApiPromise<T, E, S = SuccessResponse<number, T>> extends Promise<T> {
  readonly [errorType]?: E;
  readonly [successType]?: S;
  /** The response, from the time that its status and headers arrive. Its body is read by the call. */
  readonly response?: Response;
}
declare const errorType: unique symbol;
declare const successType: unique symbol;
