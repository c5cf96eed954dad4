import {
  type Api,
  collectFilterFields,
  type FilterField,
  type FilterOperator,
  filterParameterName,
  type FilterSyntax,
  type Operation,
  operatorsOfField,
  type Parameter,
} from "@plumbline/kit/model";

/** More fields than these are left to the description: models read it in every conversation. */
const maxFields = 20;

/** Says by which fields and operators a parameter filters or orders a list. Undefined for any other parameter. */
export function describeListParameter(api: Api, operation: Operation, parameter: Parameter): string | undefined {
  const { filter, order } = operation;
  if (filter === undefined && order === undefined) return undefined;
  const fields = collectFilterFields(api, operation);
  const isFilter = filter?.parameter?.name === parameter.name && filter.parameter.in === parameter.in;
  if (filter !== undefined && isFilter) return describeFilter(api, operation, { filter, fields });
  if (parameter.in !== "query") return undefined;
  if (order?.kind === "parameter" && order.parameter === parameter.name) {
    const names = orderedNames(fields);
    return `Orders by a field: ${names.join(", ")}. ${order.descending} before it: greatest first.`;
  }
  return filter === undefined ? undefined : describeCondition(api, { filter, fields }, parameter.name);
}

interface FilteredFields {
  readonly filter: FilterSyntax;
  readonly fields: readonly FilterField[];
}

function describeFilter(api: Api, { order }: Operation, { filter, fields }: FilteredFields): string {
  const texts = fields.map((field) => {
    const operators = spellings(api, filter, field);
    return operators.length === 0 ? field.name : `${field.name} (${operators.join(", ")})`;
  });
  const compared = fields.find((field) => operatorsOfField(api, field, filter).length > 0);
  const [operator] = compared === undefined ? [] : spellings(api, filter, compared);
  const example =
    compared === undefined || operator === undefined
      ? ""
      : ` {"${compared.name}": {"${operator}": …}} compares; a value alone has to be equal.`;
  const joins = filter.any === undefined ? "" : ` "${filter.any}": [filters] matches any of them.`;
  const ordering =
    order?.kind === "filter" ? ` Order: {"${order.by}": field, "${order.direction}": "asc" or "desc"}.` : "";
  return `Fields: ${shortened(texts).join(", ")}.${example}${joins}${ordering}`;
}

/** A field with its own parameter, or with one for each operator. */
function describeCondition(api: Api, { filter, fields }: FilteredFields, name: string): string | undefined {
  for (const field of fields) {
    if (filter.style === "prefix" && field.name === name) {
      const operators = spellings(api, filter, field);
      return operators.length === 0 ? undefined : `A value that it equals, or one that follows ${operators.join(", ")}`;
    }
    const operator = operatorsOfField(api, field, filter).find(
      (each) => filter.style === "query" && filterParameterName(filter, field.name, each) === name,
    );
    if (operator !== undefined) return `${field.name} ${comparisons[operator]}`;
  }
  return undefined;
}

const comparisons: Readonly<Record<FilterOperator, string>> = {
  gt: "is greater, or later.",
  gte: "is as great, or greater.",
  lt: "is less, or earlier.",
  lte: "is as great, or less.",
  ne: "differs.",
  contains: "has this text in it.",
};

function spellings(api: Api, filter: FilterSyntax, field: FilterField): readonly string[] {
  return operatorsOfField(api, field, filter).flatMap((each) => filter.operators[each] ?? []);
}

function orderedNames(fields: readonly FilterField[]): readonly string[] {
  return shortened(fields.filter(({ type }) => type !== "array").map(({ name }) => name));
}

function shortened(texts: readonly string[]): readonly string[] {
  return texts.length > maxFields ? [...texts.slice(0, maxFields), "…"] : texts;
}
