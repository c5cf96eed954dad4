import { isPromiseLike, type Awaitable } from "../handlers.js";

/** Passes a value on: at once, or when its promise resolves. A step that waits for nothing costs no promise. */
export function andThen<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return isPromiseLike(value) ? Promise.resolve(value).then(next) : next(value);
}

/** Calls a function for one item after the other, until it returns a result. Waits only for promises. */
export function firstInTurn<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Awaitable<Result | undefined>,
  start: number = 0,
): Awaitable<Result | undefined> {
  for (let index = start; index < items.length; index += 1) {
    const outcome = run(items[index] as Item);
    if (isPromiseLike(outcome))
      return Promise.resolve(outcome).then((result) => result ?? firstInTurn(items, run, index + 1));
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}
