import type { Api } from "./api.js";

/** Memoizes a function of the model. Without it, generators that call it for each operation would read all operations each time. */
export function memoize<T>(create: (api: Api) => T): (api: Api) => T {
  const values: Values<Api, T> = new WeakMap();
  return (api) => getOrCreate(values, api, () => create(api));
}

/** Memoizes a function of a part of a model, such as a schema. The cache belongs to the model, since references resolve within it. */
export function memoizeByKey<Key extends object, T>(): (api: Api, key: Key, create: () => T) => T {
  const valuesOf = memoize((): Values<Key, T> => new WeakMap());
  return (api, key, create) => getOrCreate(valuesOf(api), key, create);
}

/** The values are in objects, because a value may be undefined. */
type Values<Key extends object, T> = WeakMap<Key, { readonly value: T }>;

function getOrCreate<Key extends object, T>(values: Values<Key, T>, key: Key, create: () => T): T {
  const cached = values.get(key);
  if (cached !== undefined) return cached.value;
  const value = create();
  values.set(key, { value });
  return value;
}
