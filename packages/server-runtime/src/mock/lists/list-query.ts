import { isArray, isObject, ownField, type InputGroups } from "../../http/index.js";
import {
  OperationError,
  type FilterField,
  type FilterOperator,
  type FilterSyntax,
  type ListCondition,
  type ListOrder,
  type OrderSyntax,
} from "../../server/index.js";

/** How a list is filtered and ordered. */
export interface ListLanguage {
  readonly filter?: FilterSyntax;
  readonly order?: OrderSyntax;
  readonly filterFields: Readonly<Record<string, FilterField>>;
}

/** What a request asks of a list. */
export interface ListQuery {
  /** Absent: nothing. */
  readonly where?: ListCondition;
  readonly order?: ListOrder;
}

/**
 * Reads the filter and the order of a request.
 *
 * @throws OperationError for a field or an operator that the list does not have, if the description states an error for it
 */
export function readListQuery(input: InputGroups, language: ListLanguage): ListQuery {
  const { filter, order } = language;
  const reader = new ListQueryReader(language);
  const sent = filter === undefined ? undefined : sentFilter(input, filter);
  const conditions =
    filter?.style === "query" ? reader.fromQuery(input["query"], filter) : reader.fromObject(sent ?? {});
  const by = order === undefined ? undefined : sentOrder(input, order, sent);
  return {
    ...(conditions.length === 0 ? {} : { where: { all: conditions } }),
    ...(by === undefined || (by.by !== undefined && !reader.isOrderable(by.by)) ? {} : { order: by }),
  };
}

function sentFilter(input: InputGroups, { parameter }: FilterSyntax): Readonly<Record<string, unknown>> | undefined {
  const group = parameter === undefined ? undefined : input[parameter.in];
  const value = parameter !== undefined && isObject(group) ? ownField(group, parameter.name) : undefined;
  return isObject(value) ? value : undefined;
}

function sentOrder(
  { query }: InputGroups,
  order: OrderSyntax,
  filter: Readonly<Record<string, unknown>> = {},
): ListOrder | undefined {
  if (order.kind === "filter") {
    const by = ownField(filter, order.by);
    const isDescending = ownField(filter, order.direction) === "desc";
    if (typeof by === "string") return { by, isDescending };
    return isDescending ? { isDescending } : undefined;
  }
  const text = isObject(query) ? ownField(query, order.parameter) : undefined;
  if (typeof text !== "string" || text === "") return undefined;
  const isDescending = text.startsWith(order.descending);
  return { by: isDescending ? text.slice(order.descending.length) : text, isDescending };
}

class ListQueryReader {
  readonly #language: ListLanguage;
  /** The operators by their spellings. */
  readonly #operators: ReadonlyMap<string, FilterOperator>;

  constructor(language: ListLanguage) {
    this.#language = language;
    this.#operators = new Map(
      Object.entries(language.filter?.operators ?? {}).map(([name, text]) => [text, name as FilterOperator] as const),
    );
  }

  /** The conditions of an object with fields, and in JSON with further filters. */
  fromObject(filter: Readonly<Record<string, unknown>>): readonly ListCondition[] {
    const { filter: { all, any } = {}, order } = this.#language;
    return Object.entries(filter).flatMap(([name, value]): readonly ListCondition[] => {
      if (order?.kind === "filter" && (name === order.by || name === order.direction)) return [];
      if (name === all) return [{ all: this.#several(value) }];
      if (name === any) return [{ any: this.#several(value) }];
      const field = this.#field(name);
      if (field === undefined) return [];
      if (!isObject(value)) return [condition(field, name, ["eq", value])];
      return Object.entries(value).flatMap(([spelling, operand]) => {
        const operator = this.#operator(field, spelling);
        return operator === undefined ? [] : [condition(field, name, [operator, operand])];
      });
    });
  }

  /** The conditions of query parameters, one for each field and operator. */
  fromQuery(query: unknown, { operators }: FilterSyntax): readonly ListCondition[] {
    if (!isObject(query)) return [];
    const spellings = [["eq", ""] as const, ...Object.entries(operators)] as readonly (readonly [
      FilterOperator | "eq",
      string,
    ])[];
    return Object.entries(this.#language.filterFields).flatMap(([name, field]) =>
      spellings.flatMap(([operator, spelling]) => {
        const operand = ownField(query, `${name}${spelling}`);
        const isAllowed = operator === "eq" || (field.operators?.includes(operator) ?? true);
        return operand === undefined || !isAllowed ? [] : [condition(field, name, [operator, operand])];
      }),
    );
  }

  /** Whether lists can be ordered by a field. */
  isOrderable(name: string): boolean {
    const field = this.#field(name);
    if (field?.type === "array") this.#reject(`Cannot filter on ${name}`);
    return field !== undefined && field.type !== "array";
  }

  #several(value: unknown): readonly ListCondition[] {
    return (isArray(value) ? value : []).map((each): ListCondition =>
      isObject(each) ? { all: this.fromObject(each) } : { any: [] },
    );
  }

  #field(name: string): FilterField | undefined {
    const field = ownField(this.#language.filterFields, name) as FilterField | undefined;
    if (field === undefined) this.#reject(`Cannot filter on ${name}`);
    return field;
  }

  #operator({ type }: FilterField, spelling: string): FilterOperator | undefined {
    const operator = this.#operators.get(spelling);
    if (operator === undefined) this.#reject(`There is no operator ${spelling}`);
    else if (type === "array" && operator !== "ne" && operator !== "contains")
      this.#reject(`A list cannot be compared with ${spelling}`);
    else return operator;
    return undefined;
  }

  #reject(reason: string): void {
    const { error, parameter } = this.#language.filter ?? {};
    if (error === undefined) return;
    throw new OperationError(error, { ...(parameter === undefined ? {} : { field: parameter.name }), reason });
  }
}

/** A query has texts: the type of the field says what they stand for. */
function condition(
  { type }: FilterField,
  field: string,
  [operator, operand]: readonly [FilterOperator | "eq", unknown],
): ListCondition {
  if (typeof operand !== "string") return { field, operator, operand };
  if (type === "number" && operand.trim() !== "" && !Number.isNaN(Number(operand)))
    return { field, operator, operand: Number(operand) };
  const isFlag = type === "boolean" && (operand === "true" || operand === "false");
  return { field, operator, operand: isFlag ? operand === "true" : operand };
}
