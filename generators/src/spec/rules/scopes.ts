import { instead } from "../names.js";
import type { Finding, Rule } from "../rule.js";
import { isRecord, type Spot } from "../spot.js";
import type { Survey } from "../survey.js";

/** Scopes in `security` are declared by `x-scopes` of the scheme. */
export const scopes: Rule = function* (survey) {
  const grammars = grammarsOf(survey);
  for (const holder of [survey.root, ...survey.operations.map((each) => each.spot)]) {
    for (const alternative of holder.child("security")?.items() ?? []) {
      for (const [scheme, named] of alternative.entries()) {
        const grammar = grammars.get(scheme);
        for (const scope of grammar ? named.items() : []) {
          const problem = grammar && faultOf(String(scope.value), grammar);
          if (problem) yield { code: "scopes/undeclared", at: scope, ...problem };
        }
      }
    }
  }
};

/** Levels imply only declared levels. */
export const levels: Rule = function* (survey) {
  for (const [, { levels: names, spot }] of grammarsOf(survey)) {
    for (const [, implied] of spot.child("levels")?.entries() ?? []) {
      for (const level of implied.items()) {
        const name = String(level.value);
        if (!names.includes(name))
          yield {
            code: "scopes/level",
            at: level,
            message: `There is no level "${name}".`,
            fix: instead(name, names, "levels"),
          };
      }
    }
  }
};

/** A scheme with the tokens of another one lists the same scopes, and operations name both schemes alike. */
export const sameTokens: Rule = function* (survey) {
  const grammars = grammarsOf(survey);
  for (const [name, scheme] of survey.root.get("components")?.get("securitySchemes")?.entries() ?? []) {
    const field = scheme.read("x-scopes");
    const original = field?.text("sameAs");
    if (field === undefined || original === undefined) continue;
    const grammar = grammars.get(original);
    if (grammar === undefined) {
      const message = `There is no scheme "${original}" with x-scopes.`;
      yield {
        code: "scopes/same",
        at: field.at(["sameAs"]),
        message,
        fix: instead(original, grammars.keys(), "schemes"),
      };
      continue;
    }
    yield* flowFindings(scheme, grammar);
    for (const holder of [survey.root, ...survey.operations.map((each) => each.spot)])
      yield* alternativeFindings(holder, { name, original });
  }
};

/** Each flow of OAuth 2 lists the scopes of the grammar, and no others. */
function* flowFindings(scheme: Spot, { areas, levels: names, all }: Grammar): Generator<Finding> {
  const known = [
    ...(all === undefined ? [] : [all]),
    ...areas.flatMap((area) => names.map((level) => `${area}:${level}`)),
  ];
  for (const [, flow] of scheme.follow()?.child("flows")?.entries() ?? []) {
    const listed = flow.child("scopes");
    const missing = known.filter((scope) => listed?.has(scope) !== true);
    if (missing.length > 0)
      yield {
        code: "scopes/same",
        at: listed ?? flow,
        message: `The flow lacks ${missing.map((scope) => `"${scope}"`).join(", ")}.`,
        fix: "Add each scope with a description.",
      };
    for (const [scope, at] of listed?.entries() ?? []) {
      if (!known.includes(scope))
        yield {
          code: "scopes/same",
          at,
          message: `There is no scope "${scope}".`,
          fix: instead(scope, known, "scopes"),
        };
    }
  }
}

/** Each alternative with one of the two schemes has a counterpart with the other. */
function* alternativeFindings(
  holder: Spot,
  { name, original }: { readonly name: string; readonly original: string },
): Generator<Finding> {
  const alternatives = holder.child("security")?.items() ?? [];
  const contents = new Set(alternatives.map((each) => contentOf(each.object)));
  for (const [from, to] of [
    [name, original],
    [original, name],
  ] as const) {
    for (const at of alternatives.filter((each) => each.has(from))) {
      const { [from]: required, ...beside } = at.object;
      const wanted = { ...beside, [to]: required };
      if (contents.has(contentOf(wanted))) continue;
      const message = `This alternative has no counterpart with "${to}", which has the same tokens.`;
      yield { code: "scopes/same", at, message, fix: `Add the alternative ${JSON.stringify(wanted)}.` };
    }
  }
}

function contentOf(alternative: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(alternative).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

interface Grammar {
  readonly spot: Spot;
  readonly areas: readonly string[];
  readonly levels: readonly string[];
  readonly all: string | undefined;
}

function grammarsOf(survey: Survey): ReadonlyMap<string, Grammar> {
  const grammars = new Map<string, Grammar>();
  for (const [name, scheme] of survey.root.get("components")?.get("securitySchemes")?.entries() ?? []) {
    const spot = scheme.read("x-scopes");
    const areas = spot?.object["areas"];
    if (!spot || !Array.isArray(areas)) continue;
    grammars.set(name, {
      spot,
      areas: areas.map(String),
      levels: isRecord(spot.object["levels"]) ? Object.keys(spot.object["levels"]) : [],
      all: spot.text("all"),
    });
  }
  return grammars;
}

function faultOf(
  scope: string,
  { areas, levels: names, all }: Grammar,
): { readonly message: string; readonly fix: string } | undefined {
  if (scope === all) return undefined;
  const [area = "", level, ...rest] = scope.split(":");
  if (level === undefined || rest.length > 0)
    return { message: `"${scope}" is not a scope.`, fix: "Write an area and a level, such as images:read_only." };
  if (!areas.includes(area)) return { message: `There is no area "${area}".`, fix: instead(area, areas, "areas") };
  if (!names.includes(level)) return { message: `There is no level "${level}".`, fix: instead(level, names, "levels") };
  return undefined;
}
