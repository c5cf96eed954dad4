/** Whether two parts of models say the same; where they come from does not count. */
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

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([key, each]) => key !== "origin" && key !== "sources" && each !== undefined);
}
