import { Migrator, sql, type Kysely, type Migration } from "kysely";
import { trigramStatements } from "./filters/trigrams.js";
import { sequences, tables, type Table } from "./tables.js";

/** The dialects of SQL. */
export type Dialect = "sqlite" | "postgres";

/** Migrates a database to the newest schema, completely or not at all. Two replicas that start together migrate it once. */
export async function migrate(database: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const migrator = new Migrator({
    db: database,
    provider: {
      getMigrations: async () => ({
        "0001-tables": running(tableDefinitions(dialect)),
        // PostgreSQL has these indexes only if an extension can be installed, which each start tries.
        "0002-trigrams": running(dialect === "sqlite" ? trigramStatements() : []),
        // Rates are in the table of the runtime's store, or in memory.
        "0003-rates": running(["drop table rate_hits"]),
      }),
    },
  });
  // Kysely begins a transaction on PostgreSQL only. On SQLite each statement would wait for the disk.
  const isOurs = dialect === "sqlite";
  if (isOurs) await sql`begin`.execute(database);
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) {
    if (isOurs) await sql`commit`.execute(database);
    return;
  }
  // On a full disk, SQLite has already rolled back.
  if (isOurs) await sql`rollback`.execute(database).catch(() => {});
  throw error instanceof Error ? error : new Error("the schema could not be created", { cause: error });
}

function running(statements: readonly string[]): Migration {
  return {
    up: async (database) => {
      for (const statement of statements) await sql.raw(statement).execute(database);
    },
  };
}

function tableDefinitions(dialect: Dialect): readonly string[] {
  const types = typesOf[dialect];
  const numbers =
    dialect === "postgres"
      ? sequences.map((name) => `create sequence "ids_${name}"`)
      : ["create table sequences (name text primary key, value integer not null) without rowid"];
  return [
    ...numbers,
    ...Object.entries<Table>(tables).flatMap(([name, table]) => tableStatements(name, table, types)),
    `create table items (tbl ${types.text} not null, field ${types.text} not null, item ${types.text} not null, id ${types.integer} not null, primary key (tbl, field, item, id))`,
    "create index items_by_id on items (tbl, id)",
    `create table rate_hits (key ${types.text} not null, at ${types.integer} not null)`,
    "create index rate_hits_by_key on rate_hits (key, at)",
  ];
}

/** Both compare texts byte by byte. */
const typesOf = {
  sqlite: { text: "text", integer: "integer", boolean: "integer" },
  postgres: { text: 'text collate "C"', integer: "bigint", boolean: "smallint" },
} satisfies Readonly<Record<Dialect, object>>;

function tableStatements(
  name: string,
  table: Table,
  types: Readonly<Record<"text" | "integer" | "boolean", string>>,
): string[] {
  const columns = Object.entries(table.columns).map(([column, type]) => `${quoteIdentifier(column)} ${types[type]}`);
  const definitions = [`id ${types[table.id]} primary key`, "doc text not null", ...columns];
  const index = (unique: string, fields: readonly string[]): string =>
    `create ${unique}index ${quoteIdentifier([name, ...fields].join("_"))} on ${quoteIdentifier(name)} (${fields.map(quoteIdentifier).join(", ")})`;
  return [
    `create table ${quoteIdentifier(name)} (${definitions.join(", ")})`,
    ...(table.indexes ?? []).map((fields) => index("", fields)),
    ...(table.unique ?? []).map((fields) => index("unique ", fields)),
  ];
}

function quoteIdentifier(name: string): string {
  return `"${name}"`;
}
