import type { Api } from "./api.js";
import { noteReads, recordReads, type Reads } from "./reads.js";

interface Made<T> {
  readonly value: T;
  /** What was looked at for it, which whoever is given it has looked at too. */
  readonly reads: Reads;
}

/** What is made of a whole model, made once: whoever asks for each operation would read all operations each time. */
export function once<T>(make: (api: Api) => T): (api: Api) => T {
  const made = new WeakMap<Api, Made<T>>();
  return (api) => taken(made, api, () => make(api));
}

/** The same of anything in a model, such as a shape: what it refers to is another in another model. */
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
