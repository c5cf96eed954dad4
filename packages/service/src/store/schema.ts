import { sql, type Kysely } from "kysely";
import { trigramStatements } from "./filters/trigrams.js";
import {
  directories,
  directoriesOf,
  idsAtOnce,
  sequences,
  tables,
  type Table,
  type TableName,
  type Tables,
} from "./tables.js";

/** The dialects of SQL. */
export type Dialect = "sqlite" | "postgres";

export interface SchemaOptions {
  readonly dialect: Dialect;
  /** The tables to create. */
  readonly tables: Tables;
  /** Divides the tables of accounts, and the directories, into partitions by their keys. Only for a new store on PostgreSQL. */
  readonly partitions: number;
}

/** Creates the tables, in an empty database or from earlier ones, and changes them. */
export class Schema {
  readonly #database: Kysely<unknown>;
  readonly #dialect: Dialect;
  readonly #tables: Tables;
  readonly #partitions: number;

  constructor(database: Kysely<unknown>, { dialect, tables: created, partitions }: SchemaOptions) {
    this.#database = database;
    this.#dialect = dialect;
    this.#tables = created;
    this.#partitions = partitions;
  }

  async create(): Promise<void> {
    for (const [name, table] of Object.entries(this.#tables)) await this.#createTable(name, this.#tableColumns(table));
    if (this.#dialect === "sqlite")
      await this.run("create table sequences (name text primary key, value integer not null) without rowid");
    await this.#createIndexes();
    await this.#createDerived();
  }

  /**
   * Rows get the accounts that own them. Rows without an owner stay behind: no request can reach them, and the service leaves none, since it deletes
   * rows with their owner in one transaction, and never deletes users. Only released addresses of the first versions have no owner. They are not
   * assigned again.
   */
  async convert(): Promise<void> {
    await this.#dropTriggers();
    await this.run("drop table if exists rate_hits");
    const columns = new Map<string, ReadonlySet<string>>();
    for (const name of Object.keys(this.#tables)) columns.set(name, await this.columnsOf(name));
    for (const [name, table] of Object.entries(this.#tables)) {
      await this.#createTable(name, this.#tableColumns(table), `${name}_new`);
      await this.#copy(name as TableName, columns.get(name) ?? new Set());
    }
    for (const [name] of Object.entries(this.#tables)) {
      await this.run(`drop table if exists ${quoteIdentifier(name)}`);
      await this.run(`alter table ${quoteIdentifier(`${name}_new`)} rename to ${quoteIdentifier(name)}`);
    }
    await this.#createIndexes();
    await this.run("drop index if exists items_by_id", "alter table items rename to items_before");
    await this.#createDerived();
    await this.#fillDerived();
    await this.run("drop table items_before");
  }

  /** The columns of a table. None if it does not exist. */
  async columnsOf(table: string): Promise<ReadonlySet<string>> {
    const query =
      this.#dialect === "sqlite"
        ? sql<{ readonly name: string }>`select name from pragma_table_info(${table})`
        : sql<{
            readonly name: string;
          }>`select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = ${table}`;
    const { rows } = await query.execute(this.#database);
    return new Set(rows.map(({ name }) => name));
  }

  async #copy(name: TableName, before: ReadonlySet<string>): Promise<void> {
    const source = name === "public_images" ? "images" : name;
    if (name !== "public_images" && before.size === 0) return;
    const { of, columns } = this.#tables[name];
    const kept = ["id", "doc", ...Object.keys(columns)].map((column) => quoteIdentifier(column));
    const values = [...kept];
    const condition = name === "public_images" ? "account is null" : of === "account" ? "account is not null" : "1 = 1";
    // Addresses had no account at first, and then their rows do not have it either.
    if (name === "addresses" && !before.has("account"))
      values[1] =
        this.#dialect === "sqlite"
          ? "json_set(doc, '$.account', account)"
          : "(doc::jsonb || jsonb_build_object('account', account))::text";
    if (of === "account") for (const list of [kept, values]) list.unshift("account");
    const owner = of === "account" && !before.has("account") ? `, ${owners[name] ?? "null"} as account` : "";
    await this.run(
      `insert into ${quoteIdentifier(`${name}_new`)} (${kept.join(", ")}) select ${values.join(", ")} from (select o.*${owner} from ${quoteIdentifier(source)} o) as o where ${condition}`,
    );
  }

  /** Items, numbers of rows, directories, indexes of texts, and sequences. */
  async #createDerived(): Promise<void> {
    const { text, integer } = typesOf[this.#dialect];
    await this.#createTable("items", [
      `account ${text} not null, tbl ${text} not null, field ${text} not null, item ${text} not null, id ${integer} not null`,
      "primary key (account, tbl, field, item, id)",
    ]);
    await this.run("create index items_by_row on items (account, tbl, id)");
    await this.#createTable("counts", [
      `account ${text} not null, tbl ${text} not null, owner ${text} not null, n ${integer} not null`,
      "primary key (account, tbl, owner)",
    ]);
    for (const { name, table } of directoriesOf(this.#tables))
      await this.#createTable(name, [
        `name ${text} not null, account ${text} not null, id ${typesOf[this.#dialect][this.#tables[table as TableName].id]} not null`,
        "primary key (name)",
      ]);
    if (this.#dialect === "sqlite") await this.run(...trigramStatements(this.#tables));
    else
      for (const name of sequences)
        await this.run(
          `create sequence if not exists "ids_${name}"`,
          `alter sequence "ids_${name}" increment by ${idsAtOnce}`,
        );
  }

  async #fillDerived(): Promise<void> {
    for (const [name, { lists, counted }] of Object.entries<Table>(this.#tables)) {
      const table = quoteIdentifier(name);
      if (lists !== undefined)
        await this.run(
          `insert into items select t.account, i.tbl, i.field, i.item, i.id from items_before i join ${table} t on t.id = i.id where i.tbl = '${name}'`,
        );
      if (counted !== undefined)
        await this.run(
          `insert into counts select account, '${name}', cast(${quoteIdentifier(counted)} as text) as owner, count(*) from ${table} group by account, ${quoteIdentifier(counted)}`,
        );
    }
    for (const { name, table, column } of directoriesOf(this.#tables))
      await this.run(
        `insert into ${name} select ${quoteIdentifier(column)}, account, id from ${quoteIdentifier(table)} where ${quoteIdentifier(column)} is not null`,
      );
  }

  /** Those of earlier versions count rows, and find texts. */
  async #dropTriggers(): Promise<void> {
    if (this.#dialect === "postgres") {
      const counted = ["instances", "tags", "domains", "records", "events"];
      await this.run(...counted.map((name) => `drop function if exists "count_${name}" cascade`));
    } else {
      const { rows } = await sql<{
        readonly name: string;
      }>`select name from sqlite_master where type = 'trigger'`.execute(this.#database);
      await this.run(...rows.map(({ name }) => `drop trigger ${quoteIdentifier(name)}`));
      for (const name of ["instances", "domains", "records"])
        await this.run(`drop table if exists ${name}_trigrams`, `drop table if exists ${name}_written`);
    }
    await this.run("drop table if exists counts");
  }

  #tableColumns({ of, id, columns }: Table): readonly string[] {
    const types = typesOf[this.#dialect];
    const account = of === "account" ? `account ${types.text} not null, ` : "";
    // An id of SQLite is unique by itself, and then the number of its row.
    const isWhole = of === "account" && this.#dialect === "postgres";
    const typed = Object.entries(columns).map(([column, type]) => `${quoteIdentifier(column)} ${types[type]}`);
    return [
      `${account}id ${types[id]} not null${isWhole ? "" : " primary key"}`,
      "doc text not null",
      ...typed,
      ...(isWhole ? ["primary key (account, id)"] : []),
    ];
  }

  async #createTable(name: string, definitions: readonly string[], as = name): Promise<void> {
    const key = partitionKeyOf(name);
    const isDivided = this.#partitions > 0 && key !== undefined;
    const by = isDivided ? ` partition by hash (${key})` : "";
    await this.run(`create table ${quoteIdentifier(as)} (${definitions.join(", ")})${by}`);
    if (!isDivided) return;
    for (let index = 0; index < this.#partitions; index += 1)
      await this.run(
        `create table "${as}_p${index}" partition of ${quoteIdentifier(as)} for values with (modulus ${this.#partitions}, remainder ${index})`,
      );
  }

  async #createIndexes(): Promise<void> {
    for (const [name, { indexes = [], surveys = [], unique = [] }] of Object.entries<Table>(this.#tables)) {
      const index = (kind: string, of: readonly string[], fields: readonly string[]): Promise<void> =>
        this.run(
          `create ${kind} ${quoteIdentifier([name, ...of].join("_"))} on ${quoteIdentifier(name)} (${fields.map(quoteIdentifier).join(", ")})`,
        );
      // The key of PostgreSQL begins with the account, too.
      for (const fields of indexes)
        if (fields.length > 0 || this.#dialect === "sqlite")
          await index("index", ["account", ...fields], ["account", ...fields]);
      for (const fields of surveys) await index("index", fields, fields);
      for (const fields of unique) await index("unique index", ["account", ...fields], ["account", ...fields]);
    }
  }

  async run(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(this.#database);
  }
}

/** The column that says where a row is: the account, or the name in a directory. Undefined for the tables of the platform. */
export function partitionKeyOf(name: string): "account" | "name" | undefined {
  if (directories.some((directory) => directory.name === name)) return "name";
  return (tables as Readonly<Record<string, Table>>)[name]?.of === "platform" ? undefined : "account";
}

const ofUser = `(select u.account from users u where u.id = o."user")`;
const ofInstance = "(select i.account from instances i where i.id = o.instance)";

/** Whose the rows of earlier tables are that do not have the account as a column. */
const owners: Readonly<Partial<Record<TableName, string>>> = {
  accounts: "o.id",
  tokens: ofUser,
  apps: ofUser,
  devices: ofUser,
  logins: ofUser,
  sshkeys: ofUser,
  preferences: ofUser,
  // They had none. The account of an empty store deletes them after their time.
  messages: "'bootstrap'",
  addresses: ofInstance,
  disks: ofInstance,
  configs: ofInstance,
  backups: ofInstance,
  nodes: "(select p.account from pools p where p.id = o.pool)",
  records: "(select d.account from domains d where d.id = o.domain)",
  zones: "(select d.account from domains d where d.id = o.id)",
};

/** Both compare texts byte by byte. */
const typesOf = {
  sqlite: { text: "text", integer: "integer", boolean: "integer" },
  postgres: { text: 'text collate "C"', integer: "bigint", boolean: "smallint" },
} satisfies Readonly<Record<Dialect, object>>;

function quoteIdentifier(name: string): string {
  return `"${name}"`;
}
