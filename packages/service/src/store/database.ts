import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Contains } from "./contains.js";

/** What SQL is run on: a connection, any one of a pool, or a transaction. */
export interface Sql {
  /** Writes SQL as this database wants it. */
  readonly writer: Kysely<unknown>;
  readonly contains: Contains;
  /** What was written before, by what it does: to write it again costs as much as to run it. */
  readonly texts: Map<string, string>;
  /** Gives the rows, each as the list of its columns. */
  run(text: string, parameters: readonly unknown[]): Promise<readonly Cells[]>;
  /** Gives the first row, at once where nothing has to be waited for. */
  first(text: string, parameters: readonly unknown[]): Cells | undefined | Promise<Cells | undefined>;
}

export type Cell = string | number | null;

/** The columns of a row. PostgreSQL gives large numbers as texts. */
export type Cells = readonly Cell[];

/** A piece of SQL that is true or false. */
export type Condition = RawBuilder<unknown>;

/** Runs SQL and gives the rows. Rows are texts of JSON, so that SQL knows of no types. */
export async function rowsOf(query: RawBuilder<unknown>, database: Sql): Promise<readonly Cells[]> {
  const { sql: text, parameters } = query.compile(database.writer);
  return database.run(text, parameters);
}

/** SQL that is the same whatever its parameters are. */
export interface Statement {
  /** What it does, which no other statement does. */
  readonly does: string;
  /** Writes it, with any values in the places of the parameters. */
  readonly write: () => RawBuilder<unknown>;
}

export function textOf({ does, write }: Statement, { texts, writer }: Sql): string {
  let text = texts.get(does);
  if (text === undefined) texts.set(does, (text = write().compile(writer).sql));
  return text;
}

const always: Condition = sql`1 = 1`;
const never: Condition = sql`1 = 0`;

export function all(conditions: readonly Condition[]): Condition {
  if (conditions.includes(never)) return never;
  const left = conditions.filter((each) => each !== always);
  return joined(left, sql` and `) ?? always;
}

export function any(conditions: readonly Condition[]): Condition {
  if (conditions.includes(always)) return always;
  const left = conditions.filter((each) => each !== never);
  return joined(left, sql` or `) ?? never;
}

/** One condition needs no parentheses, which the parsers of databases have a limit for. */
function joined(conditions: readonly Condition[], by: Condition): Condition | undefined {
  return conditions.length < 2 ? conditions[0] : sql`(${sql.join(conditions, by)})`;
}

/** As it is stored: what is true is 1. */
export function cell(value: Cell | boolean | undefined): Cell {
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "string" ? textCell(value) : (value ?? null);
}

/** Text as columns hold it, in the same order: the character 0 ends it for the one database, and is refused by the other. */
export function textCell(text: string): string {
  return text.replace(/[\0\u0001]/g, (character) => (character === "\0" ? "\u0001\u0001" : "\u0001\u0002"));
}

/** Whether a column is one of these values. */
export function isOneOf(column: string, values: readonly (Cell | boolean)[]): Condition {
  return values.length === 0 ? any([]) : sql`${sql.id(column)} in (${sql.join(values.map(cell))})`;
}

export function equals(column: string, value: Cell | boolean): Condition {
  return value === null ? sql`${sql.id(column)} is null` : sql`${sql.id(column)} = ${cell(value)}`;
}

/** Whether a list of a row has an item for which a condition holds. */
export function hasItem({ table, field }: Record<"table" | "field", string>, condition: Condition): Condition {
  return sql`exists (select 1 from items where tbl = ${table} and field = ${field} and items.id = ${sql.ref(`${table}.id`)} and ${condition})`;
}

/** The same, found from the item: of few rows, without looking at the others. */
export function isOfItem({ table, field }: Record<"table" | "field", string>, item: string): Condition {
  return sql`id in (select id from items where tbl = ${table} and field = ${field} and item = ${item})`;
}
