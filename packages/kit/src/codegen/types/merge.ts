import type { Property, Schema, SchemasByName } from "../../model/index.js";

/** A merged object, and the names of the schemas that were merged into it. */
export interface MergedObject {
  readonly schema: Schema;
  readonly names: ReadonlySet<string>;
}

/**
 * Merges `allOf` branches that are plain objects into one object. An intersection would be hard to read, and would have
 * wrong types for fields that
 * two branches declare. Returns `undefined` if a branch is more than an object with properties, or is one of `within`:
 * a schema that contains
 * itself would never end.
 */
export function mergeObjectSchemas(
  schema: Schema,
  schemas: SchemasByName,
  within: ReadonlySet<string> = new Set(),
): MergedObject | undefined {
  const { allOf = [], ...rest } = schema;
  const branches = [...allOf, rest];
  if (allOf.length === 0 || branches.every(acceptsAnything)) return undefined;
  const names = new Set(within);
  const objects = branches.map((branch) => plainObjects(branch, schemas, { above: within, names }));
  if (!objects.every((each) => each !== undefined)) return undefined;
  const [first, ...others] = objects.flat();
  if (first === undefined) return undefined;
  const merged = others.length === 0 ? first : mergeObjects([first, ...others], { schemas, within: names });
  return { schema: merged, names };
}

/** True if a schema does not constrain the type. */
export function acceptsAnything(schema: Schema): boolean {
  return (
    schema.ref === undefined &&
    schema.types.length === 0 &&
    schema.never === undefined &&
    typeKeys.every((key) => schema[key] === undefined)
  );
}

/** True if a schema constrains neither the type nor the properties. */
export function isAnnotationOnly(schema: Schema): boolean {
  return acceptsAnything(schema) && schema.required === undefined;
}

const typeKeys = [
  "enum",
  "const",
  "items",
  "prefixItems",
  "properties",
  "additionalProperties",
  "patternProperties",
  "allOf",
  "anyOf",
  "oneOf",
] as const;

/** Returns the objects of a branch. Empty if it has no constraints, and `undefined` if it is more than objects with properties. */
function plainObjects(
  branch: Schema,
  schemas: SchemasByName,
  visited: { readonly above: ReadonlySet<string>; readonly names: Set<string> },
): readonly Schema[] | undefined {
  if (isAnnotationOnly(branch)) return [];
  if (branch.ref !== undefined) {
    const target = schemas.get(branch.ref);
    const { ref, ...beside } = branch;
    if (target === undefined || visited.above.has(ref) || !acceptsAnything(beside)) return undefined;
    if (visited.names.has(ref)) return []; // each schema is merged once, whatever the number of references
    visited.names.add(ref);
    return plainObjects(target, schemas, { ...visited, above: new Set([...visited.above, ref]) });
  }
  if (branch.allOf !== undefined) {
    const { allOf, ...rest } = branch;
    const parts = [...allOf, rest].map((each) => plainObjects(each, schemas, visited));
    return parts.every((each) => each !== undefined) ? parts.flat() : undefined;
  }
  const isObject = branch.types.length === 0 || (branch.types.length === 1 && branch.types[0] === "object");
  const isMore =
    branch.anyOf ?? branch.oneOf ?? branch.enum ?? branch.items ?? branch.prefixItems ?? branch.patternProperties;
  return isObject && isMore === undefined && branch.const === undefined ? [branch] : undefined;
}

/** The schemas that are being merged. */
interface MergeContext {
  readonly schemas: SchemasByName;
  readonly within: ReadonlySet<string>;
}

function mergeObjects(objects: readonly [Schema, ...Schema[]], context: MergeContext): Schema {
  const required = new Set(objects.flatMap((each) => each.required ?? []));
  const properties = new Map<string, Property>();
  for (const second of objects.flatMap((each) => each.properties ?? [])) {
    const first = properties.get(second.name);
    properties.set(
      second.name,
      first ? { ...first, ...second, schema: mergeSchemas(first.schema, second.schema, context) } : second,
    );
  }
  const [first, ...others] = objects;
  const all = others.reduce<Schema>((merged, each) => Object.assign(merged, each), { ...first });
  return {
    ...all,
    types: ["object"],
    properties: [...properties.values()].map((property) => ({ ...property, required: required.has(property.name) })),
    required: [...required],
  };
}

/** Merges two schemas, both of which apply. The result is simple if one has no constraints, or if both are arrays or objects. */
function mergeSchemas(a: Schema, b: Schema, context: MergeContext): Schema {
  const described = {
    ...(a.description === undefined ? {} : { description: a.description }),
    ...(b.description === undefined ? {} : { description: b.description }),
  };
  if (acceptsAnything(b)) return { ...a, ...described };
  if (acceptsAnything(a)) return { ...b, ...described };
  // Named schemas stay references. If they were merged as well, their fields in turn might never end.
  if (a.ref !== undefined && a.ref === b.ref) return { ...a, ...b };
  if (a.ref !== undefined || b.ref !== undefined)
    return { types: [], allOf: [a, { types: [], anyOf: [b], origin: b.origin }], ...described, origin: b.origin };
  if (a.types.length === 1 && b.types.length === 1 && a.types[0] === b.types[0]) {
    if (a.types[0] === "array" && a.items !== undefined && b.items !== undefined)
      return { ...a, ...b, items: mergeSchemas(a.items, b.items, context) };
    if (a.types[0] !== "object" && a.types[0] !== "array") return mergeScalars(a, b);
  }
  const both: Schema = { types: [], allOf: [a, b], origin: b.origin };
  return mergeObjectSchemas(both, context.schemas, context.within)?.schema ?? { ...both, ...described };
}

/** Returns the values that are in both lists. */
function mergeScalars(a: Schema, b: Schema): Schema {
  const common =
    a.enum !== undefined && b.enum !== undefined ? a.enum.filter((each) => b.enum?.includes(each)) : undefined;
  return { ...a, ...b, ...(common === undefined ? {} : { enum: common }) };
}
