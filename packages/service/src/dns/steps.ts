/** Work of many steps, which somebody may interrupt between two of them. */
export type Steps<T> = Generator<void, T>;

/** What the steps come to, without an interruption. */
export function atOnce<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Steps over the items of a list, so many at a time. */
export function* stepping<Item>(items: Iterable<Item>, run: (item: Item) => void): Steps<void> {
  let count = 0;
  for (const item of items) {
    if (count > 0 && count % itemsOfStep === 0) yield;
    count += 1;
    run(item);
  }
}

/** Some milliseconds of records of a zone. */
const itemsOfStep = 500;
