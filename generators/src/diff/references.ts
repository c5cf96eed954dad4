import type { Reference } from "../model/api.js";
import type { Origin } from "../problem.js";
import { report, whatAt, type At } from "./comparison.js";
import { same } from "./same.js";
import { short } from "./short.js";

/** Compares the references of a value. */
export function reference({ reference: old }: Referring, { reference: next, origin: here }: Referring, at: At): void {
  if (same(old, next)) return;
  const change = old === undefined ? "added" : next === undefined ? "removed" : "changed";
  report(at, `reference-${change}`, { what: whatAt(at), old: old && shown(old), new: next && shown(next), here });
}

interface Referring {
  readonly reference?: Reference;
  readonly origin: Origin;
}

function shown({ to, by, of, where, unfit, missing, deleted }: Reference): string {
  return [
    `a ${to}`,
    ...(by === undefined ? [] : [`by its ${by}`]),
    ...(of === undefined ? [] : [`of ${of.text}`]),
    ...(where === undefined ? [] : [`where ${short(where)}`]),
    ...(unfit === undefined ? [] : [`that matches, or ${unfit}`]),
    ...(missing === undefined ? [] : [`that exists, or ${missing}`]),
    ...(deleted === undefined ? [] : [`(when deleted: ${deleted})`]),
  ].join(" ");
}
