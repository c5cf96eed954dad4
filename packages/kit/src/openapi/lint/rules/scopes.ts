import { isJsonObject } from "../../../model/index.js";
import { didYouMean } from "../../read/did-you-mean.js";
import type { LintNode } from "../lint-node.js";
import type { LintFinding, LintRule } from "../rule.js";
import type { SpecIndex } from "../spec-index.js";
import { unknownName } from "../unknown-name.js";

/** Scopes in `security` are declared by `x-scopes` of the scheme. */
export const scopesRule: LintRule<"scopes/undeclared"> = {
  codes: { "scopes/undeclared": ["error", "warning", "An operation requires a scope that x-scopes does not declare."] },
  *check(index) {
    const grammars = grammarsOf(index);
    for (const holder of [index.root, ...index.operations.map((each) => each.node)]) {
      for (const alternative of holder.child("security")?.items() ?? []) {
        for (const [scheme, named] of alternative.entries()) {
          const grammar = grammars.get(scheme);
          for (const scope of grammar ? named.items() : []) {
            const diagnostic = grammar && findScopeIssue(String(scope.value), grammar);
            if (diagnostic) yield { code: "scopes/undeclared", at: scope, ...diagnostic };
          }
        }
      }
    }
  },
};

/** Levels imply only declared levels. */
export const scopeLevelsRule: LintRule<"scopes/level"> = {
  codes: { "scopes/level": ["error", "warning", "A level implies one that is not declared."] },
  *check(index) {
    for (const [, { levels: names, spot }] of grammarsOf(index)) {
      for (const [, implied] of spot.child("levels")?.entries() ?? []) {
        for (const level of implied.items()) {
          const name = String(level.value);
          if (!names.includes(name)) yield unknownName("scopes/level", level, { noun: "level", name, names });
        }
      }
    }
  },
};

/** A scheme with the tokens of another one lists the same scopes, and operations name both schemes alike. */
export const sameTokensRule: LintRule<"scopes/same"> = {
  codes: { "scopes/same": ["error", "warning", "Two schemes for the same tokens do not agree."] },
  *check(index) {
    const grammars = grammarsOf(index);
    for (const [name, scheme] of index.root.get("components")?.get("securitySchemes")?.entries() ?? []) {
      const field = scheme.read("x-scopes");
      const original = field?.text("sameAs");
      if (field === undefined || original === undefined) continue;
      const grammar = grammars.get(original);
      if (grammar === undefined) {
        const message = `There is no scheme "${original}" with x-scopes.`;
        const fix = didYouMean(original, grammars.keys(), "schemes");
        yield { code: "scopes/same", at: field.at(["sameAs"]), message, fix };
        continue;
      }
      yield* flowFindings(scheme, grammar);
      for (const holder of [index.root, ...index.operations.map((each) => each.node)])
        yield* alternativeFindings(holder, { name, original });
    }
  },
};

/** Each flow of OAuth 2 lists the scopes of the grammar, and no others. */
function* flowFindings(
  scheme: LintNode,
  { areas: tags, levels: names, all }: Grammar,
): Iterable<LintFinding<"scopes/same">> {
  const scopes = [
    ...(all === undefined ? [] : [all]),
    ...tags.flatMap((tag) => names.map((level) => `${tag}:${level}`)),
  ];
  for (const [, flow] of scheme.follow()?.child("flows")?.entries() ?? []) {
    const listed = flow.child("scopes");
    const missing = scopes.filter((scope) => listed?.has(scope) !== true);
    if (missing.length > 0)
      yield {
        code: "scopes/same",
        at: listed ?? flow,
        message: `The flow lacks ${missing.map((scope) => `"${scope}"`).join(", ")}.`,
        fix: "Add each scope with a description.",
      };
    for (const [scope, at] of listed?.entries() ?? []) {
      if (!scopes.includes(scope)) yield unknownName("scopes/same", at, { noun: "scope", name: scope, names: scopes });
    }
  }
}

/** Each alternative with one of the two schemes has a counterpart with the other. */
function* alternativeFindings(
  holder: LintNode,
  { name, original }: { readonly name: string; readonly original: string },
): Iterable<LintFinding<"scopes/same">> {
  const alternatives = holder.child("security")?.items() ?? [];
  const contents = new Set(alternatives.map((each) => contentOf(each.object)));
  for (const [from, to] of [
    [name, original],
    [original, name],
  ] as const) {
    for (const at of alternatives.filter((each) => each.has(from))) {
      const { [from]: required, ...beside } = at.object;
      const counterpart = { ...beside, [to]: required };
      if (contents.has(contentOf(counterpart))) continue;
      const message = `This alternative has no counterpart with "${to}", which has the same tokens.`;
      yield { code: "scopes/same", at, message, fix: `Add the alternative ${JSON.stringify(counterpart)}.` };
    }
  }
}

function contentOf(alternative: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(alternative).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

interface Grammar {
  readonly spot: LintNode;
  readonly areas: readonly string[];
  readonly levels: readonly string[];
  readonly all: string | undefined;
}

function grammarsOf(index: SpecIndex): ReadonlyMap<string, Grammar> {
  const grammars = new Map<string, Grammar>();
  for (const [name, scheme] of index.root.get("components")?.get("securitySchemes")?.entries() ?? []) {
    const spot = scheme.read("x-scopes");
    const tags = spot?.object["areas"];
    if (!spot || !Array.isArray(tags)) continue;
    grammars.set(name, {
      spot,
      areas: tags.map(String),
      levels: isJsonObject(spot.object["levels"]) ? Object.keys(spot.object["levels"]) : [],
      all: spot.text("all"),
    });
  }
  return grammars;
}

function findScopeIssue(
  scope: string,
  { areas: tags, levels: names, all }: Grammar,
): { readonly message: string; readonly fix: string } | undefined {
  if (scope === all) return undefined;
  const [tag = "", level, ...rest] = scope.split(":");
  if (level === undefined || rest.length > 0)
    return { message: `"${scope}" is not a scope.`, fix: "Write an area and a level, such as images:read_only." };
  if (!tags.includes(tag)) return { message: `There is no area "${tag}".`, fix: didYouMean(tag, tags, "areas") };
  if (!names.includes(level))
    return { message: `There is no level "${level}".`, fix: didYouMean(level, names, "levels") };
  return undefined;
}
