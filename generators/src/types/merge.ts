import type { Property, Shape } from "../model/api.js";
import type { ShapesByName } from "../model/shapes-by-name.js";

/** A merged object, and the names of the schemas that were merged into it. */
export interface Merged {
  readonly shape: Shape;
  readonly names: ReadonlySet<string>;
}

/**
 * Merges `allOf` branches that are plain objects into one object. An intersection would be hard to read, and would have
 * wrong types for fields that
 * two branches declare. Returns `undefined` if a branch is more than an object with properties, or is one of `within`:
 * a schema that contains
 * itself would never end.
 */
export function mergedObject(
  shape: Shape,
  shapes: ShapesByName,
  within: ReadonlySet<string> = new Set(),
): Merged | undefined {
  const { allOf = [], ...rest } = shape;
  const branches = [...allOf, rest];
  if (allOf.length === 0 || branches.every(isAny)) return undefined;
  const names = new Set(within);
  const objects = branches.map((branch) => plainObjects(branch, shapes, { above: within, names }));
  if (!objects.every((each) => each !== undefined)) return undefined;
  const [first, ...others] = objects.flat();
  if (first === undefined) return undefined;
  const merged = others.reduce((all, each) => mergeObjects(all, each, { shapes, within: names }), first);
  return { shape: merged, names };
}

/** True if a schema does not constrain the type. */
export function isAny(shape: Shape): boolean {
  return (
    shape.ref === undefined &&
    shape.types.length === 0 &&
    shape.never === undefined &&
    typeKeys.every((key) => shape[key] === undefined)
  );
}

/** True if a schema constrains neither the type nor the properties. */
export function isSilent(shape: Shape): boolean {
  return isAny(shape) && shape.required === undefined;
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
  branch: Shape,
  shapes: ShapesByName,
  met: { readonly above: ReadonlySet<string>; readonly names: Set<string> },
): readonly Shape[] | undefined {
  if (isSilent(branch)) return [];
  if (branch.ref !== undefined) {
    const named = shapes.get(branch.ref);
    const { ref, ...beside } = branch;
    if (named === undefined || met.above.has(ref) || !isAny(beside)) return undefined;
    if (met.names.has(ref)) return []; // each schema is merged once, whatever the number of references
    met.names.add(ref);
    return plainObjects(named, shapes, { ...met, above: new Set([...met.above, ref]) });
  }
  if (branch.allOf !== undefined) {
    const { allOf, ...rest } = branch;
    const parts = [...allOf, rest].map((each) => plainObjects(each, shapes, met));
    return parts.every((each) => each !== undefined) ? parts.flat() : undefined;
  }
  const isObject = branch.types.length === 0 || (branch.types.length === 1 && branch.types[0] === "object");
  const isMore =
    branch.anyOf ?? branch.oneOf ?? branch.enum ?? branch.items ?? branch.prefixItems ?? branch.patternProperties;
  return isObject && isMore === undefined && branch.const === undefined ? [branch] : undefined;
}

/** The schemas that are being merged. */
interface Around {
  readonly shapes: ShapesByName;
  readonly within: ReadonlySet<string>;
}

function mergeObjects(a: Shape, b: Shape, around: Around): Shape {
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  const names = [...new Set([...(a.properties ?? []), ...(b.properties ?? [])].map((property) => property.name))];
  const find = (shape: Shape, name: string) => shape.properties?.find((property) => property.name === name);
  const properties = names.flatMap((name): readonly Property[] => {
    const [first, second] = [find(a, name), find(b, name)];
    const both =
      first && second
        ? { ...first, ...second, shape: mergeShapes(first.shape, second.shape, around) }
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
function mergeShapes(a: Shape, b: Shape, around: Around): Shape {
  const described = {
    ...(a.description === undefined ? {} : { description: a.description }),
    ...(b.description === undefined ? {} : { description: b.description }),
  };
  if (isAny(b)) return { ...a, ...described };
  if (isAny(a)) return { ...b, ...described };
  // Named schemas stay references. If they were merged as well, their fields in turn might never end.
  if (a.ref !== undefined && a.ref === b.ref) return { ...a, ...b };
  if (a.ref !== undefined || b.ref !== undefined)
    return { types: [], allOf: [a, { types: [], anyOf: [b], origin: b.origin }], ...described, origin: b.origin };
  if (a.types.length === 1 && b.types.length === 1 && a.types[0] === b.types[0]) {
    if (a.types[0] === "array" && a.items !== undefined && b.items !== undefined)
      return { ...a, ...b, items: mergeShapes(a.items, b.items, around) };
    if (a.types[0] !== "object" && a.types[0] !== "array") return mergeScalars(a, b);
  }
  const both: Shape = { types: [], allOf: [a, b], origin: b.origin };
  return mergedObject(both, around.shapes, around.within)?.shape ?? { ...both, ...described };
}

/** Returns the values that are in both lists. */
function mergeScalars(a: Shape, b: Shape): Shape {
  const common =
    a.enum !== undefined && b.enum !== undefined ? a.enum.filter((each) => b.enum?.includes(each)) : undefined;
  return { ...a, ...b, ...(common === undefined ? {} : { enum: common }) };
}
