import type { Shape } from "../model/api.js";
import { report, whatAt, type At } from "./comparison.js";
import { same } from "./same.js";
import { short } from "./short.js";

/** Compares the rules that compute stored values: an ordered list that is compared as a whole. */
export function values({ values: old }: Shape, { values: next, origin: here }: Shape, at: At): void {
  if (same(old, next)) return;
  report(at, "values-changed", { what: whatAt(at), old: old && short(old), new: next && short(next), here });
}
