import { sql, type Kysely } from "kysely";
import { tables, type Table } from "../tables.js";

/**
 * Creates missing indexes of the trigrams in texts, which PostgreSQL uses by itself. They need the extension `pg_trgm`. Returns the error if the
 * user of the database may not install it, or the server does not have it: lists are the same without these indexes, but take longer.
 */
export async function createTrigramIndexes(database: Kysely<unknown>): Promise<Error | undefined> {
  if ((await missingIndexes(database)).length === 0) return undefined;
  try {
    await database.transaction().execute(async (lock) => {
      // Concurrent builds wait for everything that has a snapshot: a replica that waits for the lock, and a statement with parameters, until the
      // next one in its transaction.
      const { rows } = await sql<{ readonly isOurs: boolean }>`
        select pg_try_advisory_xact_lock(${sql.lit(creation)}) as "isOurs"`.execute(lock);
      if (rows[0]?.isOurs === true) await createMissing(database);
    });
    return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && unsupported.has(String(error.code))) return error;
    throw error;
  }
}

async function createMissing(database: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(database);
  for (const { name, table, column, isDivided } of await missingIndexes(database)) {
    // A build that was interrupted leaves an index that nothing uses.
    await sql`drop index if exists ${sql.id(name)}`.execute(database);
    // Requests write meanwhile.
    const how = isDivided ? sql`` : sql`concurrently`;
    // A list of pending entries would save no time that can be measured for a write, and each search reads all of it.
    await sql`
      create index ${how} ${sql.id(name)} on ${sql.table(table)} using gin (lower(${sql.id(column)}) gin_trgm_ops)
      with (fastupdate = off)`.execute(database);
  }
}

interface TrigramIndex {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  /** Whether the table has partitions, whose indexes have to be created together. */
  readonly isDivided: boolean;
}

/** Those that are not there, or were not built to the end. */
async function missingIndexes(database: Kysely<unknown>): Promise<readonly TrigramIndex[]> {
  const { rows: relations } = await sql<{ readonly name: string; readonly kind: string }>`
    select c.relname as name, c.relkind as kind from pg_class c
    left join pg_index i on i.indexrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace
      and (i.indexrelid is null or i.indisvalid)`.execute(database);
  const kinds = new Map(relations.map(({ name, kind }) => [name, kind]));
  return Object.entries<Table>(tables).flatMap(([table, { texts = [] }]) =>
    texts.flatMap((column) => {
      const name = `${table}_${column}_trigrams`;
      return kinds.has(name) ? [] : [{ name, table, column, isDivided: kinds.get(table) === "p" }];
    }),
  );
}

/** The number of the advisory lock. */
const creation = 7_340_036;

/** Insufficient privileges, an extension that the server does not have, and one in a schema that is not searched. */
const unsupported: ReadonlySet<string> = new Set(["42501", "0A000", "58P01", "42704"]);
