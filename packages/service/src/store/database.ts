import { sql, type Kysely, type RawBuilder } from "kysely";

/** A connection, or a pool of them, or a transaction. Rows are texts of JSON, so that SQL knows of no types. */
export type Sql = Kysely<unknown>;

export type Cell = string | number | null;

/** A piece of SQL that is true or false. */
export type Condition = RawBuilder<unknown>;

export async function rowsOf<Row>(query: RawBuilder<Row>, database: Sql): Promise<Row[]> {
  const { rows } = await query.execute(database);
  return rows;
}

export function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` and `)})`;
}

export function any(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join(conditions, sql` or `)})`;
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
