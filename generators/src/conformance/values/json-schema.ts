import type { JsonSchema } from "@plumbline/conformance-runtime";
import {
  assertions,
  listKeywords,
  mapKeywords,
  type Property,
  type Schema,
  singleKeywords,
} from "@plumbline/kit/model";
import { requirementIds } from "../context/context.js";

/**
 * Converts a schema of the model to JSON Schema 2020-12 with references `#/$defs/Name`. Nodes with requirements have `x-source`, so that differences can
 * be attributed.
 */
export function jsonSchemaOf(schema: Schema): JsonSchema {
  if (schema.never) return false;
  const { ref, types, properties, required, limits: _limits, ...rest } = schema;
  const converted: Record<string, unknown> = {};
  if (ref !== undefined) converted["$ref"] = `#/$defs/${ref}`;
  if (types.length === 1) converted["type"] = types[0];
  else if (types.length > 1) converted["type"] = types;
  for (const { name } of assertions) if (rest[name] !== undefined) converted[name] = rest[name];
  for (const keyword of singleKeywords)
    if (rest[keyword] !== undefined) converted[keyword] = jsonSchemaOf(rest[keyword]);
  for (const keyword of listKeywords)
    if (rest[keyword] !== undefined) converted[keyword] = rest[keyword].map(jsonSchemaOf);
  for (const keyword of mapKeywords) if (rest[keyword] !== undefined) converted[keyword] = mapped(rest[keyword]);
  if (properties !== undefined)
    converted["properties"] = Object.fromEntries(properties.map((each) => [each.name, propertySchema(each)] as const));
  const requiredNames = [
    ...new Set([...(required ?? []), ...(properties ?? []).filter((each) => each.required).map(({ name }) => name)]),
  ];
  const hidden = new Set((properties ?? []).filter(isConditional).map(({ name }) => name));
  const always = requiredNames.filter((name) => !hidden.has(name));
  if (always.length > 0) converted["required"] = always;
  const sources = requirementIds(schema.sources);
  if (sources.length > 0) converted["x-source"] = sources;
  return converted;
}

/** True for a field that only some callers or operations see. */
function isConditional({ schema }: Property): boolean {
  return (
    schema.visibility?.otherwise === "absent" ||
    (schema.visibility !== undefined && schema.visibility.otherwise === undefined)
  );
}

function propertySchema({ schema }: Property): JsonSchema {
  const otherwise = schema.visibility?.otherwise;
  const converted = jsonSchemaOf(schema);
  // For other callers a hidden field is null or truncated.
  return otherwise === null ? { anyOf: [converted, { type: "null" }] } : converted;
}

function mapped(schemas: Readonly<Record<string, Schema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, jsonSchemaOf(schema)] as const));
}
