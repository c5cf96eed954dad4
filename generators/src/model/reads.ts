/** The names of schemas that a computation read, and the dependencies of memoized computations that it used. */
export interface Reads extends Set<string | Reads> {}

/** Stands for every name. */
export const everyName = "*";

let current: Reads | undefined;

/** Runs a computation and returns its value with the names that it read through `noteRead`. */
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

/** Runs a computation without tracking its reads. */
export function unrecorded<T>(work: () => T): T {
  const outer = current;
  current = undefined;
  try {
    return work();
  } finally {
    current = outer;
  }
}

/** Tracks that a named schema was read. */
export function noteRead(name: string): void {
  current?.add(name);
}

/** Tracks the dependencies of a memoized value. */
export function noteReads(reads: Reads): void {
  current?.add(reads);
}

/** Returns every tracked name. */
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
