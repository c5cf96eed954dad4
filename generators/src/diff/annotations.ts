import type { Shape } from "../model/api.js";
import { report, type At } from "./comparison.js";
import { same } from "./same.js";

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

export function deprecation(_: Shape, next: Shape, at: At): void {
  report(at, next.deprecated === true ? "field-deprecated" : "field-restored", { here: next.origin });
}

/** Compares defaults. In a request a default replaces an absent value; in a response it is documentation. */
export function defaults(old: Shape, next: Shape, at: At): void {
  if (same(old.default, next.default)) return;
  const shown = (value: Shape["default"]) => (value === undefined ? undefined : JSON.stringify(value));
  report(at, `${at.direction}-default-changed`, {
    old: shown(old.default),
    new: shown(next.default),
    here: next.origin,
  });
}

export function examples(old: Shape, next: Shape, at: At): void {
  if (!same(old.examples, next.examples)) report(at, "example-changed", { here: next.origin });
}
