import {
  assertions,
  isJsonObject,
  isOfJsonType,
  schemasByName,
  type Api,
  type Json,
  type Schema,
} from "@plumbline/kit/model";

/** True when a value satisfies a schema, except for formats. */
export function isValid(api: Api, schema: Schema, value: Json): boolean {
  return findInvalid(api, { schema, value, depth: 0 }) === undefined;
}

/** Maximum depth of nested values. Deeper ones count as valid. */
const maxDepth = 40;

interface Validated {
  readonly schema: Schema;
  readonly value: Json;
  readonly depth: number;
}

/** The first schema that a value does not satisfy. */
function findInvalid(api: Api, { schema, value, depth }: Validated): Schema | undefined {
  if (depth > maxDepth) return undefined;
  if (schema.never === true || !hasType(schema, value)) return schema;
  if (assertions.some(({ testOf }) => testOf?.(schema)?.(value) === false)) return schema;
  const holds = (part: Schema): boolean => findInvalid(api, { schema: part, value, depth: depth + 1 }) === undefined;
  const { anyOf, oneOf, not } = schema;
  if (anyOf !== undefined && !anyOf.some(holds)) return schema;
  if (oneOf !== undefined && oneOf.filter(holds).length !== 1) return schema;
  if (not !== undefined && holds(not)) return schema;
  const chosen = schema.if === undefined ? undefined : holds(schema.if) ? schema.then : schema.else;
  const named = schema.ref === undefined ? undefined : schemasByName(api).get(schema.ref);
  for (const part of [named, chosen, ...(schema.allOf ?? [])]) if (part !== undefined && !holds(part)) return part;
  return findInvalidChild(api, { schema, value, depth });
}

function findInvalidChild(api: Api, { schema, value, depth }: Validated): Schema | undefined {
  const check = (part: Schema | undefined, inner: Json): Schema | undefined =>
    part === undefined ? undefined : findInvalid(api, { schema: part, value: inner, depth: depth + 1 });
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) {
      const found = check(schema.prefixItems?.[index] ?? schema.items, item);
      if (found !== undefined) return found;
    }
    const matching =
      schema.contains === undefined ? 0 : value.filter((item) => check(schema.contains, item) === undefined).length;
    const { contains, minContains = 1, maxContains = Infinity } = schema;
    return contains !== undefined && (matching < minContains || matching > maxContains) ? schema : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { properties = [], required = [], additionalProperties, propertyNames, dependentSchemas = {} } = schema;
  const names = new Set(properties.map(({ name }) => name));
  if (
    [...required, ...properties.filter((each) => each.required).map(({ name }) => name)].some(
      (name) => !(name in value),
    )
  )
    return schema;
  for (const [name, inner] of Object.entries(value as Readonly<Record<string, Json>>)) {
    const property = properties.find((each) => each.name === name);
    const found =
      check(property?.schema ?? (names.has(name) ? undefined : additionalProperties), inner) ??
      check(propertyNames, name) ??
      check(dependentSchemas[name], value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True when the types of a schema allow a value. */
export function hasType({ types }: Schema, value: unknown): boolean {
  return types.length === 0 || types.some((type) => isOfJsonType(value, type));
}
