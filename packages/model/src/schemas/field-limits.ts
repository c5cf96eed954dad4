import { type Api, type Limit, type Schema, memoize, schemaParts } from "@plumbline/model";

/** A limit, with the path to the limited value; `*` is each item of a list. */
export interface FieldLimit {
  readonly pointer: readonly string[];
  readonly limit: Limit;
  readonly schema: Schema;
}

/** Bounds the traversal of recursive schemas. */
const maxLimitDepth = 6;

/** The limits of a schema and its subschemas. Schemas without limits are skipped. */
export function collectFieldLimits(api: Api, schema: Schema): readonly FieldLimit[] {
  if (limitsById(api).size === 0) return [];
  const found: FieldLimit[] = [];
  const visit = (each: Schema, pointer: readonly string[], within: readonly string[]): void => {
    for (const part of schemaParts(api, each)) {
      if (part.ref !== undefined && within.includes(part.ref)) return;
      for (const limit of part.limits ?? []) found.push({ pointer, limit, schema: each });
      if (pointer.length >= maxLimitDepth) continue;
      const inner = part.ref === undefined ? within : [...within, part.ref];
      for (const property of part.properties ?? []) visit(property.schema, [...pointer, property.name], inner);
      if (part.items !== undefined) visit(part.items, [...pointer, "*"], inner);
    }
  };
  visit(schema, [], []);
  return [...new Map(found.map((each) => [`${each.limit.id} ${each.pointer.join("/")}`, each] as const)).values()];
}

/** All limits of schemas, by id. */
export const limitsById: (api: Api) => ReadonlyMap<string, Limit> = memoize((api) => {
  const found = new Map<string, Limit>();
  const sent = api.operations.flatMap(({ requestBody }) => requestBody?.contents ?? []);
  const waiting = [...api.schemas, ...sent].map(({ schema }) => schema);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const limit of next.limits ?? []) found.set(limit.id, limit);
    const { properties = [], items, allOf = [], anyOf = [], oneOf = [] } = next;
    waiting.push(
      ...properties.map(({ schema }) => schema),
      ...(items === undefined ? [] : [items]),
      ...allOf,
      ...anyOf,
      ...oneOf,
    );
  }
  return found;
});
