import type { Shape } from "../model/api.js";
import { annotationKeys } from "./annotations.js";
import { report, type At } from "./comparison.js";

/** Whether null is allowed, however that is written: told apart from the other types, since it is what changes most often. */
export function nulls([old, oldRest]: Stripped, [next, nextRest]: Stripped, at: At): void {
  const before = old !== oldRest || isNullable(old);
  const after = next !== nextRest || isNullable(next);
  // Where every type is allowed, or none yet, it is all of them that change.
  if (before === after || isAnything(old) || isAnything(next) || old.never !== next.never) return;
  report(at, `${at.direction}-null-${after ? "added" : "removed"}`, { here: next.origin });
}

/** A shape as it is, and without a branch that is null. */
type Stripped = readonly [given: Shape, rest: Shape];

export function isNullable({ types }: Shape): boolean {
  return types.includes("null");
}

const known = new WeakMap<Shape, Shape>();

/** Without the branch for null, if there is one; a single branch that is left stands for itself. */
export function withoutNull(shape: Shape): Shape {
  const key = shape.anyOf?.some(isNull) === true ? "anyOf" : shape.oneOf?.some(isNull) === true ? "oneOf" : undefined;
  if (key === undefined) return shape;
  const made = known.get(shape) ?? strip(shape, key);
  known.set(shape, made); // the same again, so that what was compared is known
  return made;
}

function strip(shape: Shape, key: "anyOf" | "oneOf"): Shape {
  const { [key]: branches = [], ...rest } = shape;
  const others = branches.filter((each) => !isNull(each));
  const [only] = others;
  if (only === undefined || others.length > 1 || !isAnything(rest)) return { ...rest, [key]: others };
  return { ...rest, ...only };
}

function isNull({ types, enum: values, const: value }: Shape): boolean {
  return (types.length === 1 && types[0] === "null") || value === null || (values?.length === 1 && values[0] === null);
}

function isAnything(shape: Shape): boolean {
  const said = Object.keys(shape).filter((key) => !annotations.has(key));
  return shape.types.length === 0 && said.length === 0;
}

const annotations: ReadonlySet<string> = new Set(["types", ...annotationKeys]);
