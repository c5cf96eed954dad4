import { setImmediate } from "node:timers/promises";

/** Runs work in many steps to its end. Other requests and signals get a turn between two steps. */
export async function inTurns<T>(steps: Iterator<void, T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await setImmediate();
  }
}

/** Runs a function for each item of a list, some items at a time. */
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
