import type { Case, Json, Template } from "@plumbline/conformance-runtime";
import { collectFilterFields, schemaParts } from "@plumbline/kit/model";
import { createCase } from "../../context/context.js";
import { toLiteral } from "../../values/samples.js";
import { listWith } from "./filter-requests.js";
import type { FilteredField, FilteredList } from "./filtered-lists.js";

/** Cases of lists that are filtered by each value of a flag or an enum: together the values have each item of the list once. */
export function dividedListCases(list: FilteredList): readonly Case[] {
  return list.fields.flatMap((field) => {
    const values = field.canEqual && !field.isNullable && !field.isOptional ? valuesOf(list, field) : [];
    return values.length < 2 ? [] : dividedCase(list, field, values);
  });
}

/** The values that the field can have. Empty if they are no few ones. */
function valuesOf({ context, operation }: FilteredList, { name, type }: FilteredField): readonly Json[] {
  if (type === "boolean") return [true, false];
  const fields = collectFilterFields(context.api, operation).filter((each) => each.name === name);
  const parts = fields
    .flatMap(({ schemas }) => schemas.slice(-1))
    .flatMap((schema) => schemaParts(context.api, schema));
  return parts.find((part) => part.enum !== undefined)?.enum ?? [];
}

function dividedCase(list: FilteredList, field: FilteredField, values: readonly Json[]): readonly Case[] {
  const { context, operation, plan, createSteps, itemsField } = list;
  const total = operation.pagination?.envelope.total;
  if (total === undefined || itemsField === undefined || field.pointer.length > 1) return [];
  const only = (value: Json): Template => ({
    items: { required: [field.name], properties: { [field.name]: { const: toLiteral(value) } } },
  });
  const parts = values.map((value, index) => ({
    ...listWith(
      list,
      { condition: { field, operator: "eq", operand: toLiteral(value) }, isNarrowed: false },
      { status: 200, body: { required: [itemsField, total], properties: { [itemsField]: only(value) } } },
    ),
    as: `part${index}`,
  }));
  return [
    createCase(context, {
      operation,
      kind: "filters",
      idParts: ["filter", field.name, "divided"],
      title: `Filtered by each value of ${field.name}, the list has each item once`,
      requirements: field.requirements,
      requires: plan.requires,
      // Other cases create and delete objects of the same list.
      exclusive: true,
      steps: [
        ...plan.setupSteps,
        ...createSteps,
        { settle: true },
        { ...listWith(list, { isNarrowed: false }, { status: 200 }), as: "all" },
        ...parts,
        {
          check: { $sum: values.map((_, index) => ({ $get: `part${index}#/body/${total}` })) },
          matches: { const: { $get: `all#/body/${total}` } },
          message: `The lists of each ${field.name} have other items than the list of all together.`,
        },
      ],
    }),
  ];
}
