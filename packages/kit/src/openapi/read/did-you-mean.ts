import { findNearest } from "./edit-distance.js";

/** Returns the fix for an unknown name: the nearest known name, or a list of names. */
export function didYouMean(wrong: string, names: Iterable<string>, noun: string): string {
  const distinct = [...new Set(names)];
  const meant = findNearest(wrong, distinct);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  if (distinct.length === 0) return `There are no ${noun} at all.`;
  const listed = distinct.slice(0, 12).join(", ");
  return `The ${noun} are ${listed}${distinct.length > 12 ? `, and ${distinct.length - 12} more` : ""}.`;
}
