import { instead } from "../names.js";
import type { Rule } from "../rule.js";
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
