import { isList, isObject, ownField } from "@plumbline/validator-runtime";
import { at } from "./expressions.js";

export interface Named {
  readonly id: unknown;
  readonly place: string;
}

const nothing: readonly Named[] = [];

/** Lists the ids that a body has for a reference, each with its location such as `disks.0`. Stops after `most` + 1 of them. */
export function namedIn(body: unknown, pointer: readonly string[], most: number = Infinity): readonly Named[] {
  const field = pointer[0] ?? "";
  // The fast path: most optional references are absent.
  if (isObject(body) && field !== "*" && ownField(body, field) === undefined) return nothing;
  if (!pointer.includes("*")) {
    const [id] = at(body, pointer);
    return id === undefined || id === null ? nothing : [{ id, place: pointer.join(".") }];
  }
  const found: Named[] = [];
  const walk = (value: unknown, rest: readonly string[], way: readonly string[]): void => {
    const [token, ...more] = rest;
    if (value === undefined || value === null || found.length > most) return;
    if (token === undefined) found.push({ id: value, place: way.join(".") });
    else if (token === "*") for (const [key, child] of childrenOf(value, most)) walk(child, more, [...way, key]);
    else walk(at(value, [token])[0], more, [...way, token]);
  };
  walk(body, pointer, []);
  return found;
}

function childrenOf(value: unknown, most: number): readonly (readonly [string, unknown])[] {
  if (isList(value)) return value.slice(0, most + 1).map((each, index) => [String(index), each] as const);
  return isObject(value) ? Object.entries(value) : [];
}
