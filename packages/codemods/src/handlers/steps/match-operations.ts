/** An operation, by the name and the route that identify it. */
export interface OperationIdentity {
  readonly name: string;
  /** The method and the path, such as `GET /pets`. */
  readonly route: string;
}

/** What has become of the operations of the previous run. */
export interface OperationChanges {
  /** New names by old names. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Old names without an operation. */
  readonly removed: readonly string[];
}

/**
 * Matches operations by name and route, then by route, then by name. An operation whose name and route have both changed is another one.
 */
export function matchOperations(
  previous: readonly OperationIdentity[],
  current: readonly OperationIdentity[],
): OperationChanges {
  const matched = new Map<string, string>();
  const matchedNames = new Set<string>();
  const match = (isSame: (before: OperationIdentity, now: OperationIdentity) => boolean): void => {
    for (const before of previous) {
      if (matched.has(before.name)) continue;
      const now = current.find((each) => !matchedNames.has(each.name) && isSame(before, each));
      if (now === undefined) continue;
      matched.set(before.name, now.name);
      matchedNames.add(now.name);
    }
  };
  match((before, now) => before.name === now.name && routeKey(before) === routeKey(now));
  match((before, now) => before.route.includes("/") && routeKey(before) === routeKey(now));
  match((before, now) => before.name === now.name);
  return {
    renamed: new Map([...matched].filter(([before, now]) => before !== now)),
    removed: previous.filter(({ name }) => !matched.has(name)).map(({ name }) => name),
  };
}

/** Names of path parameters do not distinguish routes. */
function routeKey({ route }: OperationIdentity): string {
  return route.replaceAll(/\{[^}]*\}/g, "{}");
}
