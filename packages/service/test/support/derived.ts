import { valueAt } from "@plumbline/server-runtime/validator";
import { sql } from "kysely";
import { cell, rowsOf, textCell, type Cell } from "../../src/store/database.js";
import { directories, directoryOf, tables, type TableName } from "../../src/store/tables.js";
import type { Survey } from "../../src/store/transaction.js";

/** Finds columns, items, names and numbers of rows that differ from the rows. */
export async function derivedOtherwise(tx: Survey): Promise<string[]> {
  const wrong: string[] = [];
  const derived = new Set<string>();
  const counts = new Map<string, number>();
  for (const name of Object.keys(tables) as TableName[]) {
    const { of, columns, lists = [], directory, counted } = tables[name];
    const names = Object.keys(columns);
    const owner = of === "account" ? sql.id("account") : sql`null`;
    const stored = sql`select ${owner}, ${sql.join(["id", "doc", ...names].map((each) => sql.id(each)))} from ${sql.table(name)}`;
    for (const [account, id, doc, ...cells] of await rowsOf(stored, tx.database)) {
      const row = JSON.parse(String(doc)) as Readonly<Record<string, unknown>>;
      const valueOf = (path: string): unknown => (path === "account" ? account : valueAt(row, path.split(".")));
      if (String(cell(row["id"] as Cell)) !== String(id))
        wrong.push(`${name} ${String(id)} has the id ${String(row["id"])} in its row`);
      if (of === "account" && "account" in row && textCell(String(row["account"])) !== account)
        wrong.push(`${name} ${String(id)} has the account ${String(row["account"])} in its row`);
      for (const [index, column] of names.entries())
        if (asStored(valueOf(column)) !== asStored(cells[index]))
          wrong.push(`${name} ${String(id)} has ${column} ${String(cells[index])} in its column only`);
      for (const field of lists)
        for (const item of valueOf(field) as readonly string[])
          derived.add(`items ${String(account)} ${name} ${field} ${textCell(item)} ${String(id)}`);
      if (directory !== undefined && asStored(valueOf(directory)) !== null)
        derived.add(`${directoryOf(name, directory)} ${asStored(valueOf(directory))} ${String(account)} ${String(id)}`);
      if (counted === undefined) continue;
      const key = `counts ${String(account)} ${name} ${String(valueOf(counted))}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  for (const [key, count] of counts) derived.add(`${key} ${count}`);
  for (const [table, ...values] of await derivedRows(tx)) {
    const entry = `${table} ${values.map(String).join(" ")}`;
    if (!derived.delete(entry)) wrong.push(`${entry} is not of a row`);
  }
  return [...wrong, ...[...derived].map((entry) => `${entry} is missing`)];
}

/** Rows that follow from others, with their tables. */
async function derivedRows({ database }: Survey): Promise<readonly (readonly [string, ...Cell[]])[]> {
  const queries = [
    ["items", sql`select account, tbl, field, item, id from items`],
    ["counts", sql`select account, tbl, owner, n from counts where n <> 0`],
    ...directories.map(({ name }) => [name, sql`select name, account, id from ${sql.table(name)}`] as const),
  ] as const;
  const rows: (readonly [string, ...Cell[]])[] = [];
  for (const [table, query] of queries)
    rows.push(...(await rowsOf(query, database)).map((cells) => [table, ...cells] as const));
  return rows;
}

/** One of the stores returns numbers as texts, and both return true as a number. */
function asStored(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "object" ? JSON.stringify(value) : `${value as string | number}`;
}
