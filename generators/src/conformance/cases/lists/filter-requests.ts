import type { CallStep, Expectation, Template } from "@plumbline/conformance-runtime";
import {
  filterParameterName,
  hasFieldParameters,
  schemaParts,
  sizeLimits,
  type FilterOperator,
} from "@plumbline/kit/model";
import { isPlainObject } from "../../values/partial-evaluation.js";
import type { FilteredField, FilteredList } from "./filtered-lists.js";

/** The operator of a condition: one of the model, or equality. */
export type ConditionOperator = FilterOperator | "eq";

/** A condition on a field of a list. */
export interface FieldCondition {
  readonly field: FilteredField;
  readonly operator: ConditionOperator;
  readonly operand: Template;
}

/** What a request asks of a list. */
export interface ListRequest {
  readonly condition?: FieldCondition;
  /** True if the list has the two items of the case only, as far as its filter can say that. */
  readonly isNarrowed: boolean;
  readonly order?: { readonly field: FilteredField; readonly direction: "asc" | "desc" };
}

type FilterObject = Record<string, Template>;

/** Reads a list with conditions and an order, in the language of the description. */
export function listWith(list: FilteredList, request: ListRequest, expect: Expectation): CallStep {
  const { syntax, order } = list;
  const narrow = request.isNarrowed ? narrowing(list) : undefined;
  const own = request.condition === undefined ? undefined : writtenCondition(list, request.condition);
  const by = request.order;
  if (syntax.style === "json") {
    const keys =
      by !== undefined && order?.kind === "filter"
        ? { [order.by]: by.field.name, [order.direction]: by.direction }
        : {};
    const joined =
      narrow !== undefined && own !== undefined ? { [syntax.all ?? ""]: [narrow, own] } : (narrow ?? own ?? {});
    return listWithFilter(list, { ...joined, ...keys }, { query: orderQuery(list, by), expect });
  }
  const conditions = { ...narrow, ...own };
  if (hasFieldParameters(syntax)) return listWithQuery(list, { ...conditions, ...orderQuery(list, by) }, expect);
  const isFiltered = Object.keys(conditions).length > 0;
  return isFiltered
    ? listWithFilter(list, conditions, { query: orderQuery(list, by), expect })
    : listWithQuery(list, orderQuery(list, by), expect);
}

/** Reads a list with a value of the filter's parameter. */
export function listWithFilter(
  list: FilteredList,
  filter: Template,
  { query = {}, expect }: { readonly query?: Readonly<Record<string, Template>>; readonly expect: Expectation },
): CallStep {
  const { plan, parameter } = list;
  if (parameter === undefined)
    return listWithQuery(list, { ...query, ...(isPlainObject(filter) ? filter : {}) }, expect);
  if (parameter.in === "query") return listWithQuery(list, { ...query, [parameter.name]: filter }, expect);
  const { expect: _, ...step } = listWithQuery(list, query, expect);
  return { ...step, headers: { ...plan.call.headers, [parameter.name]: filter }, expect };
}

/** Reads a list with query parameters, in pages of the greatest size. */
export function listWithQuery(
  { plan, context, operation }: FilteredList,
  query: Readonly<Record<string, Template>>,
  expect: Expectation,
): CallStep {
  const size = operation.parameters.find(({ name }) => name === operation.pagination?.size);
  const most = size && sizeLimits("number", schemaParts(context.api, size.schema)).most;
  return {
    ...plan.call,
    query: { ...plan.call.query, ...(size === undefined || most === undefined ? {} : { [size.name]: most }), ...query },
    expect,
  };
}

/** Whether requests can write an operator of a field. */
export function isWritten({ syntax }: FilteredList, field: FilteredField, operator: ConditionOperator): boolean {
  if (operator === "eq") return field.canEqual;
  return syntax.operators[operator] !== undefined && (field.operators?.includes(operator) ?? true);
}

/** The operator as requests have it. Equality has no name: the one of the model, with the punctuation of the others. */
export function spellingOf({ syntax: { style, operators } }: FilteredList, operator: ConditionOperator): string {
  if (style === "query" || style === "prefix") return operator;
  const [punctuation = ""] = /^\W*/.exec(Object.values(operators)[0] ?? "") ?? [];
  return operator === "eq" ? `${punctuation}eq` : (operators[operator] ?? operator);
}

/** The value of a field of an item of the case. */
export function valueOf({ pointer, type }: FilteredField, item: string): Template {
  return { $get: `${item}#/${pointer.join("/")}${type === "array" ? "/0" : ""}` };
}

/**
 * A filter for the two items alone. Where filters can be joined, by the field that identifies the items. Elsewhere by a field in which they have the
 * same value, and no other item has it.
 */
export function narrowing(list: FilteredList): FilterObject | undefined {
  const { fields, context, operation, syntax } = list;
  const only = context.settings.filters?.[operation.name]?.identifyingField;
  const field = fields.find(({ name }) => name === only);
  if (field === undefined || (syntax.any === undefined && !field.canEqual)) return undefined;
  const at = (item: string): FilterObject => ({ [field.name]: valueOf(field, item) });
  return syntax.any === undefined ? at("greater") : { [syntax.any]: [at("lesser"), at("greater")] };
}

function writtenCondition(list: FilteredList, { field, operator, operand }: FieldCondition): FilterObject {
  if (list.syntax.style === "prefix")
    return { [field.name]: operator === "eq" ? operand : { $text: [list.syntax.operators[operator] ?? "", operand] } };
  if (list.syntax.style === "query") return { [filterParameterName(list.syntax, field.name, operator) ?? ""]: operand };
  return { [field.name]: operator === "eq" ? operand : { [spellingOf(list, operator)]: operand } };
}

function orderQuery({ order }: FilteredList, by: ListRequest["order"]): Readonly<Record<string, Template>> {
  if (by === undefined || order?.kind !== "parameter") return {};
  return { [order.parameter]: `${by.direction === "desc" ? order.descending : ""}${by.field.name}` };
}
