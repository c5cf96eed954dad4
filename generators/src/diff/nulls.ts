import type { Shape } from "../model/api.js";
import { annotationKeys } from "./annotations.js";
import { report, type At } from "./comparison.js";

/** Compares whether null is allowed, in any notation. It has codes of its own because it changes most often. */
export function nulls([old, oldRest]: Stripped, [next, nextRest]: Stripped, at: At): void {
  const before = old !== oldRest || isNullable(old);
  const after = next !== nextRest || isNullable(next);
  // A schema that allows every type or none changes all types, not only null.
  if (before === after || isAnything(old) || isAnything(next) || old.never !== next.never) return;
  report(at, `${at.direction}-null-${after ? "added" : "removed"}`, { here: next.origin });
}

/** A schema as written, and without its null branch. */
type Stripped = readonly [given: Shape, rest: Shape];

export function isNullable({ types }: Shape): boolean {
  return types.includes("null");
}

const known = new WeakMap<Shape, Shape>();

/** Removes the null branch of a union, if any; a single remaining branch replaces the union. */
export function withoutNull(shape: Shape): Shape {
  const key = shape.anyOf?.some(isNull) === true ? "anyOf" : shape.oneOf?.some(isNull) === true ? "oneOf" : undefined;
  if (key === undefined) return shape;
  const made = known.get(shape) ?? strip(shape, key);
  known.set(shape, made); // the same object each time, so that known pairs are recognized
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
