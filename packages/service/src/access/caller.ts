import { errors, type Caller as ApiCaller } from "@cloud-compute/server";

/** The caller of a request. */
export interface Caller extends ApiCaller {
  readonly user: string;
  readonly account: { readonly id: string; readonly total_payments: number };
  readonly client: string | undefined;
  /** The id of the token of the request. */
  readonly token: number;
}

/** The caller of an operation that requires one. */
export function callerOf(context: { readonly caller: ApiCaller | undefined }): Caller {
  if (context.caller === undefined) throw errors.noToken();
  // `authenticate` returns this type.
  return context.caller as Caller;
}
