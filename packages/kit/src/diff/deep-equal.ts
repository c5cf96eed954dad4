/** Whether two parts of models are deeply equal; positions and sources are ignored. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((each, index) => isDeepEqual(each, b[index]))
    );
  }
  const [left, right] = [comparedEntries(a), new Map(comparedEntries(b))];
  return left.length === right.size && left.every(([key, each]) => right.has(key) && isDeepEqual(each, right.get(key)));
}

/** Whether two objects are deeply equal except for some properties, which are compared elsewhere or not at all. */
export function isDeepEqualExcept<T extends object>(keys: readonly (keyof T & string)[], a: T, b: T): boolean {
  const rest = (value: T): object =>
    Object.fromEntries(comparedEntries(value).filter(([key]) => !keys.some((each) => each === key)));
  return isDeepEqual(rest(a), rest(b));
}

function comparedEntries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([key, each]) => key !== "origin" && key !== "sources" && each !== undefined);
}
