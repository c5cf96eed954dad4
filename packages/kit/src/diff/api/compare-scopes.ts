import {
  type Api,
  describeExpression,
  ownValue,
  type ScopeGrammar,
  type Schema,
  toPlainText,
} from "../../model/index.js";
import { compareByTable, sourceRows, type ComparisonTable } from "../comparison-table.js";
import { isDeepEqual } from "../deep-equal.js";
import { reportDifference, describeValue, type ComparisonContext } from "../description-comparison.js";
import { matchLists, compareNames } from "../match-lists.js";
import { joinValues, shorten } from "../shorten.js";

/** Compares the grammar of scopes. */
export function compareScopes({ scopeGrammar: old }: Api, { scopeGrammar: next }: Api, at: ComparisonContext): void {
  if (old !== undefined && next !== undefined) compareByTable(scopeTable, old, next, at);
  else if (next !== undefined) reportDifference(at, "scope-grammar-added", { newOrigin: next.origin });
  else if (old !== undefined) reportDifference(at, "scope-grammar-removed", { oldOrigin: old.origin });
}

/** Compares the ceiling of the scopes in a value. */
export function compareScopeCeiling(
  { scopeCeiling: old }: Schema,
  { scopeCeiling: next, origin: here }: Schema,
  at: ComparisonContext,
): void {
  if (isDeepEqual(old, next)) return;
  const describe = (ceiling: Schema["scopeCeiling"]) =>
    ceiling && `${toPlainText(describeExpression(ceiling.atMost))}, or ${ceiling.error}`;
  const [before, after] = [describe(old), describe(next)];
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  reportDifference(at, `scope-ceiling-${change}`, {
    subject: describeValue(at),
    old: before,
    new: after,
    newOrigin: here,
  });
}

const scopeTable: ComparisonTable<ScopeGrammar> = {
  scheme: compareGrammar,
  areas: (old, next, at) => {
    const { added, removed } = compareNames(old.areas, next.areas);
    for (const tag of added) reportDifference(at, "scope-area-added", { subject: tag, newOrigin: next.origin });
    for (const tag of removed) reportDifference(at, "scope-area-removed", { subject: tag, newOrigin: next.origin });
  },
  levels: compareLevels,
  all: compareGrammar,
  separator: compareGrammar,
  credentials: (old, next, at) => {
    const { removed, added } = matchLists(
      old.credentials,
      next.credentials,
      ({ to, in: state }) => `${to} that is ${state}`,
    );
    for (const each of added)
      reportDifference(at, "scope-credential-added", {
        subject: `${each.to} that is ${each.in}`,
        newOrigin: next.origin,
      });
    for (const each of removed)
      reportDifference(at, "scope-credential-removed", {
        subject: `${each.to} that is ${each.in}`,
        newOrigin: next.origin,
      });
  },
  errors: (old, next, at) => {
    if (isDeepEqual(old.errors, next.errors)) return;
    const [before, after] = [old, next].map(({ errors }) => joinValues([errors.missing, errors.invalid, errors.scope]));
    reportDifference(at, "scope-errors-changed", { old: before, new: after, newOrigin: next.origin });
  },
  ...sourceRows,
};

function compareLevels(old: ScopeGrammar, next: ScopeGrammar, at: ComparisonContext): void {
  const here = next.origin;
  for (const level of Object.keys(next.levels))
    if (!Object.hasOwn(old.levels, level))
      reportDifference(at, "scope-level-added", { subject: level, newOrigin: here });
  for (const [level, implied] of Object.entries(old.levels)) {
    const now = ownValue(next.levels, level);
    if (now === undefined) {
      reportDifference(at, "scope-level-removed", { subject: level, newOrigin: here });
      continue;
    }
    const { added, removed } = compareNames(implied, now);
    if (added.length > 0)
      reportDifference(at, "scope-level-implies-more", { subject: level, new: joinValues(added), newOrigin: here });
    if (removed.length > 0)
      reportDifference(at, "scope-level-implies-less", { subject: level, old: joinValues(removed), newOrigin: here });
  }
}

function compareGrammar(old: ScopeGrammar, next: ScopeGrammar, at: ComparisonContext): void {
  const describe = ({ scheme, all, separator }: ScopeGrammar) =>
    `for ${scheme}, with ${shorten(all)} for all scopes, separated by ${JSON.stringify(separator)}`;
  reportDifference(at, "scope-grammar-changed", { old: describe(old), new: describe(next), newOrigin: next.origin });
}
