import type { Shape } from "../../model/api.js";
import type { ShapesByName } from "../../model/shapes-by-name.js";
import { branchesOf, taggedUnion, type TaggedUnion } from "./unions.js";

/** A value in responses, with all schemas that apply to it. */
export interface Position {
  readonly shapes: readonly Shape[];
  /** Unions whose branch is known. */
  readonly settled: readonly Shape[];
}

/** The schemas of a position, flattened: its own and those they are composed of, in the order of the description. */
export interface Described {
  readonly parts: readonly Shape[];
  readonly union?: TaggedUnion;
  /** True if a branch allows any value. */
  readonly isFree: boolean;
}

/**
 * Flattens schemas: references, `allOf`, and every branch of a union without a discriminating field, so that the result
 * has the fields of all
 * branches. Conditional subschemas come last.
 */
export function describe({ shapes, settled }: Position, named: ShapesByName): Described {
  const parts: Shape[] = [];
  const later: Shape[] = [];
  const seen = new Set<string>();
  let union: TaggedUnion | undefined;
  let isFree = false;
  const visit = (shape: Shape): void => {
    if (shape.ref !== undefined && !seen.has(shape.ref)) {
      seen.add(shape.ref);
      const found = named.get(shape.ref);
      if (found !== undefined) visit(found);
    }
    shape.allOf?.forEach(visit);
    parts.push(shape);
    later.push(...conditionalParts(shape));
    if (settled.includes(shape)) return;
    const tagged = union === undefined ? taggedUnion(shape, named) : undefined;
    union ??= tagged;
    for (const branch of branchesOf(shape)) {
      if (isAnything(branch)) isFree = true;
      else if (!tagged?.branches.some((each) => each.shape === branch)) visit(branch);
    }
  };
  shapes.forEach(visit);
  for (let next = later.shift(); next !== undefined; next = later.shift()) visit(next);
  return { parts, isFree, ...(union === undefined ? {} : { union }) };
}

function conditionalParts(shape: Shape): readonly Shape[] {
  const parts = [shape.then, shape.else, ...Object.values(shape.dependentSchemas ?? {})];
  return parts.filter((part) => part !== undefined);
}

/** Simplifies a position: resolves schemas that only refer to another one, and drops unconstrained ones. */
export function simplified({ shapes, settled }: Position): Position {
  const plain = shapes.map(simplifiedShape).filter((shape) => relevantKeys(shape).length > 0);
  return { shapes: [...new Map(plain.map((shape) => [keyOf(shape), shape] as const)).values()], settled };
}

/** Returns the name of the schema, if the position is a single reference. */
export function onlyReference({ shapes, settled }: Position): string | undefined {
  const [only] = shapes;
  return shapes.length === 1 && settled.length === 0 && only !== undefined && isReference(only) ? only.ref : undefined;
}

/** Returns the same key for equal positions. */
export function positionKey({ shapes, settled }: Position): string {
  return `${shapes.map(keyOf).join(" ")} / ${settled.map(keyOf).join(" ")}`;
}

const ids = new WeakMap<Shape, number>();
let lastId = 0;

function keyOf(shape: Shape): string {
  if (isReference(shape)) return `#${shape.ref}`;
  const id = ids.get(shape) ?? (lastId += 1);
  ids.set(shape, id);
  return String(id);
}

function isReference(shape: Shape): boolean {
  const keys = relevantKeys(shape);
  return keys.length === 1 && keys[0] === "ref";
}

/** Unwraps a union with null and `allOf` with one schema. Null is always passed through. */
function simplifiedShape(shape: Shape): Shape {
  const [keyword, ...others] = relevantKeys(shape);
  if (others.length > 0 || (keyword !== "allOf" && keyword !== "anyOf" && keyword !== "oneOf")) return shape;
  const branches = (shape[keyword] ?? []).filter((branch) => !isNull(branch));
  const saying = keyword === "allOf" ? branches.filter((branch) => relevantKeys(branch).length > 0) : branches;
  const [only] = saying;
  return only !== undefined && saying.length === 1 ? simplifiedShape(only) : shape;
}

function isNull({ types }: Shape): boolean {
  return types.length === 1 && types[0] === "null";
}

/** Returns the keywords that affect serialization. */
function relevantKeys(shape: Shape): readonly (keyof Shape)[] {
  return relevant.filter((key) => {
    if (key === "types") return shape.types.length > 0;
    if (key === "format") return shape.format === "date-time" || shape.format === "date";
    if (key === "visible") return shape.visible?.in !== undefined || shape.visible?.when !== undefined;
    return shape[key] !== undefined;
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
  "visible",
] as const satisfies readonly (keyof Shape)[];

/** True for a schema without constraints, which allows everything as a branch. A schema with only required fields is a condition. */
export function isAnything({ types, ...shape }: Shape): boolean {
  return types.length === 0 && Object.keys(shape).every((key) => silent.has(key));
}

const silent: ReadonlySet<string> = new Set("origin title description sources deprecated examples default".split(" "));
