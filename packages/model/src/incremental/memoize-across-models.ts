import type { Api, Schema } from "../api.js";
import { schemasByName } from "../schemas/schemas-by-name.js";
import {
  anyDependency,
  dependencyNames,
  trackAll,
  trackDependencies,
  withoutTracking,
  type Dependencies,
} from "./dependency-tracking.js";

/** A memoized computation, and all that it depends on beside its key. */
export interface MemoizedComputation<T> {
  /** What the computation reads beside its key and named schemas. Compared by identity; a model keeps the identity of unchanged parts. */
  readonly inputs: readonly unknown[];
  readonly create: () => T;
}

interface Memoized<T> {
  readonly value: T;
  readonly inputs: readonly unknown[];
  readonly schemas: readonly (readonly [name: string, schema: Schema | undefined])[];
  readonly dependencies: Dependencies;
}

/**
 * Memoizes a function of a part of a model, such as an operation, also for later models that share the part. The value is computed again where
 * an input or a named schema that the computation has read is another object.
 */
export function memoizeAcrossModels<Key extends object, T>(): (
  api: Api,
  key: Key,
  computation: MemoizedComputation<T>,
) => T {
  const memoized = new WeakMap<Key, Memoized<T>>();
  return (api, key, { inputs, create }) => {
    const known = memoized.get(key);
    if (known !== undefined && isCurrent(known, inputs, api)) {
      trackAll(known.dependencies);
      return known.value;
    }
    const { value, dependencies } = trackDependencies(create);
    const names = dependencyNames(dependencies);
    // A computation that reads all schemas, such as a search, has no list to compare.
    if (names.has(anyDependency)) memoized.delete(key);
    else memoized.set(key, { value, inputs, dependencies, schemas: schemasOf(api, names) });
    return value;
  };
}

function isCurrent<T>({ inputs, schemas }: Memoized<T>, now: readonly unknown[], api: Api): boolean {
  const named = schemasByName(api);
  return (
    inputs.length === now.length &&
    inputs.every((input, index) => input === now[index]) &&
    withoutTracking(() => schemas.every(([name, schema]) => named.get(name) === schema))
  );
}

function schemasOf(api: Api, names: ReadonlySet<string>): Memoized<unknown>["schemas"] {
  const named = schemasByName(api);
  return withoutTracking(() => [...names].map((name) => [name, named.get(name)] as const));
}
