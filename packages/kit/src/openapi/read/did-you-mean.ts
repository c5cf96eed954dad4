import { findNearest } from "./edit-distance.js";

/** Returns the fix for an unknown name: the nearest known name, or a list of names. */
export function didYouMean(wrong: string, names: Iterable<string>, noun: string): string {
  const known = [...new Set(names)];
  const meant = findNearest(wrong, known);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  if (known.length === 0) return `There are no ${noun} at all.`;
  const shown = known.slice(0, 12).join(", ");
  return `The ${noun} are ${shown}${known.length > 12 ? `, and ${known.length - 12} more` : ""}.`;
}
