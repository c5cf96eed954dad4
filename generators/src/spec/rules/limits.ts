import { bodyOf, fieldNamesOf, leads } from "../fields.js";
import { instead } from "../names.js";
import { reachOf } from "../reach.js";
import type { Rule } from "../rule.js";
import type { Spot } from "../spot.js";

/** Limits that are referred to exist, and ids of limits are unique. */
export const limits: Rule = function* (survey) {
  const known = new Map<string, Spot>();
  for (const { spot } of survey.of("x-limits")) {
    for (const limit of spot.items()) {
      const id = limit.text("id");
      if (id === undefined) continue;
      const other = known.get(id);
      if (other === undefined) known.set(id, limit);
      else if (!sameLimit(other, limit)) {
        yield {
          code: "limits/duplicate",
          at: limit.at(["id"]),
          message: `Another limit is called "${id}" too, and says something else.`,
          fix: "Give one of them another id.",
        };
      }
    }
  }
  for (const { spot, reading } of survey.extensions) {
    for (const { kind, path, value } of reading.uses) {
      if (kind !== "limitId" || typeof value !== "string" || known.has(value)) continue;
      yield {
        code: "limits/unknown",
        at: spot.at(path),
        message: `There is no limit "${value}".`,
        fix: instead(value, known.keys(), "limits"),
      };
    }
  }
};

/** True if two limits are equal, apart from their sources. */
function sameLimit(a: Spot, b: Spot): boolean {
  const words = ({ object }: Spot): string =>
    JSON.stringify(Object.entries(object).filter(([key]) => key !== "x-source"));
  return words(a) === words(b);
}

/** The fields in `by` of a limit exist: in a body, a schema, the items of an array, or beside a property. */
export const limitFields: Rule = function* (survey) {
  for (const extension of survey.of("x-limits")) {
    const { host, spot } = extension;
    for (const [index, limit] of spot.items().entries()) {
      const { operations, contexts, targets } = reachOf(survey, extension, [String(index)]);
      const items = [host.spot, ...contexts.map((each) => each.self)]
        .flatMap((each) => each.hops())
        .flatMap((each) => each.child("items") ?? []);
      const around = contexts.flatMap((each) => each.around.slice(0, 1));
      const schemas =
        host.type === "Schema" ? [host.spot, ...around, ...items] : [...operations.flatMap(bodyOf), ...targets];
      for (const field of limit.child("by")?.items() ?? []) {
        const path = typeof field.value === "string" ? field.value.split("/") : [];
        const there = schemas.some((each) => fieldNamesOf([each]).length > 0 && leads([each], path));
        if (path.length === 0 || there) continue;
        yield {
          code: "limits/field",
          at: field,
          message: `There is no field "${path.join("/")}" here.`,
          fix: instead(path.join("/"), fieldNamesOf(schemas), "fields"),
        };
      }
    }
  }
};

/** The effects of a limit exist: counted and reached ones in its own operation, those in `since` in any operation. */
export const limitEffects: Rule = function* (survey) {
  const all = survey.of("x-effects");
  const idsOf = (found: typeof all): readonly string[] =>
    found.flatMap(({ spot }) => spot.items()).flatMap((effect) => effect.text("id") ?? []);
  const anywhere = idsOf(all);
  for (const { host, spot, reading } of survey.of("x-limits")) {
    const own = idsOf(all.filter((each) => each.host.spot.key === host.spot.key));
    for (const { kind, path, value } of reading.uses) {
      if (kind !== "effectId" || typeof value !== "string") continue;
      const known = path[1] === "since" ? anywhere : own;
      if (known.includes(value)) continue;
      yield {
        code: "limits/effect",
        at: spot.at(path),
        message: `There is no effect "${value}" here.`,
        fix: instead(value, known, "effects"),
      };
    }
  }
};
