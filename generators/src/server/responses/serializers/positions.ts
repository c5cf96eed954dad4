import type { Schema, SchemasByName } from "@plumbline/kit/model";
import { unionBranches, findTaggedUnion, type TaggedUnion } from "./unions.js";

/** A value in responses, with all schemas that apply to it. */
export interface SchemaPosition {
  readonly schemas: readonly Schema[];
  /** Unions whose branch is known. */
  readonly settled: readonly Schema[];
}

/** The schemas of a position, flattened: its own and those they are composed of, in the order of the description. */
export interface FlattenedPosition {
  readonly parts: readonly Schema[];
  readonly union?: TaggedUnion;
  /** True if a branch allows any value. */
  readonly isFree: boolean;
}

/**
 * Flattens schemas: references, `allOf`, and every branch of a union without a discriminating field, so that the result
 * has the fields of all
 * branches. Conditional subschemas come last.
 */
export function flattenPosition({ schemas, settled }: SchemaPosition, schemasByName: SchemasByName): FlattenedPosition {
  const parts: Schema[] = [];
  const later: Schema[] = [];
  const visited = new Set<string>();
  let union: TaggedUnion | undefined;
  let isFree = false;
  const visit = (schema: Schema): void => {
    if (schema.ref !== undefined && !visited.has(schema.ref)) {
      visited.add(schema.ref);
      const target = schemasByName.get(schema.ref);
      if (target !== undefined) visit(target);
    }
    schema.allOf?.forEach(visit);
    parts.push(schema);
    later.push(...conditionalParts(schema));
    if (settled.includes(schema)) return;
    const tagged = union === undefined ? findTaggedUnion(schema, schemasByName) : undefined;
    union ??= tagged;
    const taggedBranches = new Set(tagged?.branches.map((each) => each.schema.ref ?? each.schema));
    for (const branch of unionBranches(schema)) {
      if (isUnconstrained(branch)) isFree = true;
      else if (!taggedBranches.has(branch.ref ?? branch)) visit(branch);
    }
  };
  schemas.forEach(visit);
  for (let next = later.shift(); next !== undefined; next = later.shift()) visit(next);
  return { parts, isFree, ...(union === undefined ? {} : { union }) };
}

function conditionalParts(schema: Schema): readonly Schema[] {
  const parts = [schema.then, schema.else, ...Object.values(schema.dependentSchemas ?? {})];
  return parts.filter((part) => part !== undefined);
}

/** Simplifies a position: resolves schemas that only refer to another one, and drops unconstrained ones. */
export function simplifyPosition({ schemas, settled }: SchemaPosition): SchemaPosition {
  const plain = schemas.map(simplifySchema).filter((schema) => relevantKeys(schema).length > 0);
  return { schemas: [...new Map(plain.map((schema) => [schemaKey(schema), schema] as const)).values()], settled };
}

/** Returns the name of the schema, if the position is a single reference. */
export function soleReference({ schemas, settled }: SchemaPosition): string | undefined {
  const [only] = schemas;
  return schemas.length === 1 && settled.length === 0 && only !== undefined && isReference(only) ? only.ref : undefined;
}

/** Returns the same key for equal positions. */
export function positionKey({ schemas, settled }: SchemaPosition): string {
  return `${schemas.map(schemaKey).join(" ")} / ${settled.map(schemaKey).join(" ")}`;
}

const ids = new WeakMap<Schema, number>();
let lastId = 0;

function schemaKey(schema: Schema): string {
  if (isReference(schema)) return `#${schema.ref}`;
  const id = ids.get(schema) ?? (lastId += 1);
  ids.set(schema, id);
  return String(id);
}

function isReference(schema: Schema): boolean {
  const keys = relevantKeys(schema);
  return keys.length === 1 && keys[0] === "ref";
}

/** Unwraps a union with null and `allOf` with one schema. Null is always passed through. */
function simplifySchema(schema: Schema): Schema {
  const [keyword, ...others] = relevantKeys(schema);
  if (others.length > 0 || (keyword !== "allOf" && keyword !== "anyOf" && keyword !== "oneOf")) return schema;
  const branches = (schema[keyword] ?? []).filter((branch) => !isNull(branch));
  const saying = keyword === "allOf" ? branches.filter((branch) => relevantKeys(branch).length > 0) : branches;
  const [only] = saying;
  return only !== undefined && saying.length === 1 ? simplifySchema(only) : schema;
}

function isNull({ types }: Schema): boolean {
  return types.length === 1 && types[0] === "null";
}

/** Returns the keywords that affect serialization. */
function relevantKeys(schema: Schema): readonly (keyof Schema)[] {
  return relevant.filter((key) => {
    if (key === "types") return schema.types.length > 0;
    if (key === "format") return schema.format === "date-time" || schema.format === "date";
    if (key === "visibility") return schema.visibility?.in !== undefined || schema.visibility?.when !== undefined;
    return schema[key] !== undefined;
  });
}

const relevant = [
  "ref",
  "types",
  "never",
  "enum",
  "const",
  "format",
  "items",
  "prefixItems",
  "unevaluatedItems",
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
  "unevaluatedProperties",
  "maxProperties",
  "allOf",
  "anyOf",
  "oneOf",
  "then",
  "else",
  "dependentSchemas",
  "visibility",
] as const satisfies readonly (keyof Schema)[];

/** True for a schema without constraints, which allows everything as a branch. A schema with only required fields is a condition. */
export function isUnconstrained({ types, ...schema }: Schema): boolean {
  return types.length === 0 && Object.keys(schema).every((key) => annotationKeys.has(key));
}

const annotationKeys: ReadonlySet<string> = new Set(
  "origin title description sources deprecated examples default".split(" "),
);
