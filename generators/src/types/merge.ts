import type { Property, Shape } from "../model/api.js";

/** The named shapes, to look one up. */
export type ShapeIndex = ReadonlyMap<string, Shape>;

/**
 * The one object that `allOf` branches amount to, where they are plain objects: an intersection would show the reader of a type a puzzle, and the
 * type of a field that two branches describe would be neither's. Undefined where a branch is more than an object with properties.
 */
export function mergedObject(shape: Shape, shapes: ShapeIndex): Shape | undefined {
  const { allOf = [], ...rest } = shape;
  return allOf.length === 0 ? undefined : mergeAll([...allOf, rest], shapes);
}

/** True where a shape says nothing of the type. */
export function isAny(shape: Shape): boolean {
  return (
    shape.ref === undefined &&
    shape.types.length === 0 &&
    shape.never === undefined &&
    typeKeys.every((key) => shape[key] === undefined)
  );
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

/** Undefined where nothing is said of the type, or one of the branches is more than an object with properties. */
function mergeAll(branches: readonly Shape[], shapes: ShapeIndex): Shape | undefined {
  if (branches.every(isAny)) return undefined;
  // One that says nothing of the type may still say which properties are required.
  const telling = branches
    .filter((branch) => !isAny(branch) || branch.required !== undefined)
    .map((branch) => plainObject(branch, shapes));
  if (!telling.every((branch) => branch !== undefined)) return undefined;
  return telling.reduce((all, branch) => mergeObjects(all, branch, shapes));
}

function plainObject(branch: Shape, shapes: ShapeIndex): Shape | undefined {
  if (branch.ref !== undefined) {
    const { ref, ...beside } = branch;
    return isAny(beside) ? namedObject(ref, shapes) : undefined;
  }
  if (branch.allOf !== undefined) {
    const { allOf, ...rest } = branch;
    return mergeAll([...allOf, rest], shapes);
  }
  const isObject = branch.types.length === 0 || (branch.types.length === 1 && branch.types[0] === "object");
  const isMore =
    branch.anyOf ?? branch.oneOf ?? branch.enum ?? branch.items ?? branch.prefixItems ?? branch.patternProperties;
  return isObject && isMore === undefined && branch.const === undefined ? branch : undefined;
}

/** What each named shape amounts to; one that is made of itself is no plain object, which is what it is while it is being merged. */
const merged = new WeakMap<ShapeIndex, Map<string, Shape | undefined>>();

/** Each once: where references fan out at every level, following all of them would never end. */
function namedObject(name: string, shapes: ShapeIndex): Shape | undefined {
  const known = merged.get(shapes) ?? new Map<string, Shape | undefined>();
  merged.set(shapes, known);
  if (known.has(name)) return known.get(name);
  known.set(name, undefined);
  const named = shapes.get(name);
  const object = named && plainObject(named, shapes);
  known.set(name, object);
  return object;
}

function mergeObjects(a: Shape, b: Shape, shapes: ShapeIndex): Shape {
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  const names = [...new Set([...(a.properties ?? []), ...(b.properties ?? [])].map((property) => property.name))];
  const find = (shape: Shape, name: string) => shape.properties?.find((property) => property.name === name);
  const properties = names.flatMap((name): readonly Property[] => {
    const [first, second] = [find(a, name), find(b, name)];
    const both =
      first && second
        ? { ...first, ...second, shape: mergeShapes(first.shape, second.shape, shapes) }
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

/** What holds when both do, kept simple where one of them says nothing or both are arrays or objects. */
function mergeShapes(a: Shape, b: Shape, shapes: ShapeIndex): Shape {
  const described = {
    ...(a.description === undefined ? {} : { description: a.description }),
    ...(b.description === undefined ? {} : { description: b.description }),
  };
  if (isAny(b)) return { ...a, ...described };
  if (isAny(a)) return { ...b, ...described };
  // What has a name stays named: merged into its fields, the fields of those, and so on, it might never end.
  if (a.ref !== undefined || b.ref !== undefined) {
    if (a.ref === b.ref) return { ...a, ...b };
    return { types: [], allOf: [a, { types: [], anyOf: [b], origin: b.origin }], ...described, origin: b.origin }; // a union is not merged
  }
  if (a.types.length === 1 && b.types.length === 1 && a.types[0] === b.types[0]) {
    if (a.types[0] === "array" && a.items !== undefined && b.items !== undefined)
      return { ...a, ...b, items: mergeShapes(a.items, b.items, shapes) };
    if (a.types[0] !== "object" && a.types[0] !== "array") return { ...a, ...b };
  }
  return (
    mergedObject({ types: [], allOf: [a, b], origin: b.origin }, shapes) ?? {
      types: [],
      allOf: [a, b],
      ...described,
      origin: b.origin,
    }
  );
}
