import type { Api } from "./api.js";
import { noteReads, recordReads, type Reads } from "./reads.js";

interface Made<T> {
  readonly value: T;
  /** The names that were read for it, which its users depend on as well. */
  readonly reads: Reads;
}

/** Memoizes a function of the model. Without it, generators that call it for each operation would read all operations each time. */
export function once<T>(make: (api: Api) => T): (api: Api) => T {
  const made = new WeakMap<Api, Made<T>>();
  return (api) => taken(made, api, () => make(api));
}

/** Memoizes a function of a part of a model, such as a schema. The cache belongs to the model, since references resolve within it. */
export function onceEach<Key extends object, T>(): (api: Api, key: Key, make: () => T) => T {
  const made = new WeakMap<Api, WeakMap<Key, Made<T>>>();
  return (api, key, make) => {
    let own = made.get(api);
    if (own === undefined) made.set(api, (own = new WeakMap()));
    return taken(own, key, make);
  };
}

function taken<Key extends object, T>(made: WeakMap<Key, Made<T>>, key: Key, make: () => T): T {
  const known = made.get(key);
  if (known !== undefined) {
    noteReads(known.reads);
    return known.value;
  }
  const now = recordReads(make);
  made.set(key, now);
  return now.value;
}
