import type { Template } from "@plumbline/conformance-runtime";
import type { Bound, Comparison, Filter, Operand } from "../model/json-path.js";
import type { Criterion, Value } from "../model/workflow.js";

type Schema = { readonly [keyword: string]: Template };

/** A JSON Schema that a body matches when the criterion holds. `template` converts operands. */
export function schemaOf(criterion: Criterion, template: (value: Value) => Template): Schema {
  const path = criterion.pointer.map((token) => (/^\d+$/.test(token) ? Number(token) : token));
  if ("pattern" in criterion) return at(path, { type: "string", pattern: criterion.pattern });
  if ("filter" in criterion) return at(path, filterSchema(criterion.filter, template));
  return at(path, compared(criterion.operator, template(criterion.value)));
}

function filterSchema(filter: Filter, template: (value: Value) => Template): Schema {
  const schemaFor = (each: Filter): Schema => filterSchema(each, template);
  if ("all" in filter) return { allOf: filter.all.map(schemaFor) };
  if ("any" in filter) return { anyOf: filter.any.map(schemaFor) };
  if ("not" in filter) return { not: schemaFor(filter.not) };
  if ("pattern" in filter) return at(filter.path, { type: "string", pattern: filter.pattern });
  if ("length" in filter) return at(filter.length, { type: "array", ...countOf(filter, "minItems", "maxItems") });
  if ("count" in filter)
    return at(filter.count, {
      type: "array",
      contains: schemaFor(filter.items),
      ...countOf(filter, "minContains", "maxContains"),
    });
  if ("value" in filter) {
    const value = template(operandValue(filter.value));
    // In JSONPath a missing value differs from every value.
    if (filter.operator === "!=") return { not: at(filter.path, compared("==", value)) };
    return at(filter.path, compared(filter.operator, value));
  }
  return at(filter.path, filter.items === undefined ? {} : { type: "array", contains: schemaFor(filter.items) });
}

function operandValue(operand: Operand): Value {
  return "literal" in operand ? operand : { text: [operand.reference] };
}

function compared(operator: Comparison, value: Template): Schema {
  const keywords = {
    "==": { const: value },
    "!=": { not: { const: value } },
    "<": { type: "number", exclusiveMaximum: value },
    "<=": { type: "number", maximum: value },
    ">": { type: "number", exclusiveMinimum: value },
    ">=": { type: "number", minimum: value },
  } satisfies Record<Comparison, Schema>;
  return keywords[operator];
}

/** The number of items that a comparison requires. */
function countOf(
  { operator, value }: { readonly operator: Bound; readonly value: number },
  least: string,
  most: string,
): Schema {
  const bounds = {
    "==": { [least]: value, [most]: value },
    "<": { [least]: 0, [most]: value - 1 },
    "<=": { [least]: 0, [most]: value },
    ">": { [least]: value + 1 },
    ">=": { [least]: value },
  } satisfies Record<Bound, Schema>;
  return bounds[operator];
}

/** A schema that requires a value at a path. */
function at(path: readonly (string | number)[], schema: Schema): Schema {
  return path.toReversed().reduce<Schema>((inner, step) => {
    if (typeof step === "string") return { type: "object", required: [step], properties: { [step]: inner } };
    const before = Array.from({ length: step }, (): Schema => ({}));
    return { type: "array", minItems: step + 1, prefixItems: [...before, inner] };
  }, schema);
}
