import type { Shape } from "../../model/api.js";
import type { ShapesByName } from "../../model/shapes-by-name.js";
import { branchesOf, taggedUnion, type TaggedUnion } from "./unions.js";

/** A value in replies, and everything that the description says of it. */
export interface Position {
  readonly shapes: readonly Shape[];
  /** Unions of which the branch is known here. */
  readonly settled: readonly Shape[];
}

/** What is described at a position: its shapes and all that they consist of, each without its parts, in the description's order. */
export interface Described {
  readonly parts: readonly Shape[];
  readonly union?: TaggedUnion;
  /** A branch allows whatever there is. */
  readonly isFree: boolean;
}

/**
 * Takes shapes apart: those that a reference names, those of `allOf`, and every branch of a union that no field tells apart, so that what is shown
 * is what any branch describes. What is described under conditions comes last.
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

/** The same position with less to say: what only leads to another shape is that shape, and what says nothing is left out. */
export function simplified({ shapes, settled }: Position): Position {
  const plain = shapes.map(simplifiedShape).filter((shape) => relevantKeys(shape).length > 0);
  return { shapes: [...new Map(plain.map((shape) => [keyOf(shape), shape] as const)).values()], settled };
}

/** The name of the shape that a position is, where it is no more than that. */
export function onlyReference({ shapes, settled }: Position): string | undefined {
  const [only] = shapes;
  return shapes.length === 1 && settled.length === 0 && only !== undefined && isReference(only) ? only.ref : undefined;
}

/** The same text for positions that are alike. */
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

/** A union with null, or `allOf` around one shape, is that shape: null is shown as it is everywhere. */
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

/** Keywords that decide on what is shown. */
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

/** A schema without a word: as a branch it allows everything, where one that names required fields only is a condition. */
export function isAnything({ types, ...shape }: Shape): boolean {
  return types.length === 0 && Object.keys(shape).every((key) => silent.has(key));
}

const silent: ReadonlySet<string> = new Set("origin title description sources deprecated examples default".split(" "));
