import { once } from "../model/once.js";
import type { Api, Limit, Operation, Shape } from "../model/api.js";

/** A limit, with its location. */
export interface StatedLimit {
  readonly limit: Limit;
  /** The named schema that contains it. A variant counts as the schema that it is derived from. */
  readonly resource?: string;
  /** The property with the limit, if it belongs to one. */
  readonly property?: string;
}

/** Returns every limit of an API, each id once, in the order of the description. */
export const statedLimits: (api: Api) => readonly StatedLimit[] = once((api) => {
  const all = [
    ...[...api.operations, ...api.linked].flatMap(ofOperation),
    ...api.shapes.flatMap(({ name, formOf, shape }) => ofShape(shape, { resource: formOf?.name ?? name })),
  ];
  const byId = new Map<string, StatedLimit>();
  for (const each of all) if (!byId.has(each.limit.id)) byId.set(each.limit.id, each);
  return [...byId.values()];
});

function ofOperation({ limits, parameters, body, replies }: Operation): readonly StatedLimit[] {
  const contents = [...(body?.contents ?? []), ...replies.flatMap((reply) => reply.contents)];
  const headers = replies.flatMap((reply) => reply.headers);
  return [
    ...limits.map((limit) => ({ limit })),
    ...[...parameters, ...contents, ...headers].flatMap(({ shape }) => ofShape(shape, {})),
  ];
}

type On = Omit<StatedLimit, "limit">;

function ofShape(shape: Shape, on: On): readonly StatedLimit[] {
  const { property: _property, ...around } = on;
  return [
    ...(shape.limits ?? []).map((limit) => ({ limit, ...on })),
    ...(shape.properties ?? []).flatMap((each) => ofShape(each.shape, { ...around, property: each.name })),
    ...alternativesOf(shape).flatMap((each) => ofShape(each, on)),
    ...elementsOf(shape).flatMap((each) => ofShape(each, around)),
  ];
}

/** Returns the subschemas that apply to the value itself. */
function alternativesOf({ allOf, anyOf, oneOf, not, if: condition, ...shape }: Shape): readonly Shape[] {
  const single = [not, condition, shape.then, shape.else].filter((each) => each !== undefined);
  const several = [allOf, anyOf, oneOf, Object.values(shape.dependentSchemas ?? {})];
  return [...several.flatMap((each) => each ?? []), ...single];
}

/** Returns the subschemas of values inside the value, except those of properties. */
function elementsOf(shape: Shape): readonly Shape[] {
  const { items, contains, propertyNames, additionalProperties, unevaluatedProperties, unevaluatedItems } = shape;
  const single = [items, contains, propertyNames, additionalProperties, unevaluatedProperties, unevaluatedItems];
  return [
    ...single.filter((each) => each !== undefined),
    ...(shape.prefixItems ?? []),
    ...Object.values(shape.patternProperties ?? {}),
  ];
}
