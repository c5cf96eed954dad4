import type { Shape } from "../model/api.js";
import { report, whatAt, type At } from "./comparison.js";
import { same } from "./same.js";
import { short } from "./short.js";

/** What is stored of what is sent: an ordered list, of which a part says nothing alone. */
export function values({ values: old }: Shape, { values: next, origin: here }: Shape, at: At): void {
  if (same(old, next)) return;
  report(at, "values-changed", { what: whatAt(at), old: old && short(old), new: next && short(next), here });
}
