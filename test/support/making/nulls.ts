import type { Api, Json, Schema } from "../model.js";

/** A body in which every absent described field is null, also in nested objects. */
export function withNulls(api: Api, shape: Schema, value: Json): Json {
  if (Array.isArray(value)) {
    const items = partsOf(api, shape).flatMap((part) => part.items ?? []);
    return value.map((each: Json) => withNulls(api, allOf(items), each));
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = new Map<string, Schema[]>();
  for (const { properties = [] } of partsOf(api, shape)) {
    for (const { name, schema: each } of properties) fields.set(name, [...(fields.get(name) ?? []), each]);
  }
  const given = Object.entries(value).map(
    ([name, each]: [string, Json]) => [name, withNulls(api, allOf(fields.get(name) ?? []), each)] as const,
  );
  const absent = [...fields.keys()].filter((name) => !Object.hasOwn(value, name));
  return Object.fromEntries([...absent.map((name) => [name, null] as const), ...given]);
}

/** The names of all fields that a schema describes, of the value itself. */
export function describedFields(api: Api, shape: Schema): readonly string[] {
  return [...new Set(partsOf(api, shape).flatMap(({ properties = [] }) => properties.map(({ name }) => name)))];
}

/** A schema and all subschemas of the same value. */
function partsOf(api: Api, shape: Schema): readonly Schema[] {
  const named = shape.ref === undefined ? [] : api.schemas.filter(({ name }) => name === shape.ref);
  const parts = [
    ...named.map((each) => each.schema),
    ...(shape.allOf ?? []),
    ...(shape.anyOf ?? []),
    ...(shape.oneOf ?? []),
    ...(shape.then === undefined ? [] : [shape.then]),
  ];
  return [shape, ...parts.flatMap((part) => partsOf(api, part))];
}

function allOf(shapes: readonly Schema[]): Schema {
  return { types: [], allOf: shapes, origin: { file: "", pointer: "" } };
}
