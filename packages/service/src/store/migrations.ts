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
        "0004-addresses-of-accounts": running(addressesOfAccounts(dialect)),
        "0005-images-by-number": running(['create index if not exists "images_number" on "images" ("number")']),
        "0006-jobs-by-account": running([
          'create index if not exists "jobs_account_due" on "jobs" ("account", "due")',
          'create index if not exists "jobs_nature_due" on "jobs" ("nature", "due")',
        ]),
        "0007-counts": running([
          'create index if not exists "events_account_created" on "events" ("account", "created")',
          ...countDefinitions(dialect),
        ]),
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

/** Addresses that an instance has belong to its account. Released ones of earlier versions are not assigned again. */
function addressesOfAccounts(dialect: Dialect): readonly string[] {
  const doc =
    dialect === "sqlite"
      ? "json_set(a.doc, '$.account', i.account)"
      : "(a.doc::jsonb || jsonb_build_object('account', i.account))::text";
  const indexes = ["addresses_kind_instance", "addresses_account_kind_instance", "addresses_instance"];
  return [
    ...indexes.map((name) => `drop index if exists "${name}"`),
    ...(dialect === "postgres" ? ['alter table "addresses" drop constraint "addresses_pkey"'] : []),
    'alter table "addresses" rename to "addresses_before"',
    ...tableStatements("addresses", tables.addresses, typesOf[dialect]),
    `insert into "addresses" (id, doc, account, kind, instance) select a.id, ${doc}, i.account, a.kind, a.instance from "addresses_before" a join "instances" i on i.id = a.instance`,
    'drop table "addresses_before"',
  ];
}

/** The numbers of rows by a column, which triggers keep. */
function countDefinitions(dialect: Dialect): readonly string[] {
  const { text, integer } = typesOf[dialect];
  const counted = Object.entries<Table>(tables).flatMap(([name, table]) =>
    table.counted === undefined ? [] : [{ name, column: table.counted }],
  );
  return [
    `create table counts (tbl ${text} not null, owner ${text} not null, n ${integer} not null, primary key (tbl, owner))`,
    ...counted.flatMap(({ name, column }) => [
      ...triggers[dialect](name, column),
      `insert into counts select '${name}', cast("${column}" as text), count(*) from "${name}" group by "${column}"`,
    ]),
  ];
}

const triggers = {
  sqlite: (name: string, column: string) => [
    `create trigger "${name}_added" after insert on "${name}" begin
      insert or ignore into counts values ('${name}', new."${column}", 0);
      update counts set n = n + 1 where tbl = '${name}' and owner = cast(new."${column}" as text);
    end`,
    `create trigger "${name}_removed" after delete on "${name}" begin
      update counts set n = n - 1 where tbl = '${name}' and owner = cast(old."${column}" as text);
    end`,
  ],
  postgres: (name: string, column: string) => [
    `create function "count_${name}"() returns trigger language plpgsql as $$ begin
      if tg_op = 'INSERT' then
        insert into counts values ('${name}', new."${column}", 1)
          on conflict (tbl, owner) do update set n = counts.n + 1;
      else
        update counts set n = n - 1 where tbl = '${name}' and owner = old."${column}"::text;
      end if;
      return null;
    end $$`,
    `create trigger "${name}_counted" after insert or delete on "${name}" for each row execute function "count_${name}"()`,
  ],
} satisfies Readonly<Record<Dialect, (name: string, column: string) => readonly string[]>>;

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
