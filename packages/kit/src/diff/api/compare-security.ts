import {
  type Api,
  type Operation,
  ownValue,
  type ScopeGrammar,
  type SecurityRequirement,
  type SecurityScheme,
} from "../../model/index.js";
import {
  reportDifference,
  describeValue,
  type ComparisonContext,
  type DifferenceFacts,
} from "../description-comparison.js";
import { matchLists } from "../match-lists.js";
import { compareTexts } from "./compare-info.js";

/** Compares the security schemes. */
export function compareSecuritySchemes(old: Api, next: Api, at: ComparisonContext): void {
  const { both, removed, added } = matchLists(old.securitySchemes, next.securitySchemes, ({ name }) => name);
  for (const [before, after] of both) {
    if (before.description !== after.description)
      compareTexts(before, after, { ...at, subject: `the security scheme ${after.name}` });
    const [was, is] = [formatSchemeKind(before), formatSchemeKind(after)];
    if (was !== is)
      reportDifference(at, "scheme-changed", { subject: after.name, old: was, new: is, newOrigin: after.origin });
  }
  for (const { name, origin } of added) reportDifference(at, "scheme-added", { subject: name, newOrigin: origin });
  for (const { name, origin } of removed) reportDifference(at, "scheme-removed", { subject: name, oldOrigin: origin });
}

/** Compares the security requirements of an operation: credentials that it no longer accepts, and those that it newly accepts. */
export function compareSecurity(old: Operation, next: Operation, at: ComparisonContext): void {
  const { comparison } = at;
  const [before, after] = [alternativesOf(old), alternativesOf(next)];
  const [isOpen, staysOpen] = [before.some(admitsAll), after.some(admitsAll)];
  const facts: DifferenceFacts = { subject: describeValue(at), newOrigin: next.origin };
  if (isOpen && staysOpen) return;
  if (isOpen)
    return reportDifference(at, "security-required", { ...facts, new: after.map(formatAlternative).join(" or ") });
  if (staysOpen) return reportDifference(at, "security-dropped", facts);
  const grammars = { old: comparison.old.scopeGrammar, new: comparison.next.scopeGrammar };
  const lost = before.filter((was) => !after.some((is) => admits(is, was, grammars.new)));
  const won = after.filter((is) => !before.some((was) => admits(was, is, grammars.old)));
  for (const was of lost) {
    const instead = after.find((is) => schemeKey(is) === schemeKey(was) || admits(was, is, grammars.old));
    if (instead === undefined)
      reportDifference(at, "security-alternative-removed", { ...facts, old: formatAlternative(was) });
    else
      reportDifference(at, "security-scope-added", {
        ...facts,
        old: formatAlternative(was),
        new: formatAlternative(instead),
      });
  }
  for (const is of won) {
    if (lost.some((was) => schemeKey(is) === schemeKey(was))) continue;
    const like = before.find((was) => schemeKey(is) === schemeKey(was) && admits(is, was, grammars.new));
    if (like === undefined)
      reportDifference(at, "security-alternative-added", { ...facts, new: formatAlternative(is) });
    else
      reportDifference(at, "security-scope-removed", {
        ...facts,
        old: formatAlternative(like),
        new: formatAlternative(is),
      });
  }
}

/** An operation without alternatives is public, like one with an empty alternative. */
function alternativesOf({ security: all }: Operation): readonly SecurityRequirement[] {
  return all.length === 0 ? [[]] : all;
}

function admitsAll(alternative: SecurityRequirement): boolean {
  return alternative.length === 0;
}

/** Whether credentials that satisfy the alternative `had` also satisfy `wanted`. */
function admits(needed: SecurityRequirement, had: SecurityRequirement, grammar: ScopeGrammar | undefined): boolean {
  return needed.every(({ scheme, scopes }) =>
    had.some(
      (each) =>
        each.scheme === scheme && scopes.every((scope) => each.scopes.some((one) => implies(one, scope, grammar))),
    ),
  );
}

/** `images:read_write` implies `images:read_only` where the level does. */
function implies(has: string, wants: string, grammar: ScopeGrammar | undefined): boolean {
  if (has === wants || has === grammar?.all) return true;
  const [[tag, level = ""], [wantedArea, wantedLevel = ""]] = [has.split(":"), wants.split(":")];
  return tag === wantedArea && grammar !== undefined && ownValue(grammar.levels, level)?.includes(wantedLevel) === true;
}

function schemeKey(alternative: SecurityRequirement): string {
  return alternative
    .map(({ scheme }) => scheme)
    .toSorted()
    .join(" ");
}

function formatAlternative(alternative: SecurityRequirement): string {
  return alternative
    .map(({ scheme, scopes }) => (scopes.length === 0 ? scheme : `${scheme} with ${scopes.join(" and ")}`))
    .join(" and ");
}

function formatSchemeKind(scheme: SecurityScheme): string {
  if (scheme.kind === "apiKey") return `${scheme.kind} in the ${scheme.in} ${scheme.key}`;
  return scheme.kind === "http" ? `${scheme.kind} ${scheme.scheme}` : scheme.kind;
}
