import {
  assertions,
  type BoundKeyword,
  bounds,
  isOfJsonType,
  type JsonType,
  type Schema,
  strictestBound,
} from "../../../model/index.js";
import type { LintNode } from "../lint-node.js";
import type { LintFinding, LintRule } from "../rule.js";

/** Some value is valid, and a default is one of the valid values, by the keywords beside it. */
export const valuesRule: LintRule<"values/none" | "values/default"> = {
  codes: {
    "values/none": ["error", "warning", "No value is valid for the bounds of a schema."],
    "values/default": ["error", "warning", "A default is not valid for the schema beside it."],
  },
  *check(index) {
    for (const { node, type } of index.hosts) {
      if (type !== "Schema" || "$ref" in node.object) continue;
      const stated = statedAssertions(node);
      yield* emptyRange(node, stated);
      yield* emptyList(node, stated);
      yield* invalidDefault(node, stated);
    }
  },
};

/** The keywords of a schema that have their right types. In OpenAPI 3.0 an exclusive bound is a flag beside the other bound. */
function statedAssertions({ object }: LintNode): Partial<Schema> {
  const { enum: listed, const: only, exclusiveMinimum, exclusiveMaximum, minimum, maximum } = object;
  const numbers = bounds.flatMap(({ name }) =>
    typeof object[name] === "number" ? [[name, object[name]] as const] : [],
  );
  return {
    ...Object.fromEntries(numbers),
    ...(exclusiveMinimum === true && typeof minimum === "number" ? { exclusiveMinimum: minimum } : {}),
    ...(exclusiveMaximum === true && typeof maximum === "number" ? { exclusiveMaximum: maximum } : {}),
    ...(Array.isArray(listed) ? { enum: listed as NonNullable<Schema["enum"]> } : {}),
    ...(only === undefined ? {} : { const: only as NonNullable<Schema["const"]> }),
  };
}

function* emptyRange(node: LintNode, stated: Partial<Schema>): Iterable<LintFinding<"values/none">> {
  for (const lower of statedBounds(stated, "lower"))
    for (const upper of statedBounds(stated, "upper")) {
      if (lower.measure !== upper.measure || lower.countsMatches !== upper.countsMatches) continue;
      const [least, most] = [strictestBound(lower.name, [stated]) ?? 0, strictestBound(upper.name, [stated]) ?? 0];
      if (least < most || (least === most && !lower.isExclusive && !upper.isExclusive)) continue;
      yield {
        code: "values/none",
        at: node.at([upper.name]),
        message: `No value has ${lower.name} ${least} and ${upper.name} ${most}.`,
        fix: `Correct one of the two: ${lower.name} has to be less than ${upper.name}, or equal if both may be reached.`,
      };
    }
}

function statedBounds(stated: Partial<Schema>, side: BoundKeyword["side"]): readonly BoundKeyword[] {
  return bounds.filter((each) => each.side === side && stated[each.name] !== undefined);
}

function* emptyList(node: LintNode, stated: Partial<Schema>): Iterable<LintFinding<"values/none">> {
  const { enum: listed, const: only, ...limits } = stated;
  const key = only === undefined ? "enum" : "const";
  const values = only === undefined ? (listed ?? []) : [only];
  if (values.length === 0 || values.some((value) => findViolated(value, limits) === undefined)) return;
  const keyword = findViolated(values[0], limits);
  yield {
    code: "values/none",
    at: node.at([key]),
    message: `No value of ${key} is valid for the keywords beside it, such as ${keyword}.`,
    fix: `Correct ${key}, or ${keyword}.`,
  };
}

function* invalidDefault(node: LintNode, stated: Partial<Schema>): Iterable<LintFinding<"values/default">> {
  const value = node.object["default"];
  if (value === undefined) return;
  const keyword = isOfStatedType(value, node) ? findViolated(value, stated) : "type";
  if (keyword === undefined) return;
  yield {
    code: "values/default",
    at: node.at(["default"]),
    message: `This default is not valid for ${keyword}.`,
    fix: `Correct the default, or ${keyword}.`,
  };
}

/** Returns the first keyword for which a value is not valid. */
function findViolated(value: unknown, stated: Partial<Schema>): string | undefined {
  const schema: Schema = { types: [], origin: { file: "", pointer: "" }, ...stated };
  return assertions.find(({ testOf }) => testOf?.(schema)?.(value) === false)?.name;
}

function isOfStatedType(value: unknown, { object }: LintNode): boolean {
  const types = [object["type"] ?? []].flat().filter((type): type is JsonType => typeof type === "string");
  return (
    types.length === 0 ||
    (object["nullable"] === true && value === null) ||
    types.some((type) => isOfJsonType(value, type))
  );
}
