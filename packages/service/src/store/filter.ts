import { errors, type Filter } from "@cloud-compute/server";
import type { FilterField } from "@plumbline/server-runtime";
import { sql } from "kysely";
import { all, any, cell, equals, hasItem, isOfItem, textCell, type Cell, type Condition } from "./database.js";
import { assertFilterSize } from "./filter-size.js";

/** As `X-Filter` sends it. */
export type Sent = Filter;

export type FilterFields = Readonly<Record<string, FilterField>>;

/** From where what has an item is looked for: from the item, where few have it, or row by row, where many do. */
export type ItemSearch = "from the item" | "from the row";

interface Context {
  readonly items: ItemSearch;
  readonly table: string;
  readonly columns: Readonly<Record<string, "text" | "integer" | "boolean">>;
  readonly filterable: FilterFields;
}

/** So many filters within each other are more than anybody means. */
const deepest = 16;

/** What has to hold of the rows that a filter asks for. Throws a Refused for what cannot be filtered. */
export function conditionOf(filter: Sent, context: Context, depth = 0): Condition {
  if (depth === 0) assertFilterSize(filter);
  if (depth > deepest)
    throw errors.invalidRequest({ field: "X-Filter", reason: `No more than ${deepest} filters within each other` });
  const within = (filters: readonly Sent[]): Condition[] =>
    filters.map((each) => conditionOf(each, context, depth + 1));
  return all(
    Object.entries(filter).map(([name, value]) => {
      if (name === "+and") return all(within(value as readonly Sent[]));
      if (name === "+or") return any(within(value as readonly Sent[]));
      if (name === "+order_by" || name === "+order") return all([]);
      return fieldCondition(name, value, context);
    }),
  );
}

/** By what, and in which direction, rows are listed; by their ids where nothing else is asked for, and where all else is equal. */
export function orderOf(filter: Sent, { filterable }: Pick<Context, "filterable">): Condition {
  const by = filter["+order_by"];
  const direction = filter["+order"] === "desc" ? sql`desc` : sql`asc`;
  if (by === undefined) return sql`id ${direction}`;
  const field = Object.hasOwn(filterable, by) ? filterable[by] : undefined;
  if (field === undefined || field.type === "array") throw notFilterable(by);
  // What has no value comes before what has one, in every database.
  const nulls = filter["+order"] === "desc" ? sql`nulls last` : sql`nulls first`;
  return by === "id" ? sql`id ${direction}` : sql`${sql.id(by)} ${direction} ${nulls}, id`;
}

function fieldCondition(name: string, value: unknown, context: Context): Condition {
  const field = Object.hasOwn(context.filterable, name) ? context.filterable[name] : undefined;
  if (field === undefined) throw notFilterable(name);
  const tests = Object.entries(isOperators(value) ? value : { "+eq": value });
  const place = { ...context, name };
  return all(
    tests.map(([operator, operand]) => (field.type === "array" ? listTest : test)(place, operator, operand as Operand)),
  );
}

type Operand = string | number | boolean | null;
type Place = Context & { readonly name: string };

const comparisons: Readonly<Record<string, Condition>> = {
  "+gt": sql`>`,
  "+gte": sql`>=`,
  "+lt": sql`<`,
  "+lte": sql`<=`,
};

function test(place: Place, operator: string, sent: Operand): Condition {
  const column = sql.id(place.name);
  if (operator === "+contains") return contains(column, sent);
  const operand = fit(sent, place, operator in comparisons);
  if (operator === "+neq") return operand === undefined ? all([]) : sql`${column} is distinct from ${cell(operand)}`;
  if (operand === undefined) return any([]);
  if (operator === "+eq") return equals(place.name, operand);
  const comparison = comparisons[operator];
  if (comparison === undefined)
    throw errors.notFilterable({ field: "X-Filter", reason: `There is no operator ${operator}` });
  // A number with a fraction is no integer, of which columns are.
  const compared =
    typeof operand === "number" && !Number.isSafeInteger(operand)
      ? sql`cast(${operand} as double precision)`
      : sql`${cell(operand)}`;
  return sql`${column} ${comparison} ${compared}`;
}

/** A list fits when one of its items does; it differs from a value when none of its items is that. */
function listTest({ table, name, items }: Place, operator: string, sent: Operand): Condition {
  const place = { table, field: name };
  const item = textCell(String(sent));
  if (operator === "+contains") return hasItem(place, contains(sql.id("item"), sent));
  if (operator === "+neq") return sql`not ${hasItem(place, sql`item = ${item}`)}`;
  if (operator === "+eq")
    return items === "from the item" ? isOfItem(place, item) : hasItem(place, sql`item = ${item}`);
  throw errors.notFilterable({ field: "X-Filter", reason: `A list cannot be compared with ${operator}` });
}

function contains(column: Condition, sent: Operand): Condition {
  const sought = textCell(String(sent).toLowerCase());
  const pattern = `%${sought.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`${lowered(sql`lower(cast(${column} as text))`, sought)} like ${pattern} escape '\\'`;
}

/** Text with the letters that are sought in small ones: of letters outside ASCII, databases lower some, or none. */
function lowered(text: Condition, sought: string): Condition {
  const letters = [...new Set(sought.match(/[^\0-\u007f]/gu))].slice(0, mostLetters);
  return letters.reduce((lower, letter) => {
    const capital = letter.toUpperCase();
    return capital === letter || capital.toLowerCase() !== letter
      ? lower
      : sql`replace(${lower}, ${capital}, ${letter})`;
  }, text);
}

/** Expressions within each other that every database takes. */
const mostLetters = 100;

/** What was sent as the column holds it; undefined for what the column can never be. */
function fit(sent: Operand, { columns, filterable, name }: Place, isOrdered: boolean): Cell | undefined {
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

/** A date as rows hold it. A time without a zone is in UTC. */
function atTime(text: string): string {
  const zoned = /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(text) ? `${text}Z` : text;
  const time = new Date(zoned);
  return Number.isNaN(time.getTime()) ? text : `${time.toISOString().slice(0, 19)}Z`;
}

function isOperators(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function notFilterable(name: string): Error {
  return errors.notFilterable({ field: "X-Filter", reason: `Cannot filter on ${name}` });
}
