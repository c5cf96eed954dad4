import { valueAt } from "@plumbline/server-runtime/validator";
import { sql } from "kysely";
import { rowsOf, textCell } from "../../src/store/database.js";
import { tables, type TableName } from "../../src/store/tables.js";
import type { Transaction } from "../../src/store/transaction.js";

/** Finds columns and items that differ from their rows. */
export async function derivedOtherwise(tx: Transaction): Promise<string[]> {
  const wrong: string[] = [];
  const items = new Set<string>();
  for (const name of Object.keys(tables) as TableName[]) {
    const { columns, lists = [] } = tables[name];
    const names = Object.keys(columns);
    const stored = sql`select ${sql.join(["id", "doc", ...names].map((each) => sql.id(each)))} from ${sql.table(name)}`;
    for (const [id, doc, ...cells] of await rowsOf(stored, tx.database)) {
      const row = JSON.parse(String(doc)) as Readonly<Record<string, unknown>>;
      if (String(row["id"]) !== String(id))
        wrong.push(`${name} ${String(id)} has the id ${String(row["id"])} in its row`);
      for (const [index, column] of names.entries())
        if (asStored(valueAt(row, column.split("."))) !== asStored(cells[index]))
          wrong.push(`${name} ${String(id)} has ${column} ${String(cells[index])} in its column only`);
      for (const field of lists)
        for (const item of valueAt(row, field.split(".")) as readonly string[])
          items.add(`${name} ${String(id)} ${field} ${textCell(item)}`);
    }
  }
  const stored = sql`select tbl, field, item, id from items`;
  for (const [tbl, field, item, id] of await rowsOf(stored, tx.database))
    if (!items.delete(`${String(tbl)} ${String(id)} ${String(field)} ${String(item)}`))
      wrong.push(`${String(tbl)} ${String(id)} has ${String(field)} ${String(item)} in its items only`);
  return [...wrong, ...[...items].map((item) => `${item} is missing in the items`)];
}

/** One of the stores returns numbers as texts, and both return true as a number. */
function asStored(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "object" ? JSON.stringify(value) : `${value as string | number}`;
}
