import type { Shape } from "../../model/api.js";
import type { ShapesByName } from "../../model/shapes-by-name.js";

/** A union whose branch a field determines. */
export interface TaggedUnion {
  readonly shape: Shape;
  /** The name of the field. */
  readonly property: string;
  readonly branches: readonly { readonly value: string; readonly shape: Shape }[];
}

/**
 * Finds the field that determines the branch: the discriminator, or a field with distinct values in each branch.
 * `undefined` if there is none.
 */
export function taggedUnion(shape: Shape, named: ShapesByName): TaggedUnion | undefined {
  return byDiscriminator(shape) ?? byValues(shape, named);
}

/** Returns the branches of a union. */
export function branchesOf({ anyOf = [], oneOf = [] }: Shape): readonly Shape[] {
  return [...anyOf, ...oneOf];
}

function byDiscriminator(shape: Shape): TaggedUnion | undefined {
  const { discriminator } = shape;
  if (discriminator === undefined || discriminator.mapping.length === 0) return undefined;
  const all = branchesOf(shape);
  const branches = discriminator.mapping.flatMap((each) => {
    const branch = all.find(({ ref }) => ref === each.shape);
    return branch === undefined ? [] : [{ value: each.value, shape: branch }];
  });
  if (branches.length < discriminator.mapping.length) return undefined;
  return { shape, property: discriminator.property, branches };
}

function byValues(shape: Shape, named: ShapesByName): TaggedUnion | undefined {
  const all = branchesOf(shape).filter(({ types }) => !(types.length === 1 && types[0] === "null"));
  const [first] = all;
  if (first === undefined || all.length < 2) return undefined;
  const properties = resolved(first, named)?.properties ?? [];
  for (const { name: property } of properties) {
    const branches = all.map((branch) => ({ shape: branch, values: valuesOf(resolved(branch, named), property) }));
    const values = branches.flatMap((branch) => branch.values);
    if (branches.some((branch) => branch.values.length === 0) || new Set(values).size < values.length) continue;
    const pairs = branches.flatMap((branch) => branch.values.map((value) => ({ value, shape: branch.shape })));
    return { shape, property, branches: pairs };
  }
  return undefined;
}

/** Returns the strings that a required field allows. */
function valuesOf(shape: Shape | undefined, property: string): readonly string[] {
  const field = shape?.properties?.find(({ name }) => name === property);
  if (field === undefined || !(field.required || shape?.required?.includes(property))) return [];
  const values = field.shape.const === undefined ? (field.shape.enum ?? []) : [field.shape.const];
  const texts = values.filter((value) => typeof value === "string");
  return texts.length === values.length ? texts : [];
}

function resolved(shape: Shape, named: ShapesByName): Shape | undefined {
  return shape.ref === undefined ? shape : named.get(shape.ref);
}
