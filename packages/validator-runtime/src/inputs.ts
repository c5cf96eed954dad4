import type { Accepted } from "./guard.js";
import type { InputOf, Operation } from "./operation.js";

// A property costs less than a WeakMap, whose entries the garbage collector has to visit.
const judged = Symbol("judged");

/** Notes on a request what it was judged as. */
export function remember(request: object, accepted: Accepted): void {
  (request as { [judged]?: Accepted })[judged] = accepted;
}

/** What a request was judged as, if it was. */
export function remembered(request: object): Accepted | undefined {
  return (request as { readonly [judged]?: Accepted })[judged];
}

/**
 * The input of an operation, out of a request that was judged as that operation: the request that the framework hands
 * to the handler, or Hono's context. Throws a TypeError when the request was judged as another operation, or not at all.
 */
export function inputOf<O extends Operation>(operation: O, request: object): InputOf<O> {
  const found = remembered(request);
  const { name } = operation.definition;
  if (found === undefined) {
    throw new TypeError(`inputOf(${name}): no validator judged this request; put it before the handlers`);
  }
  if (found.operation !== operation) {
    throw new TypeError(`inputOf(${name}): this request was judged as ${found.operation.definition.name}`);
  }
  return found.input as InputOf<O>;
}
