/** The names of schemas that a computation read, and the dependencies of memoized computations that it used. */
export interface Dependencies extends Set<string | Dependencies> {}

/** Stands for every name. */
export const anyDependency = "*";

let current: Dependencies | undefined;

/** Runs a computation and returns its value with the names that it read through `trackName`. */
export function trackDependencies<T>(work: () => T): { readonly value: T; readonly dependencies: Dependencies } {
  const outer = current;
  const dependencies: Dependencies = new Set();
  current = dependencies;
  try {
    return { value: work(), dependencies };
  } finally {
    current = outer;
    outer?.add(dependencies);
  }
}

/** Runs a computation without tracking its reads. */
export function withoutTracking<T>(work: () => T): T {
  const outer = current;
  current = undefined;
  try {
    return work();
  } finally {
    current = outer;
  }
}

/** Tracks that a named schema was read. */
export function trackName(name: string): void {
  current?.add(name);
}

/** Tracks the dependencies of a memoized value. */
export function trackAll(dependencies: Dependencies): void {
  current?.add(dependencies);
}

/** Returns every tracked name. */
export function dependencyNames(dependencies: Dependencies): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<Dependencies>([dependencies]);
  for (const each of seen)
    for (const read of each) {
      if (typeof read === "string") names.add(read);
      else seen.add(read);
    }
  return names;
}
