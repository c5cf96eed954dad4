import type { Grant, Operation } from "../model/api.js";
import { report, whatAt, type At } from "./comparison.js";
import { matched } from "./matched.js";
import { same } from "./same.js";
import { short } from "./short.js";

/** Compares the grants that a restricted user needs. */
export function grants(old: Operation, next: Operation, at: At): void {
  const { both, removed, added } = matched(old.grants, next.grants, targetOf);
  const what = whatAt(at);
  for (const [before, after] of both)
    if (!same(before, after))
      report(at, "grant-changed", { what, old: shown(before), new: shown(after), here: after.origin });
  for (const each of added) report(at, "grant-added", { what, new: shown(each), here: each.origin });
  for (const each of removed) report(at, "grant-removed", { what, old: shown(each), gone: each.origin });
}

function targetOf(grant: Grant): string {
  if (grant.kind === "global") return `the global ${grant.global}`;
  return grant.kind === "entity" ? `on ${grant.on.text}` : "to be unrestricted";
}

function shown(grant: Grant): string {
  const level = grant.kind === "entity" ? `${grant.level} ` : "";
  const when = grant.when === undefined ? "" : ` when ${short(grant.when)}`;
  return `${level}${targetOf(grant)}${when}${grant.error === undefined ? "" : `, or ${grant.error}`}`;
}
