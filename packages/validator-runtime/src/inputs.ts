import type { Groups } from "./judge.js";
import type { InputOf, Operation } from "./operation.js";

interface Judged {
  readonly operation: Operation;
  readonly input: Groups;
}

const judged = new WeakMap<object, Judged>();

/** Remembers what a request was judged as, until the request is forgotten. */
export function remember(request: object, { operation, input }: Judged): void {
  judged.set(request, { operation, input });
}

/**
 * The input of an operation, out of a request that was judged as that operation: the request that the framework hands
 * to the handler, or Hono's context. Throws a TypeError when the request was judged as another operation, or not at all.
 */
export function inputOf<O extends Operation>(operation: O, request: object): InputOf<O> {
  const found = judged.get(request);
  const { name } = operation.definition;
  if (found === undefined) {
    throw new TypeError(`inputOf(${name}): no validator judged this request; put it before the handlers`);
  }
  if (found.operation !== operation) {
    throw new TypeError(`inputOf(${name}): this request was judged as ${found.operation.definition.name}`);
  }
  return found.input as InputOf<O>;
}
