import type { Schema, SchemasByName } from "@plumbline/kit/model";

/** A union whose branch a field determines. */
export interface TaggedUnion {
  readonly schema: Schema;
  /** The name of the field. */
  readonly property: string;
  readonly branches: readonly { readonly value: string; readonly schema: Schema }[];
}

/**
 * Finds the field that determines the branch: the discriminator, or a field with distinct values in each branch.
 * `undefined` if there is none.
 */
export function findTaggedUnion(schema: Schema, schemasByName: SchemasByName): TaggedUnion | undefined {
  return byDiscriminator(schema) ?? byValues(schema, schemasByName);
}

/** Returns the branches of a union. */
export function unionBranches({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] {
  return [...anyOf, ...oneOf];
}

function byDiscriminator(schema: Schema): TaggedUnion | undefined {
  const { discriminator } = schema;
  if (discriminator === undefined || discriminator.mapping.length === 0) return undefined;
  const all = new Map(
    unionBranches(schema)
      .toReversed()
      .map((branch) => [branch.ref, branch]),
  );
  const branches = discriminator.mapping.flatMap((each) => {
    const branch = all.get(each.schema);
    return branch === undefined ? [] : [{ value: each.value, schema: withoutTag(branch, discriminator.propertyName) }];
  });
  if (branches.length < discriminator.mapping.length) return undefined;
  return { schema, property: discriminator.propertyName, branches };
}

/** The branch without the property that selects it, if it describes no other. */
function withoutTag(branch: Schema, property: string): Schema {
  const { properties, required: _, ...rest } = branch;
  return properties?.length === 1 && properties[0]?.name === property ? rest : branch;
}

function byValues(schema: Schema, schemasByName: SchemasByName): TaggedUnion | undefined {
  const all = unionBranches(schema).filter(({ types }) => !(types.length === 1 && types[0] === "null"));
  const [first] = all;
  if (first === undefined || all.length < 2) return undefined;
  const properties = resolveReference(first, schemasByName)?.properties ?? [];
  for (const { name: property } of properties) {
    const branches = all.map((branch) => ({
      schema: branch,
      values: valuesOf(resolveReference(branch, schemasByName), property),
    }));
    const values = branches.flatMap((branch) => branch.values);
    if (branches.some((branch) => branch.values.length === 0) || new Set(values).size < values.length) continue;
    const pairs = branches.flatMap((branch) => branch.values.map((value) => ({ value, schema: branch.schema })));
    return { schema, property, branches: pairs };
  }
  return undefined;
}

/** Returns the strings that a required field allows. */
function valuesOf(schema: Schema | undefined, property: string): readonly string[] {
  const field = schema?.properties?.find(({ name }) => name === property);
  if (field === undefined || !(field.required || schema?.required?.includes(property))) return [];
  const values = field.schema.const === undefined ? (field.schema.enum ?? []) : [field.schema.const];
  const texts = values.filter((value) => typeof value === "string");
  return texts.length === values.length ? texts : [];
}

function resolveReference(schema: Schema, schemasByName: SchemasByName): Schema | undefined {
  return schema.ref === undefined ? schema : schemasByName.get(schema.ref);
}
