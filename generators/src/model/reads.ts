/** What some work has looked at: names of shapes, and what other work had looked at that it took over. */
export interface Reads extends Set<string | Reads> {}

/** Stands for every name. */
export const everyName = "*";

let current: Reads | undefined;

/** Does some work, and tells which named shapes it has looked at by way of `noteRead`. */
export function recordReads<T>(work: () => T): { readonly value: T; readonly reads: Reads } {
  const outer = current;
  const reads: Reads = new Set();
  current = reads;
  try {
    return { value: work(), reads };
  } finally {
    current = outer;
    outer?.add(reads);
  }
}

/** Does some work of which whoever records does not learn. */
export function unrecorded<T>(work: () => T): T {
  const outer = current;
  current = undefined;
  try {
    return work();
  } finally {
    current = outer;
  }
}

/** Whoever records learns that a named shape was looked at. */
export function noteRead(name: string): void {
  current?.add(name);
}

/** The same for what is not made again, but taken from who made it. */
export function noteReads(reads: Reads): void {
  current?.add(reads);
}

/** Every name in what was recorded. */
export function namesIn(reads: Reads): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<Reads>([reads]);
  for (const each of seen)
    for (const read of each) {
      if (typeof read === "string") names.add(read);
      else seen.add(read);
    }
  return names;
}
