import { setImmediate } from "node:timers/promises";

/** Runs work of many steps to its end, and lets other requests and signals have their turn between two of them. */
export async function inTurns<T>(steps: Iterator<void, T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await setImmediate();
  }
}

/** Does something with each item of a list, some at a time. */
export async function eachInTurns<Item>(items: Iterable<Item>, run: (item: Item) => Promise<unknown>): Promise<void> {
  let count = 0;
  for (const item of items) {
    if (count > 0 && count % itemsOfTurn === 0) await setImmediate();
    count += 1;
    await run(item);
  }
}

/** Some milliseconds of inserts or look-ups. */
export const itemsOfTurn = 200;
