import { sql, type Kysely, type RawBuilder } from "kysely";

/** An executor of SQL: a connection, a pool, or a transaction. */
export interface Sql {
  /** Writes SQL for the dialect of the database. */
  readonly writer: Kysely<unknown>;
  readonly contains: Contains;
  /** Writes a column so that a look-up by a unique key does not use an index of the column instead. */
  readonly unindexed: (column: Condition) => Condition;
  /** Set if queries have to name the index of texts, since the database does not use it by itself. */
  readonly textIndex?: TextIndex;
  readonly texts: Texts;
  /** Returns the rows, each as the list of its columns. */
  run(text: string, parameters: readonly unknown[]): Promise<readonly Cells[]>;
  /** Returns the first row, without waiting if possible. */
  first(text: string, parameters: readonly unknown[]): Cells | undefined | Promise<Cells | undefined>;
}

export type Cell = string | number | null;

/** The columns of a row. PostgreSQL returns large numbers as texts. */
export type Cells = readonly Cell[];

/** A boolean expression of SQL. */
export type Condition = RawBuilder<unknown>;

/** Runs SQL and returns the rows. Rows are JSON texts, so SQL has no types for them. */
export async function rowsOf(query: RawBuilder<unknown>, database: Sql, recurs = false): Promise<readonly Cells[]> {
  const { sql: text, parameters } = query.compile(database.writer);
  return database.run(recurs ? database.texts.keep(text) : text, parameters);
}

/** SQL whose text does not depend on its parameters. */
export interface Statement {
  /** The purpose of the statement, which is unique. */
  readonly does: string;
  /** Writes the statement, with any values as the parameters. */
  readonly write: () => RawBuilder<unknown>;
}

/** The texts of statements that recur: writing a text costs as much as running it. */
export class Texts {
  readonly #texts = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** The text of a statement, by its purpose. */
  of({ does, write }: Statement, writer: Sql["writer"]): string {
    let text = this.#texts.get(does);
    if (text === undefined) this.#texts.set(does, (text = this.keep(write().compile(writer).sql)));
    return text;
  }

  /** Gives a text a name. There may be one for each text that the program can write, but not for each that a client can cause. */
  keep(text: string): string {
    if (!this.#names.has(text)) this.#names.set(text, `s${this.#names.size}`);
    return text;
  }

  /** A unique name of a text that recurs. */
  nameOf(text: string): string | undefined {
    return this.#names.get(text);
  }
}

export function textOf(statement: Statement, { texts, writer }: Sql): string {
  return texts.of(statement, writer);
}

const always: Condition = sql`1 = 1`;

const never: Condition = sql`1 = 0`;

export function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.includes(never)) return never;
  const relevant = conditions.filter((each) => each !== always);
  return joinConditions(relevant, sql` and `) ?? always;
}

export function anyOf(conditions: readonly Condition[]): Condition {
  if (conditions.includes(always)) return always;
  const relevant = conditions.filter((each) => each !== never);
  return joinConditions(relevant, sql` or `) ?? never;
}

/** A single condition needs no parentheses, whose number the parsers of databases limit. */
function joinConditions(conditions: readonly Condition[], by: Condition): Condition | undefined {
  return conditions.length < 2 ? conditions[0] : sql`(${sql.join(conditions, by)})`;
}

/** A value as it is stored: true is 1. */
export function cell(value: Cell | boolean | undefined): Cell {
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "string" ? textCell(value) : (value ?? null);
}

/** A text as columns store it, in the same order. The character 0 would end it in SQLite, and PostgreSQL rejects it. */
export function textCell(text: string): string {
  return text.replace(/[\0\u0001]/g, (character) => (character === "\0" ? "\u0001\u0001" : "\u0001\u0002"));
}

/** The text of a cell. */
export function textOfCell(stored: string): string {
  return stored.replace(/\u0001([\u0001\u0002])/g, (_, kind) => (kind === "\u0001" ? "\0" : "\u0001"));
}

/** The condition that a column is one of these values. */
export function isOneOf(column: string, values: readonly (Cell | boolean)[]): Condition {
  return values.length === 0 ? anyOf([]) : sql`${sql.id(column)} in (${sql.join(values.map(cell))})`;
}

export function equals(column: string, value: Cell | boolean): Condition {
  return value === null ? sql`${sql.id(column)} is null` : sql`${sql.id(column)} = ${cell(value)}`;
}

/** The lists of the rows of a table. */
export interface ItemPlace {
  readonly table: string;
  readonly field: string;
  /** The condition that a row is one of the account. */
  readonly own: Condition;
}

/** The condition that a list of a row has an item that matches. */
export function hasItem({ table, field, own }: ItemPlace, condition: Condition): Condition {
  const itemsOfRow = sql`tbl = ${table} and field = ${field} and items.id = ${sql.ref(`${table}.id`)}`;
  return sql`exists (select 1 from items where ${allOf([own, itemsOfRow, condition])})`;
}

/** The same from the item: for few rows, without looking at the others. */
export function isOfItem({ table, field, own }: ItemPlace, item: string): Condition {
  const sought = sql`tbl = ${table} and field = ${field} and item = ${item}`;
  return sql`id in (select id from items where ${allOf([own, sought])})`;
}

/** The condition that a column contains a text, regardless of case. The text is in lower case. */
export type Contains = (column: Condition, text: string) => Condition;

/** An index of texts. It finds all rows that contain a text, regardless of case, and maybe others. */
export interface TextIndex {
  /** Writes the query of their ids, as a list in JSON. Undefined if the index cannot find the text. The text is in lower case. */
  find(sought: {
    readonly table: string;
    readonly text: string;
    readonly limit: number;
  }): RawBuilder<unknown> | undefined;
  /** The rows of a table with these ids, in place of the table. */
  rowsOf(table: string, ids: readonly number[]): RawBuilder<unknown>;
}
