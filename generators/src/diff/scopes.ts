import type { Api, ScopeGrammar, Shape } from "../model/api.js";
import { report, whatAt, type At } from "./comparison.js";
import { matched, won } from "./matched.js";
import { same } from "./same.js";
import { listed, short } from "./short.js";
import { compareBy, places, type Table } from "./table.js";

/** Compares the grammar of scopes. */
export function scopes({ scopes: old }: Api, { scopes: next }: Api, at: At): void {
  if (old !== undefined && next !== undefined) compareBy(table, old, next, at);
  else if (next !== undefined) report(at, "scope-grammar-added", { here: next.origin });
  else if (old !== undefined) report(at, "scope-grammar-removed", { gone: old.origin });
}

/** Compares the ceiling of the scopes in a value. */
export function scopeCeiling({ scopeCeiling: old }: Shape, { scopeCeiling: next, origin: here }: Shape, at: At): void {
  if (same(old, next)) return;
  const shown = (ceiling: Shape["scopeCeiling"]) => ceiling && `${ceiling.atMost.text}, or ${ceiling.error}`;
  const [before, after] = [shown(old), shown(next)];
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  report(at, `scope-ceiling-${change}`, { what: whatAt(at), old: before, new: after, here });
}

const table: Table<ScopeGrammar> = {
  scheme: writing,
  areas: (old, next, at) => {
    const { added, removed } = won(old.areas, next.areas);
    for (const area of added) report(at, "scope-area-added", { what: area, here: next.origin });
    for (const area of removed) report(at, "scope-area-removed", { what: area, here: next.origin });
  },
  levels,
  all: writing,
  separator: writing,
  credentials: (old, next, at) => {
    const { removed, added } = matched(
      old.credentials,
      next.credentials,
      ({ to, in: state }) => `${to} that is ${state}`,
    );
    for (const each of added)
      report(at, "scope-credential-added", { what: `${each.to} that is ${each.in}`, here: next.origin });
    for (const each of removed)
      report(at, "scope-credential-removed", { what: `${each.to} that is ${each.in}`, here: next.origin });
  },
  errors: (old, next, at) => {
    if (same(old.errors, next.errors)) return;
    const [before, after] = [old, next].map(({ errors }) => listed([errors.missing, errors.invalid, errors.scope]));
    report(at, "scope-errors-changed", { old: before, new: after, here: next.origin });
  },
  ...places,
};

function levels(old: ScopeGrammar, next: ScopeGrammar, at: At): void {
  const here = next.origin;
  for (const level of Object.keys(next.levels))
    if (old.levels[level] === undefined) report(at, "scope-level-added", { what: level, here });
  for (const [level, implied] of Object.entries(old.levels)) {
    const now = next.levels[level];
    if (now === undefined) {
      report(at, "scope-level-removed", { what: level, here });
      continue;
    }
    const { added, removed } = won(implied, now);
    if (added.length > 0) report(at, "scope-level-implies-more", { what: level, new: listed(added), here });
    if (removed.length > 0) report(at, "scope-level-implies-less", { what: level, old: listed(removed), here });
  }
}

function writing(old: ScopeGrammar, next: ScopeGrammar, at: At): void {
  const shown = ({ scheme, all, separator }: ScopeGrammar) =>
    `for ${scheme}, with ${short(all)} for all scopes, separated by ${JSON.stringify(separator)}`;
  report(at, "scope-grammar-changed", { old: shown(old), new: shown(next), here: next.origin });
}
