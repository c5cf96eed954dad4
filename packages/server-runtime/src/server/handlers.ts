import type { RequestContext } from "./request/request-context.js";
import type { HandlerResponse } from "./response/responses.js";

export type Awaitable<T> = T | Promise<T>;

/** Whether a value has to be awaited. Database clients often return thenables that are not promises. */
export function isPromiseLike<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Handles an operation: receives the input and the context, and returns a documented response. */
export type Handler<Input, Context, Response> = (input: Input, context: Context) => Awaitable<Response>;

/** The context of an operation that allows no anonymous callers. */
export type AuthenticatedContext<Context extends RequestContext> = Context & {
  readonly caller: NonNullable<Context["caller"]>;
};

/** Handlers by operation name. */
export type AnyHandlers = Readonly<
  Record<string, ((input: never, context: never) => HandlerResponse | Promise<HandlerResponse>) | undefined>
>;

/** Whether there is a handler, perhaps a method of a class. What every object inherits does not count. */
export function hasHandler(handlers: AnyHandlers, name: string): boolean {
  const inherited: unknown = name in Object.prototype ? Reflect.get(Object.prototype, name) : undefined;
  return handlers[name] !== undefined && handlers[name] !== inherited;
}
