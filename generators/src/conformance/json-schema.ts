import type { JsonSchema } from "@plumbline/conformance-runtime";
import type { Property, Shape } from "../model/api.js";
import { requirementsOf } from "./context.js";

/**
 * Converts a shape to JSON Schema 2020-12 with references `#/$defs/Name`. Nodes with requirements have `x-source`, so that differences can
 * be attributed. Responses have no `writeOnly` fields.
 */
export function jsonSchemaOf(shape: Shape): JsonSchema {
  if (shape.never) return false;
  const { ref, types, properties, required, limits: _limits, ...rest } = shape;
  const shown = properties?.filter((property) => !property.writeOnly);
  const schema: Record<string, unknown> = {};
  if (ref !== undefined) schema["$ref"] = `#/$defs/${ref}`;
  if (types.length === 1) schema["type"] = types[0];
  else if (types.length > 1) schema["type"] = types;
  for (const keyword of plain) if (rest[keyword] !== undefined) schema[keyword] = rest[keyword];
  for (const keyword of one) if (rest[keyword] !== undefined) schema[keyword] = jsonSchemaOf(rest[keyword]);
  for (const keyword of many) if (rest[keyword] !== undefined) schema[keyword] = rest[keyword].map(jsonSchemaOf);
  for (const keyword of maps) if (rest[keyword] !== undefined) schema[keyword] = mapped(rest[keyword]);
  if (shown !== undefined)
    schema["properties"] = Object.fromEntries(shown.map((each) => [each.name, propertySchema(each)] as const));
  const wanted = [
    ...new Set([...(required ?? []), ...(shown ?? []).filter((each) => each.required).map(({ name }) => name)]),
  ];
  const hidden = new Set(
    (properties ?? []).filter((each) => each.writeOnly || isConditional(each)).map(({ name }) => name),
  );
  const always = wanted.filter((name) => !hidden.has(name));
  if (always.length > 0) schema["required"] = always;
  const sources = requirementsOf(shape.sources);
  if (sources.length > 0) schema["x-source"] = sources;
  return schema;
}

/** True for a field that only some callers or operations see. */
function isConditional({ shape }: Property): boolean {
  return (
    shape.visible?.otherwise === "absent" || (shape.visible !== undefined && shape.visible.otherwise === undefined)
  );
}

function propertySchema({ shape }: Property): JsonSchema {
  const otherwise = shape.visible?.otherwise;
  const schema = jsonSchemaOf(shape);
  // For other callers a hidden field is null or truncated.
  return otherwise === null ? { anyOf: [schema, { type: "null" }] } : schema;
}

function mapped(shapes: Readonly<Record<string, Shape>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(shapes).map(([key, shape]) => [key, jsonSchemaOf(shape)] as const));
}

const plain = [
  "enum",
  "const",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minContains",
  "maxContains",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "dependentRequired",
] as const;
const one = [
  "items",
  "contains",
  "additionalProperties",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "unevaluatedProperties",
  "unevaluatedItems",
] as const;
const many = ["prefixItems", "allOf", "anyOf", "oneOf"] as const;
const maps = ["patternProperties", "dependentSchemas"] as const;
