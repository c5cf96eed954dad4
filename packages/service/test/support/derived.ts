import { sql } from "kysely";
import { tables, type TableName } from "../../src/store/tables.js";
import { rowsOf, textCell } from "../../src/store/database.js";
import type { Tx } from "../../src/store/tx.js";

/** What is stored beside rows to find them by, where it is not what the rows say. */
export async function derivedOtherwise(tx: Tx): Promise<string[]> {
  const wrong: string[] = [];
  const items = new Set<string>();
  for (const name of Object.keys(tables) as TableName[]) {
    const { columns, lists = [] } = tables[name];
    const names = Object.keys(columns);
    const stored = sql`select ${sql.join(["id", "doc", ...names].map((each) => sql.id(each)))} from ${sql.table(name)}`;
    for (const [id, doc, ...cells] of await rowsOf(stored, tx.database)) {
      const row = JSON.parse(String(doc)) as Readonly<Record<string, unknown>>;
      if (String(row["id"]) !== String(id)) wrong.push(`${name} ${String(id)} says that it is ${String(row["id"])}`);
      for (const [index, column] of names.entries())
        if (asStored(valueAt(row, column)) !== asStored(cells[index]))
          wrong.push(`${name} ${String(id)} is found by ${column} ${String(cells[index])}, which it is not`);
      for (const field of lists)
        for (const item of valueAt(row, field) as readonly string[])
          items.add(`${name} ${String(id)} ${field} ${textCell(item)}`);
    }
  }
  const stored = sql`select tbl, field, item, id from items`;
  for (const [tbl, field, item, id] of await rowsOf(stored, tx.database))
    if (!items.delete(`${String(tbl)} ${String(id)} ${String(field)} ${String(item)}`))
      wrong.push(`${String(tbl)} ${String(id)} is found by ${String(field)} ${String(item)}, which it has not`);
  return [...wrong, ...[...items].map((item) => `${item} is not found`)];
}

/** Numbers come back as texts from one of the stores, and what is true as a number from both. */
function asStored(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "object" ? JSON.stringify(value) : `${value as string | number}`;
}

function valueAt(row: object, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name], row);
}
