import type { Api, Operation, ScopeGrammar, SecurityAlternative, SecurityScheme } from "../model/api.js";
import { report, whatAt, type At, type Facts } from "./comparison.js";
import { text } from "./info.js";
import { matched } from "./matched.js";

/** Compares the security schemes. */
export function schemes(old: Api, next: Api, at: At): void {
  const { both, removed, added } = matched(old.schemes, next.schemes, ({ name }) => name);
  for (const [before, after] of both) {
    if (before.description !== after.description)
      text(before, after, { ...at, thing: `the security scheme ${after.name}` });
    const [was, is] = [kindOf(before), kindOf(after)];
    if (was !== is) report(at, "scheme-changed", { what: after.name, old: was, new: is, here: after.origin });
  }
  for (const { name, origin } of added) report(at, "scheme-added", { what: name, here: origin });
  for (const { name, origin } of removed) report(at, "scheme-removed", { what: name, gone: origin });
}

/** Compares the security requirements of an operation: credentials that it no longer accepts, and those that it newly accepts. */
export function security(old: Operation, next: Operation, at: At): void {
  const { comparison } = at;
  const [before, after] = [alternativesOf(old), alternativesOf(next)];
  const [isOpen, staysOpen] = [before.some(admitsAll), after.some(admitsAll)];
  const facts: Facts = { what: whatAt(at), here: next.origin };
  if (isOpen && staysOpen) return;
  if (isOpen) return report(at, "security-required", { ...facts, new: after.map(named).join(" or ") });
  if (staysOpen) return report(at, "security-dropped", facts);
  const grammars = { old: comparison.old.scopes, new: comparison.next.scopes };
  const lost = before.filter((was) => !after.some((is) => admits(is, was, grammars.new)));
  const won = after.filter((is) => !before.some((was) => admits(was, is, grammars.old)));
  for (const was of lost) {
    const instead = after.find((is) => schemesOf(is) === schemesOf(was) || admits(was, is, grammars.old));
    if (instead === undefined) report(at, "security-alternative-removed", { ...facts, old: named(was) });
    else report(at, "security-scope-added", { ...facts, old: named(was), new: named(instead) });
  }
  for (const is of won) {
    if (lost.some((was) => schemesOf(is) === schemesOf(was))) continue;
    const like = before.find((was) => schemesOf(is) === schemesOf(was) && admits(is, was, grammars.new));
    if (like === undefined) report(at, "security-alternative-added", { ...facts, new: named(is) });
    else report(at, "security-scope-removed", { ...facts, old: named(like), new: named(is) });
  }
}

/** An operation without alternatives is public, like one with an empty alternative. */
function alternativesOf({ security: all }: Operation): readonly SecurityAlternative[] {
  return all.length === 0 ? [[]] : all;
}

function admitsAll(alternative: SecurityAlternative): boolean {
  return alternative.length === 0;
}

/** Whether credentials that satisfy the alternative `had` also satisfy `wanted`. */
function admits(wanted: SecurityAlternative, had: SecurityAlternative, grammar: ScopeGrammar | undefined): boolean {
  return wanted.every(({ scheme, scopes }) =>
    had.some(
      (each) =>
        each.scheme === scheme && scopes.every((scope) => each.scopes.some((one) => implies(one, scope, grammar))),
    ),
  );
}

/** `images:read_write` implies `images:read_only` where the level does. */
function implies(has: string, wants: string, grammar: ScopeGrammar | undefined): boolean {
  if (has === wants || has === grammar?.all) return true;
  const [[area, level = ""], [wantedArea, wantedLevel = ""]] = [has.split(":"), wants.split(":")];
  return area === wantedArea && grammar?.levels[level]?.includes(wantedLevel) === true;
}

function schemesOf(alternative: SecurityAlternative): string {
  return alternative
    .map(({ scheme }) => scheme)
    .toSorted()
    .join(" ");
}

function named(alternative: SecurityAlternative): string {
  return alternative
    .map(({ scheme, scopes }) => (scopes.length === 0 ? scheme : `${scheme} with ${scopes.join(" and ")}`))
    .join(" and ");
}

function kindOf(scheme: SecurityScheme): string {
  if (scheme.kind === "apiKey") return `${scheme.kind} in the ${scheme.in} ${scheme.key}`;
  return scheme.kind === "http" ? `${scheme.kind} ${scheme.scheme}` : scheme.kind;
}
