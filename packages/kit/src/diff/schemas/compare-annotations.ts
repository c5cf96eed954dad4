import type { Schema } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";

/** Documentation and sources. None of these keys restricts a value. */
export const annotationKeys = [
  "title",
  "description",
  "deprecated",
  "default",
  "examples",
  "origin",
  "sources",
] as const;

export function compareDeprecation(_: Schema, next: Schema, at: ComparisonContext): void {
  reportDifference(at, next.deprecated === true ? "field-deprecated" : "field-restored", { newOrigin: next.origin });
}

/** Compares defaults. In a request a default replaces an absent value; in a response it is documentation. */
export function compareDefaults(old: Schema, next: Schema, at: ComparisonContext): void {
  if (isDeepEqual(old.default, next.default)) return;
  const stringify = (value: Schema["default"]) => (value === undefined ? undefined : JSON.stringify(value));
  reportDifference(at, `${at.direction}-default-changed`, {
    old: stringify(old.default),
    new: stringify(next.default),
    newOrigin: next.origin,
  });
}

export function compareExamples(old: Schema, next: Schema, at: ComparisonContext): void {
  if (!isDeepEqual(old.examples, next.examples)) reportDifference(at, "example-changed", { newOrigin: next.origin });
}
