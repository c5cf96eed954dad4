import { didYouMean } from "../../read/did-you-mean.js";
import { findApplicability } from "../applicability.js";
import { bodySchemas, fieldNamesIn, hasField } from "../fields.js";
import type { LintNode } from "../lint-node.js";
import type { LintRule } from "../rule.js";
import { unknownName } from "../unknown-name.js";

/** Limits that are referred to exist, and ids of limits are unique. */
export const limitsRule: LintRule<"limits/duplicate" | "limits/unknown"> = {
  codes: {
    "limits/duplicate": ["error", "warning", "Two different limits share an id."],
    "limits/unknown": ["error", "warning", "A limit is unknown."],
  },
  *check(index) {
    const limits = new Map<string, LintNode>();
    for (const { node } of index.byField("x-limits")) {
      for (const limit of node.items()) {
        const id = limit.text("id");
        if (id === undefined) continue;
        const other = limits.get(id);
        if (other === undefined) limits.set(id, limit);
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
    for (const { at, value } of index.usesOf("limitId")) {
      if (typeof value === "string" && !limits.has(value))
        yield unknownName("limits/unknown", at, { noun: "limit", name: value, names: limits.keys() });
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
  codes: { "limits/field": ["error", "warning", "A limit refers to an unknown field."] },
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
  codes: { "limits/effect": ["error", "warning", "A limit refers to an unknown effect."] },
  *check(index) {
    const effects = index.byField("x-effects");
    for (const { extension, path, at, value } of index.usesOf("effectId")) {
      if (extension.field !== "x-limits" || typeof value !== "string") continue;
      const ids = effects
        .filter(({ host }) => path[1] === "since" || host.node.key === extension.host.node.key)
        .flatMap(({ node }) => node.items().flatMap((effect) => effect.text("id") ?? []));
      const message = `There is no effect "${value}" here.`;
      if (!ids.includes(value)) yield { code: "limits/effect", at, message, fix: didYouMean(value, ids, "effects") };
    }
  },
};
