/** Whether two parts of models are deeply equal; positions and sources are ignored. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, index) => same(each, b[index]))
    );
  }
  const [left, right] = [entriesOf(a), new Map(entriesOf(b))];
  return left.length === right.size && left.every(([key, each]) => right.has(key) && same(each, right.get(key)));
}

/** Whether two objects are deeply equal except for some properties, which are compared elsewhere or not at all. */
export function sameBut<T extends object>(keys: readonly (keyof T & string)[], a: T, b: T): boolean {
  const rest = (value: T): object =>
    Object.fromEntries(entriesOf(value).filter(([key]) => !keys.some((each) => each === key)));
  return same(rest(a), rest(b));
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([key, each]) => key !== "origin" && key !== "sources" && each !== undefined);
}
