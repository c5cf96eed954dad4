import { sql, type Kysely } from "kysely";
import { Schema, type Dialect } from "./schema.js";
import { tables, type Tables } from "./tables.js";

/** A step from one schema to the next. */
export interface Migration {
  /** Begins with the version of the schema after it. */
  readonly name: string;
  /** The oldest version whose programs can use the schema after it. The program of the version before always can: a test runs it. */
  readonly oldest: number;
  /** Changes the tables and their rows, in one transaction with the other steps that a store lacks. */
  readonly up: (schema: Schema) => Promise<void>;
  /** The tables as programs of the version before know them. */
  readonly before: (after: Tables) => Tables;
}

/** In their order. The first one creates the tables, or converts those of any earlier version. */
export const migrations: readonly Migration[] = [
  {
    name: "0008-accounts",
    oldest: 8,
    up: async (schema) => {
      if ((await schema.columnsOf("settings")).size === 0) await schema.create();
      else await schema.convert();
    },
    before: (after) => after,
  },
];

/** The version of a schema, which is that of its last migration, and the oldest version whose programs can use it. */
export interface SchemaVersion {
  readonly version: number;
  readonly oldest: number;
}

/** The schema that this program knows. */
export const programVersion: number = Math.max(...migrations.map(versionOf));

/** Whether this program can use a store. */
export function fits({ version, oldest }: SchemaVersion): boolean {
  return version >= programVersion && oldest <= programVersion;
}

/** The tables that programs of a version know. */
export function tablesOf(version: number): Tables {
  const later = migrations.filter((migration) => versionOf(migration) > version);
  return later.toReversed().reduce((known, { before }) => before(known), tables);
}

/** A later program has changed the store so that this one cannot use it. */
export class LaterSchemaError extends Error {
  override readonly name = "LaterSchemaError";

  constructor({ version, oldest }: SchemaVersion) {
    super(
      `the store has schema ${version}, which needs a program for schema ${oldest} or later, and this program is for schema ${programVersion}. Start a later version of the program, or restore a backup that is older than the migration.`,
    );
  }
}

/**
 * Migrates a database to the schema of this program, completely or not at all. Two replicas that start together migrate it once. Migrations of later
 * programs stay.
 *
 * @throws LaterSchemaError if this program cannot use the store
 */
export async function migrate(
  database: Kysely<unknown>,
  dialect: Dialect,
  { partitions = 0 }: { readonly partitions?: number } = {},
): Promise<void> {
  const run = (transaction: Kysely<unknown>): Promise<void> =>
    migrateIn(transaction, new Schema(transaction, { dialect, partitions, tables: tablesOf(firstVersion) }));
  if (dialect === "postgres")
    return database.transaction().execute(async (transaction) => {
      // The lock of Kysely's migrations, which earlier versions of the service take.
      await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(transaction);
      await run(transaction);
    });
  await sql`begin`.execute(database);
  try {
    await run(database);
    await sql`commit`.execute(database);
  } catch (error) {
    // On a full disk, SQLite has already rolled back.
    await sql`rollback`.execute(database).catch(() => {});
    throw error;
  }
}

const firstVersion = Math.min(...migrations.map(versionOf));

/** The table has the name and the columns that Kysely gave it, since earlier versions of the service left the migrations to it. */
async function migrateIn(database: Kysely<unknown>, schema: Schema): Promise<void> {
  const columns = await schema.columnsOf("kysely_migration");
  if (columns.size === 0)
    await schema.run(
      "create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null, oldest integer)",
    );
  else if (!columns.has("oldest")) await schema.run("alter table kysely_migration add column oldest integer");
  const { rows } = await sql<MigrationRow>`select name, oldest from kysely_migration`.execute(database);
  const stored = storedVersion(rows);
  if (stored.oldest > programVersion) throw new LaterSchemaError(stored);
  const names = new Set(rows.map(({ name }) => name));
  for (const { name, oldest, up } of migrations.filter((migration) => !names.has(migration.name))) {
    await up(schema);
    await sql`insert into kysely_migration (name, timestamp, oldest) values (${name}, ${new Date().toISOString()}, ${oldest})`.execute(
      database,
    );
  }
}

/** A migration that a store has. Earlier versions of the service did not write `oldest`. */
export interface MigrationRow {
  readonly name: string;
  readonly oldest: number | null;
}

export function storedVersion(rows: readonly MigrationRow[]): SchemaVersion {
  return {
    version: Math.max(0, ...rows.map(versionOf)),
    oldest: Math.max(0, ...rows.map((row) => row.oldest ?? versionOf(row))),
  };
}

function versionOf({ name }: { readonly name: string }): number {
  return Number.parseInt(name, 10);
}
