import { isArray, isObject, ownField } from "../../http/index.js";
import { OperationError } from "../errors/errors.js";
import { decodeCursor } from "./cursors.js";
import type {
  FilterField,
  FilterOperator,
  FilterSyntax,
  ListCondition,
  ListOrder,
  ListPage,
  ListQuery,
  ListRequest,
  ListSyntax,
  OrderSyntax,
  PageSyntax,
} from "./list-syntax.js";

/**
 * Reads the filter, the order and the page of a request.
 *
 * @throws OperationError for a field, an operator, a value or a cursor that the list does not have, if the description states an error for it
 */
export function readListQuery<Field extends string>(input: ListRequest, syntax: ListSyntax): ListQuery<Field>;
export function readListQuery(input: ListRequest, syntax: ListSyntax): ListQuery {
  const { filter, order, pages } = syntax;
  const reader = new ListQueryReader(syntax);
  const sent = filter === undefined ? undefined : sentFilter(input, filter);
  const conditions =
    filter?.style === "query" || filter?.style === "prefix"
      ? reader.fromQuery(input.query, filter)
      : reader.fromObject(sent ?? {});
  const by = order === undefined ? undefined : sentOrder(input, order, sent);
  if (order?.kind === "filter") reader.checkDirection(sent?.[order.direction]);
  return {
    ...(conditions.length === 0 ? {} : { where: { all: conditions } }),
    ...(by === undefined || (by.by !== undefined && !reader.isOrderable(by.by)) ? {} : { order: by }),
    page: pages === undefined ? {} : sentPage(input.query, pages),
  };
}

function sentPage(query: unknown, { page, size, isCursor, error }: PageSyntax): ListPage {
  const at = (name: string | undefined): unknown =>
    name !== undefined && isObject(query) ? ownField(query, name) : undefined;
  const [asked, length] = [at(page), at(size)];
  const sized = typeof length === "number" ? { size: length } : {};
  if (isCursor !== true) return { ...(typeof asked === "number" ? { number: asked } : {}), ...sized };
  const after = asked === undefined ? undefined : decodeCursor(asked);
  if (asked !== undefined && after === undefined && error !== undefined)
    throw new OperationError(error, { field: page, reason: "This cursor is of no page" });
  return { ...(after === undefined ? {} : { after }), ...sized };
}

function sentFilter(input: ListRequest, { parameter }: FilterSyntax): Readonly<Record<string, unknown>> | undefined {
  const group = parameter === undefined ? undefined : input[parameter.in];
  const value = parameter !== undefined && isObject(group) ? ownField(group, parameter.name) : undefined;
  return isObject(value) ? value : undefined;
}

function sentOrder(
  { query }: ListRequest,
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
  readonly #syntax: ListSyntax;
  /** The operators by their spellings. */
  readonly #operators: ReadonlyMap<string, FilterOperator>;

  constructor(syntax: ListSyntax) {
    this.#syntax = syntax;
    this.#operators = new Map(
      Object.entries(syntax.filter?.operators ?? {}).map(([name, text]) => [text, name as FilterOperator] as const),
    );
  }

  /** The conditions of an object with fields, and in JSON with further filters. */
  fromObject(filter: Readonly<Record<string, unknown>>): readonly ListCondition[] {
    const { filter: { all, any } = {}, order } = this.#syntax;
    return Object.entries(filter).flatMap(([name, value]): readonly ListCondition[] => {
      if (order?.kind === "filter" && (name === order.by || name === order.direction)) return [];
      if (name === all) return [{ all: this.#several(name, value) }];
      if (name === any) return [{ any: this.#several(name, value) }];
      const field = this.#field(name);
      if (field === undefined) return [];
      if (!isObject(value)) return this.#condition(field, name, ["eq", value]);
      return Object.entries(value).flatMap(([spelling, operand]) => {
        const operator = this.#operator(field, spelling);
        return operator === undefined ? [] : this.#condition(field, name, [operator, operand]);
      });
    });
  }

  /** The conditions of query parameters: one for each field and operator, or for each field with the operators in its values. */
  fromQuery(query: unknown, { style, operators }: FilterSyntax): readonly ListCondition[] {
    if (!isObject(query)) return [];
    const spellings = Object.entries(operators) as readonly (readonly [FilterOperator, string])[];
    return Object.entries(this.#syntax.filterFields).flatMap(([name, field]) => {
      const allowed = spellings.filter(([operator]) => field.operators?.includes(operator) ?? true);
      const equal = ownField(query, name);
      if (style === "prefix")
        return (isArray(equal) ? equal : [equal]).flatMap((value) => this.#prefixed([name, field], value, allowed));
      return [["eq", ""] as const, ...allowed].flatMap(([operator, spelling]) =>
        this.#condition(field, name, [operator, ownField(query, `${name}${spelling}`)]),
      );
    });
  }

  #prefixed(
    [name, field]: readonly [string, FilterField],
    value: unknown,
    operators: readonly (readonly [FilterOperator, string])[],
  ): readonly ListCondition[] {
    const text = typeof value === "string" ? value : "";
    const [operator, before] = operators.find(([, spelling]) => text.startsWith(spelling)) ?? ["eq" as const, ""];
    return this.#condition(field, name, [operator, before === "" ? value : text.slice(before.length)]);
  }

  /** Whether lists can be ordered by a field. */
  isOrderable(name: string): boolean {
    const field = this.#field(name);
    if (field?.type === "array") this.#reject(`Cannot filter on ${name}`);
    return field !== undefined && field.type !== "array";
  }

  checkDirection(value: unknown): void {
    if (value !== undefined && value !== "asc" && value !== "desc") this.#reject("A direction is asc or desc");
  }

  #several(key: string, value: unknown): readonly ListCondition[] {
    if (!isArray(value) || !value.every(isObject)) this.#reject(`${key} takes a list of filters`);
    return (isArray(value) ? value : []).map((each): ListCondition =>
      isObject(each) ? { all: this.fromObject(each) } : { any: [] },
    );
  }

  #field(name: string): FilterField | undefined {
    const field = ownField(this.#syntax.filterFields, name) as FilterField | undefined;
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

  /** A query has texts: the type of the field says what they stand for. */
  #condition(
    { type }: FilterField,
    field: string,
    [operator, operand]: readonly [FilterOperator | "eq", unknown],
  ): readonly ListCondition[] {
    if (operand === undefined) return [];
    if (typeof operand !== "string") return [{ field, operator, operand }];
    if (type === "number" && operand.trim() !== "" && !Number.isNaN(Number(operand)))
      return [{ field, operator, operand: Number(operand) }];
    const isFlag = type === "boolean" && (operand === "true" || operand === "false");
    // JSON can say which type it means.
    if ((type === "number" || (type === "boolean" && !isFlag)) && this.#syntax.filter?.style !== "json")
      this.#reject(`${field} is a ${type}`, field);
    return [{ field, operator, operand: isFlag ? operand === "true" : operand }];
  }

  #reject(reason: string, field?: string): void {
    const { error, parameter } = this.#syntax.filter ?? {};
    if (error === undefined) return;
    const name = parameter?.name ?? field;
    throw new OperationError(error, { ...(name === undefined ? {} : { field: name }), reason });
  }
}
