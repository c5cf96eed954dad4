import { type Api, findJsonContent, type Json, type Operation, type Schema, schemaParts } from "@plumbline/kit/model";
import type { ObjectSchema } from "@plumbline/mcp-runtime";

/** How many levels of a result have a schema. Clients check results against it, and models read it: more costs more than it helps. */
const maxDepth = 2;

/**
 * Returns the schema of a successful result: names and types only, so that it is short, and so that a client rejects no result that a newer API returns.
 * Undefined if the success is not a JSON object.
 */
export function outputSchema(api: Api, { responses }: Operation): ObjectSchema | undefined {
  const successes = responses.filter(({ status }) => String(status).startsWith("2"));
  const [content, ...others] = successes.flatMap(({ contents }) => findJsonContent(contents) ?? []);
  if (content === undefined || others.length > 0 || successes.length > 1) return undefined;
  const parts = schemaParts(api, content.schema);
  const isObject = parts.some(({ types }) => types.length === 1 && types[0] === "object");
  if (!isObject || parts.some(({ types }) => types.length > 1)) return undefined;
  return objectSchema(api, parts, 1);
}

function objectSchema(api: Api, parts: readonly Schema[], depth: number): ObjectSchema {
  const fields = parts.flatMap(({ properties = [] }) => properties);
  if (fields.length === 0 || depth > maxDepth) return { type: "object" };
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, valueSchema(api, schema, depth)]));
  return { type: "object", properties };
}

function valueSchema(api: Api, schema: Schema, depth: number): Readonly<Record<string, Json>> {
  const parts = schemaParts(api, schema);
  const typed = parts.filter(({ types }) => types.length > 0);
  const types = typed[0]?.types ?? [];
  // Variants of several types, and values that some callers see as null, have no schema.
  const isSame = typed.every(
    (each) => each.types.length === types.length && each.types.every((type) => types.includes(type)),
  );
  if (!isSame || types.length === 0 || parts.some(({ visibility }) => visibility !== undefined)) return {};
  if (types.includes("object") && types.length === 1)
    return objectSchema(api, parts, depth + 1) as Readonly<Record<string, Json>>;
  const items = parts.find((part) => part.items !== undefined)?.items;
  const type: Json = types.length === 1 ? (types[0] ?? "object") : types;
  if (items === undefined || depth >= maxDepth) return { type };
  // The items of a list are the value itself: they count as one level with it.
  const item = valueSchema(api, items, depth);
  return Object.keys(item).length === 0 ? { type } : { type, items: item };
}
