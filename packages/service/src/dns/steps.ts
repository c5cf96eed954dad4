/** Work in many steps. The caller may interrupt it between two of them. */
export type Steps<T> = Generator<void, T>;

/** Runs all steps without an interruption, and returns the result. */
export function inOneStep<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Runs a function for each item of a list, so many items per step. */
export function* inSteps<Item>(items: Iterable<Item>, run: (item: Item) => void): Steps<void> {
  let count = 0;
  for (const item of items) {
    if (count > 0 && count % itemsOfStep === 0) yield;
    count += 1;
    run(item);
  }
}

/** Some milliseconds of records of a zone. */
const itemsOfStep = 500;
