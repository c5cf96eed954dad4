import { isArray, isObject, ownField } from "@plumbline/http-runtime";
import { valuesAt } from "../conditions/expressions.js";

export interface ReferencedId {
  readonly id: unknown;
  readonly location: string;
}

const noIds: readonly ReferencedId[] = [];

/** Lists the ids that a body has for a reference, each with its location such as `disks.0`. Stops after `most` + 1 of them. */
export function findBodyReferences(
  body: unknown,
  pointer: readonly string[],
  most: number = Infinity,
): readonly ReferencedId[] {
  const field = pointer[0] ?? "";
  // The fast path: most optional references are absent.
  if (isObject(body) && field !== "*" && ownField(body, field) === undefined) return noIds;
  if (!pointer.includes("*")) {
    const [id] = valuesAt(body, pointer);
    return id === undefined || id === null ? noIds : [{ id, location: pointer.join(".") }];
  }
  const found: ReferencedId[] = [];
  const walk = (value: unknown, rest: readonly string[], way: readonly string[]): void => {
    const [token, ...more] = rest;
    if (value === undefined || value === null || found.length > most) return;
    if (token === undefined) found.push({ id: value, location: way.join(".") });
    else if (token === "*") for (const [key, child] of childrenOf(value, most)) walk(child, more, [...way, key]);
    else walk(valuesAt(value, [token])[0], more, [...way, token]);
  };
  walk(body, pointer, []);
  return found;
}

function childrenOf(value: unknown, most: number): readonly (readonly [string, unknown])[] {
  if (isArray(value)) return value.slice(0, most + 1).map((each, index) => [String(index), each] as const);
  return isObject(value) ? Object.entries(value) : [];
}
