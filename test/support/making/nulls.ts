import type { Api, Json, Shape } from "../model.js";

/** A body in which every field that is described and was not given is null, in the objects within it as well. */
export function withNulls(api: Api, shape: Shape, value: Json): Json {
  if (Array.isArray(value)) {
    const items = partsOf(api, shape).flatMap((part) => part.items ?? []);
    return value.map((each: Json) => withNulls(api, allOf(items), each));
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = new Map<string, Shape[]>();
  for (const { properties = [] } of partsOf(api, shape)) {
    for (const { name, shape: each } of properties) fields.set(name, [...(fields.get(name) ?? []), each]);
  }
  const given = Object.entries(value).map(
    ([name, each]: [string, Json]) => [name, withNulls(api, allOf(fields.get(name) ?? []), each)] as const,
  );
  const absent = [...fields.keys()].filter((name) => !Object.hasOwn(value, name));
  return Object.fromEntries([...absent.map((name) => [name, null] as const), ...given]);
}

/** The names of the fields that a shape describes anywhere, of the value itself. */
export function describedFields(api: Api, shape: Shape): readonly string[] {
  return [...new Set(partsOf(api, shape).flatMap(({ properties = [] }) => properties.map(({ name }) => name)))];
}

/** A shape and everything that says something of the same value. */
function partsOf(api: Api, shape: Shape): readonly Shape[] {
  const named = shape.ref === undefined ? [] : api.shapes.filter(({ name }) => name === shape.ref);
  const parts = [
    ...named.map((each) => each.shape),
    ...(shape.allOf ?? []),
    ...(shape.anyOf ?? []),
    ...(shape.oneOf ?? []),
    ...(shape.then === undefined ? [] : [shape.then]),
  ];
  return [shape, ...parts.flatMap((part) => partsOf(api, part))];
}

function allOf(shapes: readonly Shape[]): Shape {
  return { types: [], allOf: shapes, origin: { file: "", pointer: "" } };
}
