import type { Property, Schema, SchemasByName } from "@plumbline/model";

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
  const merged = others.reduce((all, each) => mergeObjects(all, each, { schemas, within: names }), first);
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
  met: { readonly above: ReadonlySet<string>; readonly names: Set<string> },
): readonly Schema[] | undefined {
  if (isAnnotationOnly(branch)) return [];
  if (branch.ref !== undefined) {
    const named = schemas.get(branch.ref);
    const { ref, ...beside } = branch;
    if (named === undefined || met.above.has(ref) || !acceptsAnything(beside)) return undefined;
    if (met.names.has(ref)) return []; // each schema is merged once, whatever the number of references
    met.names.add(ref);
    return plainObjects(named, schemas, { ...met, above: new Set([...met.above, ref]) });
  }
  if (branch.allOf !== undefined) {
    const { allOf, ...rest } = branch;
    const parts = [...allOf, rest].map((each) => plainObjects(each, schemas, met));
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

function mergeObjects(a: Schema, b: Schema, context: MergeContext): Schema {
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  const names = [...new Set([...(a.properties ?? []), ...(b.properties ?? [])].map((property) => property.name))];
  const find = (schema: Schema, name: string) => schema.properties?.find((property) => property.name === name);
  const properties = names.flatMap((name): readonly Property[] => {
    const [first, second] = [find(a, name), find(b, name)];
    const both =
      first && second
        ? { ...first, ...second, schema: mergeSchemas(first.schema, second.schema, context) }
        : (first ?? second);
    return both === undefined ? [] : [{ ...both, required: required.includes(name) }];
  });
  const additional = b.additionalProperties ?? a.additionalProperties;
  return {
    ...a,
    ...b,
    types: ["object"],
    properties,
    required,
    ...(additional === undefined ? {} : { additionalProperties: additional }),
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
