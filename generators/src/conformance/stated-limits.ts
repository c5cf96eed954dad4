import type { Api, Limit, Shape } from "../model/api.js";
import { once } from "../model/once.js";
import { partsOf } from "../model/fields.js";

/** A limit, with the path to the limited value; `*` is each item of a list. */
export interface StatedLimit {
  readonly pointer: readonly string[];
  readonly limit: Limit;
  readonly shape: Shape;
}

/** Bounds the traversal of recursive schemas. */
const deepest = 6;

/** The limits of a schema and its subschemas. Schemas without limits are skipped. */
export function limitsIn(api: Api, shape: Shape): readonly StatedLimit[] {
  if (byId(api).size === 0) return [];
  const found: StatedLimit[] = [];
  const visit = (each: Shape, pointer: readonly string[], within: readonly string[]): void => {
    for (const part of partsOf(api, each)) {
      if (part.ref !== undefined && within.includes(part.ref)) return;
      for (const limit of part.limits ?? []) found.push({ pointer, limit, shape: each });
      if (pointer.length >= deepest) continue;
      const inner = part.ref === undefined ? within : [...within, part.ref];
      for (const property of part.properties ?? []) visit(property.shape, [...pointer, property.name], inner);
      if (part.items !== undefined) visit(part.items, [...pointer, "*"], inner);
    }
  };
  visit(shape, [], []);
  return [...new Map(found.map((each) => [`${each.limit.id} ${each.pointer.join("/")}`, each] as const)).values()];
}

/** All limits of schemas, by id. */
export const byId: (api: Api) => ReadonlyMap<string, Limit> = once((api) => {
  const found = new Map<string, Limit>();
  const sent = api.operations.flatMap(({ body }) => body?.contents ?? []);
  const waiting = [...api.shapes, ...sent].map(({ shape }) => shape);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const limit of next.limits ?? []) found.set(limit.id, limit);
    const { properties = [], items, allOf = [], anyOf = [], oneOf = [] } = next;
    waiting.push(
      ...properties.map(({ shape }) => shape),
      ...(items === undefined ? [] : [items]),
      ...allOf,
      ...anyOf,
      ...oneOf,
    );
  }
  return found;
});
