import { memoize, type Api, type Limit, type Operation, type Schema } from "@plumbline/model";

/** A limit, with its location. */
export interface CollectedLimit {
  readonly limit: Limit;
  /** The named schema that contains it. A variant counts as the schema that it is derived from. */
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
  return [...byId.values()];
});

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
    ...alternativesOf(schema).flatMap((each) => schemaLimits(each, on)),
    ...elementsOf(schema).flatMap((each) => schemaLimits(each, context)),
  ];
}

/** Returns the subschemas that apply to the value itself. */
function alternativesOf({ allOf, anyOf, oneOf, not, if: condition, ...schema }: Schema): readonly Schema[] {
  const single = [not, condition, schema.then, schema.else].filter((each) => each !== undefined);
  const several = [allOf, anyOf, oneOf, Object.values(schema.dependentSchemas ?? {})];
  return [...several.flatMap((each) => each ?? []), ...single];
}

/** Returns the subschemas of values inside the value, except those of properties. */
function elementsOf(schema: Schema): readonly Schema[] {
  const { items, contains, propertyNames, additionalProperties, unevaluatedProperties, unevaluatedItems } = schema;
  const single = [items, contains, propertyNames, additionalProperties, unevaluatedProperties, unevaluatedItems];
  return [
    ...single.filter((each) => each !== undefined),
    ...(schema.prefixItems ?? []),
    ...Object.values(schema.patternProperties ?? {}),
  ];
}
