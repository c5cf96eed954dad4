import type { Api } from "../model/api.js";
import type { Origin } from "../problem.js";
import { report, type At } from "./comparison.js";
import { matched } from "./matched.js";

/** A node with documentation. */
interface Described {
  readonly title?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly origin: Origin;
}

export function version(old: Api, next: Api, at: At): void {
  report(at, "version-changed", { old: old.version, new: next.version, here: next.origin });
}

/** Compares titles, summaries and descriptions; reports one difference for all of them. */
export function text(old: Described, next: Described, at: At): void {
  for (const key of ["title", "summary", "description"] as const) {
    if (old[key] === next[key]) continue;
    report(at, "text-changed", { old: old[key], new: next[key], here: next.origin });
    return;
  }
}

export function areas(old: Api, next: Api, at: At): void {
  const { both, removed, added } = matched(old.areas, next.areas, ({ name }) => name);
  for (const [before, after] of both) text(before, after, { ...at, thing: `the tag ${after.name}` });
  for (const { name, origin } of added) report(at, "area-added", { what: name, here: origin });
  for (const { name, origin } of removed) report(at, "area-removed", { what: name, gone: origin });
}
