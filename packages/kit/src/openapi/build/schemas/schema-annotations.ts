import { type Filterable, type Schema, filterOperators, pickDefined } from "../../../model/index.js";
import type { SpecNode } from "../../read/spec-node.js";
import { readStrings } from "../plain-data.js";

/** Allows null beside a schema. Annotations stay outside of the union. */
export function nullableSchema(schema: Schema): Schema {
  const { title, description, deprecated, default: initial, examples, origin, ...rest } = schema;
  const about = {
    ...pickDefined("title", title),
    ...pickDefined("description", description),
    ...pickDefined("deprecated", deprecated),
  };
  const values = { ...pickDefined("default", initial), ...pickDefined("examples", examples) };
  return {
    types: [],
    anyOf: [
      { ...rest, origin },
      { types: ["null"], origin },
    ],
    ...about,
    ...values,
    origin,
  };
}

/**
 * A union of null and a schema that states its types, as one schema with null among its types: `anyOf: [{type: integer, maximum: 10}, {type:
 * "null"}]`, which pydantic and others write. Every reader then finds the bounds where they are without null. Other schemas are unchanged.
 */
export function withNullAsType(schema: Schema): Schema {
  const { types, anyOf, oneOf, ...about } = schema;
  const [first, second, ...others] = anyOf ?? oneOf ?? [];
  if (first === undefined || second === undefined || others.length > 0) return schema;
  if (types.length > 0 || (anyOf !== undefined && oneOf !== undefined)) return schema;
  const [value, none] = isNull(second) ? [first, second] : [second, first];
  if (!isNull(none) || value.types.length === 0 || value.types.includes("null")) return schema;
  if (!hasOnly(about, besideUnion) || Object.keys(value).some((key) => alsoOfNull.has(key))) return schema;
  const { const: only, enum: listed = only === undefined ? undefined : [only], ...rest } = value;
  return {
    ...rest,
    types: [...value.types, "null"],
    ...pickDefined("enum", listed && (listed.includes(null) ? listed : [...listed, null])),
    ...about,
  };
}

function isNull(schema: Schema): boolean {
  return schema.types[0] === "null" && schema.types.length === 1 && hasOnly(schema, ["types", ...annotationKeys]);
}

function hasOnly(schema: Partial<Schema>, keys: readonly (keyof Schema)[]): boolean {
  return Object.keys(schema).every((key) => keys.some((each) => each === key));
}

const annotationKeys = ["title", "description", "deprecated", "default", "examples", "origin"] as const;

const vocabularyKeys = [
  ...(["limits", "valueRules", "reference", "visibility", "filterable"] as const),
  ...(["scopeCeiling", "errors", "sources"] as const),
] as const;

const besideUnion = [...annotationKeys, ...vocabularyKeys] as const;

/** What a branch says of each of its values. Beside `types`, it would say it of null as well; bounds and the like apply to their own types only. */
const alsoOfNull: ReadonlySet<string> = new Set<keyof Schema>([
  ...(["ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "discriminator", "keywords"] as const),
  ...vocabularyKeys,
]);

/** Reads title, description and deprecation. */
export function readAnnotations(place: SpecNode): Partial<Schema> {
  return {
    ...pickDefined("title", place.text("title")),
    ...pickDefined("description", place.text("description")),
    ...pickDefined("deprecated", place.isTrue("deprecated") ? (true as const) : undefined),
  };
}

/** OpenAPI 3.0 ignores keywords beside a reference. Annotations are kept, since they do no harm. */
export function annotationSchema(place: SpecNode): Schema {
  return { types: [], ...readAnnotations(place), origin: place.origin };
}

/** Reads `x-filterable`. The linter reports operators of other names. */
export function readFilterable(place: SpecNode): Filterable | undefined {
  if (place.isTrue("x-filterable")) return {};
  const operators = place.get("x-filterable")?.get("operators");
  if (operators === undefined) return undefined;
  const stated = readStrings(operators);
  return { operators: filterOperators.filter((each) => stated.includes(each)) };
}
