import type { Schema } from "../../model/index.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";
import { annotationKeys } from "./compare-annotations.js";

/** Compares whether null is allowed, in any notation. It has codes of its own because it changes most often. */
export function compareNulls(
  [old, oldRest]: NullStripped,
  [next, nextRest]: NullStripped,
  at: ComparisonContext,
): void {
  const before = old !== oldRest || isNullable(old);
  const after = next !== nextRest || isNullable(next);
  // A schema that allows every type or none changes all types, not only null.
  if (before === after || isAnything(old) || isAnything(next) || old.never !== next.never) return;
  reportDifference(at, `${at.direction}-null-${after ? "added" : "removed"}`, { newOrigin: next.origin });
}

/** A schema as written, and without its null branch. */
type NullStripped = readonly [given: Schema, rest: Schema];

export function isNullable({ types }: Schema): boolean {
  return types.includes("null");
}

const strippedSchemas = new WeakMap<Schema, Schema>();

/** Removes the null branch of a union, if any; a single remaining branch replaces the union. */
export function withoutNull(schema: Schema): Schema {
  const key = schema.anyOf?.some(isNull) === true ? "anyOf" : schema.oneOf?.some(isNull) === true ? "oneOf" : undefined;
  if (key === undefined) return schema;
  const stripped = strippedSchemas.get(schema) ?? stripNull(schema, key);
  strippedSchemas.set(schema, stripped); // the same object each time, so that known pairs are recognized
  return stripped;
}

function stripNull(schema: Schema, key: "anyOf" | "oneOf"): Schema {
  const { [key]: branches = [], ...rest } = schema;
  const others = branches.filter((each) => !isNull(each));
  const [only] = others;
  if (only === undefined || others.length > 1 || !isAnything(rest)) return { ...rest, [key]: others };
  return { ...rest, ...only };
}

function isNull({ types, enum: values, const: value }: Schema): boolean {
  return (types.length === 1 && types[0] === "null") || value === null || (values?.length === 1 && values[0] === null);
}

function isAnything(schema: Schema): boolean {
  const keywords = Object.keys(schema).filter((key) => !ignoredKeys.has(key));
  return schema.types.length === 0 && keywords.length === 0;
}

const ignoredKeys: ReadonlySet<string> = new Set(["types", ...annotationKeys]);
