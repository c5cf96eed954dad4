import type { Api } from "../api.js";
import { trackAll, trackDependencies, type Dependencies } from "./dependency-tracking.js";

interface Memoized<T> {
  readonly value: T;
  /** The names that were read for it, which its users depend on as well. */
  readonly dependencies: Dependencies;
}

/** Memoizes a function of the model. Without it, generators that call it for each operation would read all operations each time. */
export function memoize<T>(make: (api: Api) => T): (api: Api) => T {
  const made = new WeakMap<Api, Memoized<T>>();
  return (api) => getOrCreate(made, api, () => make(api));
}

/** Memoizes a function of a part of a model, such as a schema. The cache belongs to the model, since references resolve within it. */
export function memoizeByKey<Key extends object, T>(): (api: Api, key: Key, make: () => T) => T {
  const made = new WeakMap<Api, WeakMap<Key, Memoized<T>>>();
  return (api, key, make) => {
    let own = made.get(api);
    if (own === undefined) made.set(api, (own = new WeakMap()));
    return getOrCreate(own, key, make);
  };
}

function getOrCreate<Key extends object, T>(made: WeakMap<Key, Memoized<T>>, key: Key, make: () => T): T {
  const known = made.get(key);
  if (known !== undefined) {
    trackAll(known.dependencies);
    return known.value;
  }
  const now = trackDependencies(make);
  made.set(key, now);
  return now.value;
}
