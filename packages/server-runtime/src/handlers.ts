import type { Call } from "./call.js";

export type Awaitable<T> = T | Promise<T>;

/** Whether a value has to be waited for; what a database gives is often no Promise, and can be awaited all the same. */
export function isPending<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** What answers an operation: from its input, and what is told beside it, to a reply that is described. */
export type Handler<Input, Context, Reply> = (input: Input, context: Context) => Awaitable<Reply>;

/** A context in which it is known who calls. */
export type Known<Context extends Call> = Context & { readonly caller: NonNullable<Context["caller"]> };
