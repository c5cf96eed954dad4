import type { Discriminator, Schema } from "../../model/index.js";
import { acceptsAnything, isAnnotationOnly } from "./merge.js";

/** The values that select each named schema. Cached, since each branch asks. */
export function valuesBySchema(discriminator: Discriminator): ReadonlyMap<string, readonly string[]> {
  const cached = selectingValues.get(discriminator);
  if (cached !== undefined) return cached;
  const values = new Map<string, string[]>(discriminator.mapping.map(({ schema }) => [schema, []]));
  for (const { schema, value } of discriminator.mapping) values.get(schema)?.push(value);
  selectingValues.set(discriminator, values);
  return values;
}

const selectingValues = new WeakMap<Discriminator, ReadonlyMap<string, readonly string[]>>();

/** Returns the reference in an `allOf` that only adds annotations. */
export function onlyBranch({ allOf = [], ...rest }: Schema): Schema | undefined {
  const [first, ...others] = allOf.filter((branch) => !isAnnotationOnly(branch));
  if (first?.ref === undefined || others.length > 0) return undefined;
  return isAnnotationOnly(rest) || isBareObject(rest) ? first : undefined;
}

/** True for `type: object` without other constraints. The branches beside it are more precise. */
export function isBareObject(schema: Schema): boolean {
  return (
    schema.types.length === 1 &&
    schema.types[0] === "object" &&
    schema.required === undefined &&
    acceptsAnything({ ...schema, types: [] })
  );
}

/** Returns the branches of `allOf` that constrain a value. `type: object` does not beside a part that says more. */
export function constrainingBranches({ allOf = [], anyOf = [], oneOf = [], ...core }: Schema): readonly Schema[] {
  const constrains = (each: Schema): boolean => !acceptsAnything(each);
  const saysMore = (each: Schema): boolean => constrains(each) && !isBareObject(each);
  const isRefined = [...allOf, core].some(saysMore) || [...anyOf, ...oneOf].some(constrains);
  return allOf.filter(isRefined ? saysMore : constrains);
}

/** Adds the type `object` to a branch that only refines properties of its object. */
export function inherit(branch: Schema, core: Schema): Schema {
  return branch.types.length === 0 && branch.properties !== undefined && core.types.includes("object")
    ? { ...branch, types: ["object"] }
    : branch;
}

/** Returns the types of a schema that names none. */
export function impliedTypes(schema: Schema): Schema["types"] {
  return schema.items !== undefined || schema.prefixItems !== undefined ? ["array"] : ["object"];
}

/** Returns the schema of what matches one of these. */
export function anyOfSchemas(schemas: readonly Schema[], { origin }: Schema): Schema {
  return { types: [], anyOf: schemas, origin };
}
