import { sql, type Kysely } from "kysely";
import { tables, type Table } from "../tables.js";

/**
 * Creates missing indexes of the trigrams in texts, which PostgreSQL uses by itself. They need the extension `pg_trgm`. Returns the error if the
 * user of the database may not install it, or the server does not have it: lists are the same without these indexes, but take longer.
 */
export async function createTrigramIndexes(database: Kysely<unknown>): Promise<Error | undefined> {
  const missing = await missingIndexes(database);
  if (missing.length === 0) return undefined;
  try {
    await database.transaction().execute(async (transaction) => {
      // Replicas that start together create them one after the other, and each only what is missing then.
      await sql`select pg_advisory_xact_lock(${creation})`.execute(transaction);
      await sql`create extension if not exists pg_trgm`.execute(transaction);
      for (const { name, table, column } of await missingIndexes(transaction))
        // A list of pending entries would save no time that can be measured for a write, and each search reads all of it.
        await sql`
          create index ${sql.id(name)} on ${sql.table(table)} using gin (lower(${sql.id(column)}) gin_trgm_ops)
          with (fastupdate = off)`.execute(transaction);
    });
    return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && unsupported.has(String(error.code))) return error;
    throw error;
  }
}

interface TrigramIndex {
  readonly name: string;
  readonly table: string;
  readonly column: string;
}

async function missingIndexes(database: Kysely<unknown>): Promise<readonly TrigramIndex[]> {
  const all = Object.entries<Table>(tables).flatMap(([table, { texts = [] }]) =>
    texts.map((column) => ({ name: `${table}_${column}_trigrams`, table, column })),
  );
  const existing = await sql<{ readonly indexname: string }>`
    select indexname from pg_indexes where schemaname = current_schema()`.execute(database);
  const names = new Set(existing.rows.map(({ indexname }) => indexname));
  return all.filter(({ name }) => !names.has(name));
}

/** The number of the advisory lock. */
const creation = 7_340_036;

/** Insufficient privileges, an extension that the server does not have, and one in a schema that is not searched. */
const unsupported: ReadonlySet<string> = new Set(["42501", "0A000", "58P01", "42704"]);
