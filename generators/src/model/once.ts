import type { Api } from "./api.js";

/** What is made of a whole model, made once: whoever asks for each operation would read all operations each time. */
export function once<T>(make: (api: Api) => T): (api: Api) => T {
  const made = new WeakMap<Api, { readonly value: T }>();
  return (api) => {
    const known = made.get(api) ?? { value: make(api) };
    made.set(api, known);
    return known.value;
  };
}
