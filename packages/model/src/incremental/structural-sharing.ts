/**
 * Replaces the parts of a new value that equal the old one with the old objects, so that unchanged parts keep their
 * identity.
 * Changes the new value in place, unless it is frozen. Arrays are compared from the start and from the end.
 */
export function shareStructure<T>(before: T | undefined, now: T): T {
  return shareValue(before, now) as T;
}

function shareValue(before: unknown, now: unknown): unknown {
  if (before === now || !isHolder(before) || !isHolder(now)) return now;
  if (Array.isArray(before) && Array.isArray(now)) return shareList(before, now);
  return isPlainData(before) && isPlainData(now) ? shareRecord(before, now) : now;
}

function shareRecord(before: Readonly<Record<string, unknown>>, now: Record<string, unknown>): unknown {
  const keys = Object.keys(now);
  const keysBefore = Object.keys(before);
  const isOpen = !Object.isFrozen(now);
  let isSame = keys.length === keysBefore.length;
  keys.forEach((key, index) => {
    const old = before[key];
    const found = shareValue(old, now[key]);
    if (isOpen && found !== now[key]) now[key] = found;
    isSame &&= found === old && key === keysBefore[index];
  });
  return isSame ? before : now;
}

function shareList(before: readonly unknown[], now: unknown[]): unknown {
  const most = Math.min(before.length, now.length);
  const isOpen = !Object.isFrozen(now);
  const take = (at: number, from: number): boolean => {
    const found = shareValue(before[from], now[at]);
    if (isOpen && found !== now[at]) now[at] = found;
    return found === before[from];
  };
  let start = 0;
  while (start < most && take(start, start)) start += 1;
  if (start === now.length && start === before.length) return before;
  let end = 0;
  while (end < most - start && take(now.length - 1 - end, before.length - 1 - end)) end += 1;
  // The items in between have changed. If the lengths are equal, items are compared by index.
  if (before.length === now.length) for (let at = start + 1; at < now.length - end; at += 1) take(at, at);
  return now;
}

function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Instances of classes are not compared. */
function isPlainData(value: object): value is Record<string, unknown> {
  return Object.getPrototypeOf(value) === Object.prototype;
}
