/**
 * What was made before, wherever what was made now says the same: then it is the same object, whole or in parts, and whoever has looked at
 * it before need not look again. What is new is changed for that, unless it is frozen. Of lists, the beginning and the end are compared.
 */
export function reuse<T>(before: T | undefined, now: T): T {
  return new Reuse().of(before, now) as T;
}

class Reuse {
  /** What stands in several places is compared once. */
  readonly #known = new Map<object, { readonly before: unknown; readonly found: unknown }>();

  of(before: unknown, now: unknown): unknown {
    if (before === now || !isHolder(before) || !isHolder(now)) return now;
    const known = this.#known.get(now);
    if (known !== undefined && known.before === before) return known.found;
    const found = this.#holder(before, now);
    this.#known.set(now, { before, found });
    return found;
  }

  #holder(before: object, now: object): unknown {
    if (Array.isArray(before) && Array.isArray(now)) return this.#list(before, now);
    if (!isRecord(before) || !isRecord(now)) return now;
    const keys = Object.keys(now);
    const keysBefore = Object.keys(before);
    const isOpen = !Object.isFrozen(now);
    let isSame = keys.length === keysBefore.length;
    keys.forEach((key, index) => {
      const old = before[key];
      const found = this.of(old, now[key]);
      if (isOpen && found !== now[key]) now[key] = found;
      isSame &&= found === old && key === keysBefore[index];
    });
    return isSame ? before : now;
  }

  #list(before: readonly unknown[], now: unknown[]): unknown {
    const most = Math.min(before.length, now.length);
    const isOpen = !Object.isFrozen(now);
    const take = (at: number, from: number): boolean => {
      const found = this.of(before[from], now[at]);
      if (isOpen && found !== now[at]) now[at] = found;
      return found === before[from];
    };
    let start = 0;
    while (start < most && take(start, start)) start += 1;
    if (start === now.length && start === before.length) return before;
    let end = 0;
    while (end < most - start && take(now.length - 1 - end, before.length - 1 - end)) end += 1;
    // What is left between them has changed; in lists of one length it stands where it stood.
    if (before.length === now.length) for (let at = start + 1; at < now.length - end; at += 1) take(at, at);
    return now;
  }
}

function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Objects of classes are left alone. */
function isRecord(value: object): value is Record<string, unknown> {
  return Object.getPrototypeOf(value) === Object.prototype;
}
