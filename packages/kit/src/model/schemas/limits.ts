import type { Api, Limit, Operation, Schema } from "../api.js";
import { heldSchemas } from "../keywords/subschemas.js";
import { findJsonContent } from "../media.js";
import { memoize } from "../memoize.js";
import { findTarget } from "../operation-targets.js";
import { isSuccess } from "../responses.js";
import { schemaParts } from "./schema-fields.js";

/** A limit, with its location. */
export interface CollectedLimit {
  readonly limit: Limit;
  /**
   * The named schema that contains it. A variant counts as the schema that it is derived from. A key that is unique among objects belongs to the
   * resource that the requests with it create or update.
   */
  readonly resource?: string;
  /** The property with the limit, if it belongs to one. */
  readonly property?: string;
}

/** Returns every limit of an API, each id once, in the order of the description. */
export const collectLimits: (api: Api) => readonly CollectedLimit[] = memoize((api) => {
  const all = [
    ...[...api.operations, ...api.operationsWithoutPath].flatMap(operationLimits),
    ...api.schemas.flatMap(({ name, variantOf, schema }) =>
      schemaLimits(schema, { resource: variantOf?.name ?? name }),
    ),
  ];
  const byId = new Map<string, CollectedLimit>();
  for (const each of all) if (!byId.has(each.limit.id)) byId.set(each.limit.id, each);
  return [...byId.values()].map((each) => withKeyedResource(api, each));
});

/** Returns the fields of a unique key: those in `by`, or the property with the limit. */
export function uniqueKeyFields({ limit, property }: CollectedLimit): readonly string[] {
  return limit.by ?? (property === undefined ? [] : [property]);
}

/** A unique key may stand on the schema of a request: it is then a key of the resource that the request creates or updates. */
function withKeyedResource(api: Api, collected: CollectedLimit): CollectedLimit {
  const { limit, resource } = collected;
  if (limit.kind !== "unique" || limit.within === "array" || api.resources.some(({ name }) => name === resource))
    return collected;
  for (const operation of api.operations) {
    const keyed = keyedResource(api, operation, limit.id);
    if (keyed !== undefined) return { ...collected, resource: keyed };
  }
  return collected;
}

function keyedResource(api: Api, operation: Operation, id: string): string | undefined {
  const schema = findJsonContent(operation.requestBody?.contents ?? [])?.schema;
  if (schema === undefined) return undefined;
  const parts = schemaParts(api, schema);
  const fields = parts.flatMap(({ properties = [] }) => properties.flatMap((each) => schemaParts(api, each.schema)));
  if (![...parts, ...fields].some(({ limits = [] }) => limits.some((each) => each.id === id))) return undefined;
  const answers = operation.responses
    .filter(isSuccess)
    .flatMap(({ contents }) => findJsonContent(contents)?.schema ?? []);
  const names = new Set(answers.flatMap((each) => schemaParts(api, each).flatMap(({ ref }) => ref ?? [])));
  return api.resources.find(({ name }) => names.has(name))?.name ?? findTarget(api, operation)?.resource;
}

/** A limit, with the path to the limited value; `*` is each item of a list. */
export interface FieldLimit {
  readonly pointer: readonly string[];
  readonly limit: Limit;
  readonly schema: Schema;
}

/** Bounds the traversal of recursive schemas. */
const maxLimitDepth = 6;

/** Returns the limits of a schema and its subschemas, by the path to the value. Follows references. */
export function collectFieldLimits(api: Api, schema: Schema): readonly FieldLimit[] {
  if (collectLimits(api).length === 0) return [];
  const limits: FieldLimit[] = [];
  const visit = (each: Schema, pointer: readonly string[], within: readonly string[]): void => {
    for (const part of schemaParts(api, each)) {
      if (part.ref !== undefined && within.includes(part.ref)) return;
      for (const limit of part.limits ?? []) limits.push({ pointer, limit, schema: each });
      if (pointer.length >= maxLimitDepth) continue;
      const inner = part.ref === undefined ? within : [...within, part.ref];
      for (const property of part.properties ?? []) visit(property.schema, [...pointer, property.name], inner);
      if (part.items !== undefined) visit(part.items, [...pointer, "*"], inner);
    }
  };
  visit(schema, [], []);
  return [...new Map(limits.map((each) => [`${each.limit.id} ${each.pointer.join("/")}`, each] as const)).values()];
}

function operationLimits({ limits, parameters, requestBody, responses }: Operation): readonly CollectedLimit[] {
  const contents = [...(requestBody?.contents ?? []), ...responses.flatMap((response) => response.contents)];
  const headers = responses.flatMap((response) => response.headers);
  return [
    ...limits.map((limit) => ({ limit })),
    ...[...parameters, ...contents, ...headers].flatMap(({ schema }) => schemaLimits(schema, {})),
  ];
}

type LimitOwner = Omit<CollectedLimit, "limit">;

function schemaLimits(schema: Schema, on: LimitOwner): readonly CollectedLimit[] {
  const { property: _property, ...context } = on;
  return [
    ...(schema.limits ?? []).map((limit) => ({ limit, ...on })),
    ...(schema.properties ?? []).flatMap((each) => schemaLimits(each.schema, { ...context, property: each.name })),
    ...heldSchemas(schema).flatMap((each) => schemaLimits(each.schema, each.isSameValue ? on : context)),
  ];
}
