import type { Template } from "@plumbline/conformance-runtime";
import {
  type ComparisonOperator,
  type FilterExpression,
  type FilterOperand,
  type OrderingOperator,
  type SizeLimits,
  statedLimits,
  type WorkflowCriterion,
  type WorkflowValue,
} from "@plumbline/kit/model";

type Schema = { readonly [keyword: string]: Template };

/** A JSON Schema that a body matches when the criterion holds. `template` converts operands. */
export function schemaOfCriterion(criterion: WorkflowCriterion, template: (value: WorkflowValue) => Template): Schema {
  const path = criterion.pointer.map((token) => (/^\d+$/.test(token) ? Number(token) : token));
  if ("pattern" in criterion) return schemaAtPath(path, { type: "string", pattern: criterion.pattern });
  if ("filter" in criterion) return schemaAtPath(path, filterSchema(criterion.filter, template));
  return schemaAtPath(path, comparisonSchema(criterion.operator, template(criterion.value)));
}

function filterSchema(filter: FilterExpression, template: (value: WorkflowValue) => Template): Schema {
  const schemaFor = (each: FilterExpression): Schema => filterSchema(each, template);
  if ("all" in filter) return { allOf: filter.all.map(schemaFor) };
  if ("any" in filter) return { anyOf: filter.any.map(schemaFor) };
  if ("not" in filter) return { not: schemaFor(filter.not) };
  if ("pattern" in filter) return schemaAtPath(filter.path, { type: "string", pattern: filter.pattern });
  if ("length" in filter) return schemaAtPath(filter.length, { type: "array", ...countOf(filter, "items") });
  if ("count" in filter)
    return schemaAtPath(filter.count, {
      type: "array",
      contains: schemaFor(filter.items),
      ...countOf(filter, "matches"),
    });
  if ("value" in filter) {
    const value = template(operandValue(filter.value));
    // In JSONPath a missing value differs from every value.
    if (filter.operator === "!=") return { not: schemaAtPath(filter.path, comparisonSchema("==", value)) };
    return schemaAtPath(filter.path, comparisonSchema(filter.operator, value));
  }
  return schemaAtPath(
    filter.path,
    filter.items === undefined ? {} : { type: "array", contains: schemaFor(filter.items) },
  );
}

function operandValue(operand: FilterOperand): WorkflowValue {
  return "literal" in operand ? operand : { text: [operand.reference] };
}

function comparisonSchema(operator: ComparisonOperator, value: Template): Schema {
  const keywords = {
    "==": { const: value },
    "!=": { not: { const: value } },
    "<": { type: "number", ...statedLimits("exclusiveNumber", { most: value }) },
    "<=": { type: "number", ...statedLimits("number", { most: value }) },
    ">": { type: "number", ...statedLimits("exclusiveNumber", { least: value }) },
    ">=": { type: "number", ...statedLimits("number", { least: value }) },
  } satisfies Record<ComparisonOperator, Schema>;
  return keywords[operator];
}

/** The number of items that a comparison requires. */
function countOf(
  { operator, value }: { readonly operator: OrderingOperator; readonly value: number },
  counted: "items" | "matches",
): Schema {
  const limits = {
    "==": { least: value, most: value },
    "<": { least: 0, most: value - 1 },
    "<=": { least: 0, most: value },
    ">": { least: value + 1 },
    ">=": { least: value },
  } satisfies Record<OrderingOperator, SizeLimits>;
  return statedLimits(counted, limits[operator]);
}

/** A schema that requires a value at a path. */
function schemaAtPath(path: readonly (string | number)[], schema: Schema): Schema {
  return path.toReversed().reduce<Schema>((inner, step) => {
    if (typeof step === "string") return { type: "object", required: [step], properties: { [step]: inner } };
    const before = Array.from({ length: step }, (): Schema => ({}));
    return { type: "array", ...statedLimits("items", { least: step + 1 }), prefixItems: [...before, inner] };
  }, schema);
}
