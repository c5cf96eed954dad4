import { isArray, isObject } from "../../http/index.js";
import type { JsonSchema } from "../schemas.js";
import { type OlderTarget, never, present, withRule } from "./convert-schema.js";

/** OpenAPI 3.0, whose schemas have one type, `nullable`, and none of the keywords after draft 04. */
export const openApi30: OlderTarget = { hasBooleanSchemas: false, rewrite: toOpenApi30 };

/** Keywords without a form in OpenAPI 3.0. */
const missingKeywords: ReadonlySet<string> = new Set([
  "contains",
  "minContains",
  "maxContains",
  "if",
  "then",
  "else",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
]);

function toOpenApi30(schema: JsonSchema, loosen: () => void): JsonSchema {
  const { type, const: constant, examples, prefixItems, patternProperties, ...rest } = schema;
  const { contentEncoding, contentMediaType: _, exclusiveMinimum, exclusiveMaximum, ...known } = rest;
  const shared = Object.entries(known).filter(([keyword]) => !missingKeywords.has(keyword));
  const isShared = shared.length === Object.keys(known).length;
  if (!isShared || prefixItems !== undefined || patternProperties !== undefined) loosen();
  return withTypes(
    {
      ...Object.fromEntries(shared),
      ...(constant === undefined ? {} : { enum: [constant] }),
      ...(contentEncoding === "base64" ? { format: "byte" } : {}),
      ...present({ example: isArray(examples) ? examples[0] : undefined }),
      ...boundOf("minimum", schema["minimum"], exclusiveMinimum),
      ...boundOf("maximum", schema["maximum"], exclusiveMaximum),
      ...itemsOf(schema),
      ...additionalPropertiesOf(schema),
    },
    type,
  );
}

/** An exclusive bound is `true` beside a bound. Of two bounds, the narrower one is left. */
function boundOf(name: "minimum" | "maximum", bound: unknown, exclusive: unknown): JsonSchema {
  if (typeof exclusive !== "number") return {};
  const isNarrower = typeof bound !== "number" || (name === "minimum" ? exclusive >= bound : exclusive <= bound);
  return isNarrower ? { [name]: exclusive, [name === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum"]: true } : {};
}

/** Items have one schema, whatever their position. */
function itemsOf({ type, prefixItems, items = {}, maxItems }: JsonSchema): JsonSchema {
  if (!isArray(prefixItems)) return type === "array" ? { items } : {};
  const { length } = prefixItems;
  if (typeof maxItems === "number" && maxItems <= length) return { items: { anyOf: prefixItems } };
  return items === never
    ? { items: { anyOf: prefixItems }, maxItems: length }
    : { items: { anyOf: [...prefixItems, items] } };
}

/** Properties that are not declared have one schema, whatever their names. */
function additionalPropertiesOf({ patternProperties, additionalProperties = true }: JsonSchema): JsonSchema {
  if (!isObject(patternProperties) || additionalProperties === true) return {};
  const schemas = [
    ...Object.values(patternProperties),
    ...(additionalProperties === false ? [] : [additionalProperties]),
  ];
  return { additionalProperties: schemas.length === 1 ? schemas[0] : { anyOf: schemas } };
}

function withTypes(schema: JsonSchema, type: unknown): JsonSchema {
  const types = isArray(type) ? type : type === undefined ? [] : [type];
  const [first, ...others] = types.filter((each) => each !== "null");
  const nullable = types.includes("null") ? { nullable: true } : {};
  if (first === undefined)
    return types.length === 0 ? schema : { ...schema, type: "string", ...nullable, enum: [null] };
  if (others.length === 0) return { type: first, ...schema, ...nullable };
  const alternatives = [first, ...others].map((each) => ({
    type: each,
    ...nullable,
    ...(each === "array" ? { items: {} } : {}),
  }));
  return withRule(schema, { anyOf: alternatives });
}
