import { bodySchemas, fieldNamesIn, hasField } from "../fields.js";
import { didYouMean } from "../../read/did-you-mean.js";
import { findApplicability } from "../applicability.js";
import type { LintRule } from "../rule.js";
import type { LintNode } from "../lint-node.js";

/** Limits that are referred to exist, and ids of limits are unique. */
export const limitsRule: LintRule<"limits/duplicate" | "limits/unknown"> = {
  codes: {
    "limits/duplicate": ["error", "off", "Two different limits share an id."],
    "limits/unknown": ["error", "off", "A limit is unknown."],
  },
  *check(index) {
    const known = new Map<string, LintNode>();
    for (const { node } of index.byField("x-limits")) {
      for (const limit of node.items()) {
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
    for (const { node, reading } of index.extensions) {
      for (const { kind, path, value } of reading.uses) {
        if (kind !== "limitId" || typeof value !== "string" || known.has(value)) continue;
        yield {
          code: "limits/unknown",
          at: node.at(path),
          message: `There is no limit "${value}".`,
          fix: didYouMean(value, known.keys(), "limits"),
        };
      }
    }
  },
};

/** True if two limits are equal, apart from their sources. */
function sameLimit(a: LintNode, b: LintNode): boolean {
  const words = ({ object }: LintNode): string =>
    JSON.stringify(Object.entries(object).filter(([key]) => key !== "x-source"));
  return words(a) === words(b);
}

/** The fields in `by` of a limit exist: in a body, a schema, the items of an array, or beside a property. */
export const limitFieldsRule: LintRule<"limits/field"> = {
  codes: { "limits/field": ["error", "off", "A limit refers to an unknown field."] },
  *check(index) {
    for (const extension of index.byField("x-limits")) {
      const { host, node } = extension;
      for (const [position, limit] of node.items().entries()) {
        const { operations, contexts, targets } = findApplicability(index, extension, [String(position)]);
        const items = [host.node, ...contexts.map((each) => each.self)]
          .flatMap((each) => each.resolutionChain())
          .flatMap((each) => each.child("items") ?? []);
        const context = contexts.flatMap((each) => each.enclosing.slice(0, 1));
        const schemas =
          host.type === "Schema" ? [host.node, ...context, ...items] : [...operations.flatMap(bodySchemas), ...targets];
        for (const field of limit.child("by")?.items() ?? []) {
          const path = typeof field.value === "string" ? field.value.split("/") : [];
          const there = schemas.some((each) => fieldNamesIn([each]).length > 0 && hasField([each], path));
          if (path.length === 0 || there) continue;
          yield {
            code: "limits/field",
            at: field,
            message: `There is no field "${path.join("/")}" here.`,
            fix: didYouMean(path.join("/"), fieldNamesIn(schemas), "fields"),
          };
        }
      }
    }
  },
};

/** A unique key has values to compare: items of an array, or what requests set in objects of a resource. */
export const limitKeysRule: LintRule<"limits/unique"> = {
  codes: { "limits/unique": ["error", "warning", "Nothing compares a unique key."] },
  *check(index) {
    const resources = index.byField("x-resource").map(({ host }) => host.node.key);
    const isOfResource = ({ key }: LintNode): boolean =>
      resources.some((each) => key === each || key.startsWith(`${each}/`));
    for (const extension of index.byField("x-limits")) {
      const { host, node } = extension;
      for (const [position, limit] of node.items().entries()) {
        if (limit.text("kind") !== "unique") continue;
        const { operations, rejectedOperations, contexts } = findApplicability(index, extension, [String(position)]);
        const schemas = [host.node, ...contexts.map((each) => each.self)];
        const isArray = schemas.some((each) =>
          each.resolutionChain().some((part) => part.child("items") !== undefined),
        );
        if (limit.text("within") === "array" && !isArray)
          yield {
            code: "limits/unique",
            at: limit.at(["within"]),
            message: "This compares the items of an array, and there is no array here.",
            fix: "Move the limit to the array, or write `within: account`.",
          };
        if (limit.text("within") === "array") continue;
        const isSet =
          host.type === "Schema" ? rejectedOperations.length > 0 : operations.flatMap(bodySchemas).length > 0;
        if (isSet || [host.node, ...contexts.flatMap((each) => each.enclosing)].some(isOfResource)) continue;
        yield {
          code: "limits/unique",
          at: limit.at(["kind"]),
          message: "Nothing compares this key: no request sets it, and it belongs to no resource.",
          fix: "Move the limit to the body of a request, to one of its fields, or to a schema with `x-resource`.",
        };
      }
    }
  },
};

/** The effects of a limit exist: counted and reached ones in its own operation, those in `since` in any operation. */
export const limitEffectsRule: LintRule<"limits/effect"> = {
  codes: { "limits/effect": ["error", "off", "A limit refers to an unknown effect."] },
  *check(index) {
    const all = index.byField("x-effects");
    const idsOf = (found: typeof all): readonly string[] =>
      found.flatMap(({ node }) => node.items()).flatMap((effect) => effect.text("id") ?? []);
    const anywhere = idsOf(all);
    for (const { host, node, reading } of index.byField("x-limits")) {
      const own = idsOf(all.filter((each) => each.host.node.key === host.node.key));
      for (const { kind, path, value } of reading.uses) {
        if (kind !== "effectId" || typeof value !== "string") continue;
        const known = path[1] === "since" ? anywhere : own;
        if (known.includes(value)) continue;
        yield {
          code: "limits/effect",
          at: node.at(path),
          message: `There is no effect "${value}" here.`,
          fix: didYouMean(value, known, "effects"),
        };
      }
    }
  },
};
