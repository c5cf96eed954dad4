import { errors, type FilterExpression } from "@cloud-compute/server";
import type { FilterField } from "@plumbline/server-runtime";
import { isObject } from "@plumbline/server-runtime/validator";
import { sql } from "kysely";
import {
  allOf,
  anyOf,
  cell,
  equals,
  hasItem,
  isOfItem,
  textCell,
  type Cell,
  type Condition,
  type Contains,
} from "../database.js";
import { assertFilterSize } from "./filter-size.js";

/** As `X-FilterExpression` sends it. */
export type SentFilter = FilterExpression;

export type FilterFields = Readonly<Record<string, FilterField>>;

/** How to search for rows with an item: from the item, if few rows have it, or row by row, if many have it. */
export type ItemSearch = "from the item" | "from the row";

interface Context {
  readonly items: ItemSearch;
  readonly table: string;
  /** The condition that a row is one of the account. */
  readonly own: Condition;
  readonly columns: Readonly<Record<string, "text" | "integer" | "boolean">>;
  readonly filterable: FilterFields;
  readonly contains: Contains;
}

/**
 * The condition of a filter.
 *
 * @throws when a field is not filterable, or the filter is too large
 */
export function conditionOf(filter: SentFilter, context: Context): Condition {
  assertFilterSize(filter);
  return conditionWithin(filter, context);
}

function conditionWithin(filter: SentFilter, context: Context): Condition {
  const within = (filters: readonly SentFilter[]): Condition[] => filters.map((each) => conditionWithin(each, context));
  return allOf(
    Object.entries(filter).map(([name, value]) => {
      if (name === "+and") return allOf(within(value as readonly SentFilter[]));
      if (name === "+or") return anyOf(within(value as readonly SentFilter[]));
      if (orderNames.has(name)) return allOf([]);
      return fieldCondition(name, value, context);
    }),
  );
}

/** Whether a filter leaves out rows, and does not only order them. */
export function isFiltered(filter: SentFilter): boolean {
  return Object.keys(filter).some((name) => !orderNames.has(name));
}

const orderNames: ReadonlySet<string> = new Set(["+order_by", "+order"]);

/** The order of a list. Default: by ids, which also order equal rows. */
export function orderOf(filter: SentFilter, { filterable }: Pick<Context, "filterable">): Condition {
  const by = filter["+order_by"];
  const direction = filter["+order"] === "desc" ? sql`desc` : sql`asc`;
  if (by === undefined) return sql`id ${direction}`;
  const field = Object.hasOwn(filterable, by) ? filterable[by] : undefined;
  if (field === undefined || field.type === "array") throw notFilterable(by);
  // Rows without a value come before those with one, in every database.
  const nulls = filter["+order"] === "desc" ? sql`nulls last` : sql`nulls first`;
  return by === "id" ? sql`id ${direction}` : sql`${sql.id(by)} ${direction} ${nulls}, id`;
}

function fieldCondition(name: string, value: unknown, context: Context): Condition {
  const field = Object.hasOwn(context.filterable, name) ? context.filterable[name] : undefined;
  if (field === undefined) throw notFilterable(name);
  const tests = Object.entries(isOperators(value) ? value : { "+eq": value });
  const place = { ...context, name };
  return allOf(
    tests.map(([operator, operand]) => (field.type === "array" ? listTest : test)(place, operator, operand as Operand)),
  );
}

type Operand = string | number | boolean | null;

type FilterPath = Context & { readonly name: string };

const comparisons: Readonly<Record<string, Condition>> = {
  "+gt": sql`>`,
  "+gte": sql`>=`,
  "+lt": sql`<`,
  "+lte": sql`<=`,
};

function test(place: FilterPath, operator: string, sent: Operand): Condition {
  const column = sql.id(place.name);
  if (operator === "+contains") return contains(place, column, sent);
  const operand = fit(sent, place, operator in comparisons);
  if (operator === "+neq") return operand === undefined ? allOf([]) : sql`${column} is distinct from ${cell(operand)}`;
  if (operand === undefined) return anyOf([]);
  if (operator === "+eq") return equals(place.name, operand);
  const comparison = comparisons[operator];
  if (comparison === undefined)
    throw errors.notFilterable({ field: "X-Filter", reason: `There is no operator ${operator}` });
  // Columns are integers, which a number with a fraction cannot equal.
  const compared =
    typeof operand === "number" && !Number.isSafeInteger(operand)
      ? sql`cast(${operand} as double precision)`
      : sql`${cell(operand)}`;
  return sql`${column} ${comparison} ${compared}`;
}

/** A list matches if one of its items does. It differs from a value if none of its items equals that. */
function listTest(context: FilterPath, operator: string, sent: Operand): Condition {
  const { table, own, name, items } = context;
  const place = { table, own, field: name };
  const item = textCell(String(sent));
  if (operator === "+contains") return hasItem(place, contains(context, sql.id("item"), sent));
  if (operator === "+neq") return sql`not ${hasItem(place, sql`item = ${item}`)}`;
  if (operator === "+eq")
    return items === "from the item" ? isOfItem(place, item) : hasItem(place, sql`item = ${item}`);
  throw errors.notFilterable({ field: "X-Filter", reason: `A list cannot be compared with ${operator}` });
}

function contains(place: FilterPath, column: Condition, sent: Operand): Condition {
  const sought = textOfContains(sent);
  return place.contains(column, sought);
}

/** The text of `+contains` as columns store it, in lower case. */
export function textOfContains(sent: unknown): string {
  return textCell(String(sent).toLowerCase());
}

/** An operand in the format of the column. Undefined if the column can never have the value. */
function fit(sent: Operand, { columns, filterable, name }: FilterPath, isOrdered: boolean): Cell | undefined {
  if (sent === null) return null;
  const type = filterable[name]?.type;
  if (type === "boolean") return typeof sent === "boolean" ? cell(sent) : undefined;
  if (type === "number") {
    const number = typeof sent === "string" && sent.trim() !== "" ? Number(sent) : sent;
    if (columns[name] === "text") return String(sent);
    return typeof number === "number" && Number.isFinite(number) && (Number.isSafeInteger(number) || isOrdered)
      ? number
      : undefined;
  }
  return isTime(name) ? atTime(String(sent)) : String(sent);
}

function isTime(name: string): boolean {
  return name === "created" || name === "expiry";
}

/** A date in the format of rows. A time without a zone is in UTC. */
function atTime(text: string): string {
  const zoned = /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(text) ? `${text}Z` : text;
  const time = new Date(zoned);
  return Number.isNaN(time.getTime()) ? text : `${time.toISOString().slice(0, 19)}Z`;
}

/** Whether a condition has operators. Otherwise it is a value. */
export function isOperators(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value);
}

function notFilterable(name: string): Error {
  return errors.notFilterable({ field: "X-Filter", reason: `Cannot filter on ${name}` });
}
