import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { derivedOtherwise } from "../../test/support/derived.js";
import { openPostgres } from "./postgres.js";
import { sharedPostgres } from "./postgres.support.js";
import { openSqlite } from "./sqlite.js";
import type { Store } from "./store.js";

/** What runs SQL on a closed store, and opens it. */
interface Place {
  readonly run: (...statements: readonly string[]) => Promise<void>;
  readonly open: () => Promise<Store>;
  /** What counts the rows of a table in an earlier store. */
  readonly counter: (table: string) => readonly string[];
  readonly sequences: string;
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  "in a file": async () => {
    const folder = mkdtempSync(join(tmpdir(), "plumbline-store-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    // A store has marks of its writes besides its tables.
    await (await openSqlite(folder)).close();
    emptyFile(join(folder, "cloud-compute.db"));
    return {
      run: async (...statements) => {
        const file = new Database(join(folder, "cloud-compute.db"));
        try {
          for (const statement of statements) file.exec(statement);
        } finally {
          file.close();
        }
      },
      open: () => openSqlite(folder),
      counter: (table) => [
        `create table ${table}_written (id integer primary key)`,
        `create trigger ${table}_inserted after insert on ${table} begin insert into ${table}_written values (new.id); end`,
        `create trigger ${table}_removed after delete on ${table} begin update counts set n = n - 1 where tbl = '${table}'; end`,
      ],
      sequences:
        "create table sequences (name text primary key, value integer not null) without rowid; insert into sequences values ('tags', 40)",
    };
  },
  "on PostgreSQL": async () => {
    const url = await sharedPostgres().emptyDatabase();
    return {
      run: async (...statements) => {
        const client = new Client({ connectionString: url });
        await client.connect();
        try {
          for (const statement of statements) await client.query(statement);
        } finally {
          await client.end();
        }
      },
      open: () => openPostgres(url),
      counter: (table) => [
        `create function "count_${table}"() returns trigger language plpgsql as $$ begin update counts set n = n - 1; return null; end $$`,
        `create trigger "${table}_counted" after delete on "${table}" for each row execute function "count_${table}"()`,
      ],
      sequences: "create sequence ids_tags; select setval('ids_tags', 40)",
    };
  },
};

/** Drops all tables. Some belong to others, and go with them. */
function emptyFile(path: string): void {
  const file = new Database(path);
  const names = (condition: string) =>
    (
      file.prepare(`select name from sqlite_master where ${condition}`).all() as readonly { readonly name: string }[]
    ).map(({ name }) => name);
  for (const name of names("type = 'trigger'")) file.exec(`drop trigger "${name}"`);
  for (const name of names("sql like 'create virtual%'")) file.exec(`drop table "${name}"`);
  for (const name of names("type = 'table' and name not like 'sqlite%'")) file.exec(`drop table "${name}"`);
  file.close();
}

/** The tables before rows had accounts: the type of the id, and the other columns. */
const earlierTables: Readonly<Record<string, string>> = {
  settings: "text",
  accounts: "text",
  users: "text, account text",
  tokens: `bigint, "user" text, hash text, kind text, app bigint, label text, created text`,
  apps: `bigint, "user" text, created text, expiry text`,
  devices: `bigint, "user" text, expiry text`,
  logins: `bigint, "user" text, datetime text`,
  sshkeys: `bigint, "user" text`,
  preferences: `text, "user" text`,
  messages: `bigint, "to" text, sent text`,
  instances: `bigint, account text, label text, region text, image text, "group" text, cluster bigint`,
  addresses: "text, kind text, instance bigint",
  disks: "bigint, instance bigint",
  configs: "bigint, instance bigint, label text",
  backups: "bigint, instance bigint, type text, status text",
  images:
    "text, account text, number bigint, label text, deprecated smallint, is_public smallint, size bigint, type text, vendor text, ticket text",
  regions: "text",
  tags: "bigint, account text, label text",
  volumes: "bigint, account text, label text, compute_id bigint, cluster bigint",
  nodebalancers: "bigint, account text, label text, cluster bigint",
  stackscripts: "bigint, account text",
  clusters: "bigint, account text, label text, region text, k8s_version text",
  pools: "bigint, account text, cluster bigint",
  nodes: "text, pool bigint, cluster bigint, instance_id bigint, position bigint",
  domains: `bigint, account text, domain text, "group" text, key text`,
  records: "bigint, domain bigint, type text, name text, target text, tag text",
  zones: "bigint",
  events: `bigint, account text, action text, created text, username text, "entity.id" text, "entity.type" text, "secondary_entity.id" text, "secondary_entity.type" text`,
  jobs: "bigint, account text, due bigint, nature text, kind text, subject text",
};

const account = "two";
const user = "ann";

const rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  settings: [{ id: "clock", offset: 5 }],
  accounts: [{ id: "bootstrap" }, { id: account }],
  users: [{ id: user, account }],
  tokens: [
    { id: 1, user, hash: "h1" },
    { id: 2, user, hash: "h2" },
  ],
  apps: [{ id: 3, user }],
  devices: [{ id: 3, user }],
  logins: [{ id: 3, user }],
  sshkeys: [{ id: 3, user }],
  preferences: [{ id: "p", user }],
  messages: [{ id: 1, to: "+1", sent: "2030" }],
  instances: [{ id: 5, account, label: "web", tags: ["a", "b"], ipv4: ["198.18.0.1"] }],
  disks: [{ id: 1, instance: 5 }],
  configs: [{ id: 1, instance: 5, label: "c" }],
  backups: [{ id: 1, instance: 5, type: "auto", status: "successful", account }],
  images: [
    { id: "compute/a", account: null, is_public: true, deprecated: false },
    { id: "private/7", account, number: 7, ticket: "t", is_public: false, deprecated: false },
  ],
  regions: [{ id: "us-east" }],
  tags: [
    { id: 1, account, label: "a" },
    { id: 2, account, label: "b" },
    { id: 3, account: "bootstrap", label: "a" },
  ],
  volumes: [{ id: 1, account, label: "v", tags: ["a"] }],
  clusters: [{ id: 1, account, label: "k", tags: [] }],
  pools: [{ id: 1, account, cluster: 1, tags: ["b"] }],
  nodes: [{ id: "n", account, pool: 1, cluster: 1, position: 1 }],
  domains: [{ id: 1, account, domain: "A.example", key: "a.example", tags: [] }],
  records: [
    { id: 1, domain: 1, type: "A" },
    { id: 2, domain: 1, type: "A" },
  ],
  zones: [{ id: 1, lines: ["x"] }],
  events: [{ id: 1, account, action: "tag_create", created: "2030", entity: { id: "a", type: "tag" } }],
  jobs: [{ id: 1, account, due: 7, nature: "deadline", kind: "forget", subject: "account two" }],
};

/** A store of an earlier version, in which not even addresses have accounts. */
async function earlierStore({ run, counter, sequences }: Place): Promise<void> {
  await run(
    ...Object.entries(earlierTables).map(([name, columns]) => {
      const [id, ...others] = columns.split(", ");
      return `create table "${name}" (${[`id ${id === "bigint" ? "integer" : id} primary key`, "doc text not null", ...others].join(", ")})`;
    }),
    "create table items (tbl text not null, field text not null, item text not null, id bigint not null, primary key (tbl, field, item, id))",
    "create index items_by_id on items (tbl, id)",
    "create index disks_instance on disks (instance)",
    "create unique index tags_account_label on tags (account, label)",
    "create table counts (tbl text not null, owner text not null, n bigint not null, primary key (tbl, owner))",
    "create table rate_hits (key text not null, at bigint not null)",
    ...counter("tags"),
    ...counter("domains"),
    sequences,
    "create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)",
    "insert into kysely_migration values ('0001-tables', '2030'), ('0002-trigrams', '2030')",
    ...Object.entries(rows).flatMap(([name, all]) => all.map((row) => insertionOf(name, row))),
    insertionOf("addresses", { id: "198.18.0.1", kind: "public", instance: 5 }),
    insertionOf("addresses", { id: "198.18.0.2", kind: "public", instance: null }),
    ...Object.entries(rows).flatMap(([name, all]) =>
      all.flatMap((row) =>
        ["tags", "ipv4"].flatMap((field) =>
          ((row[field] ?? []) as readonly string[]).map(
            (item) => `insert into items values ('${name}', '${field}', '${item}', ${String(row["id"])})`,
          ),
        ),
      ),
    ),
  );
}

function insertionOf(table: string, row: Readonly<Record<string, unknown>>): string {
  const names = (earlierTables[table] ?? "")
    .split(", ")
    .slice(1)
    .map((column) => column.replace(/ \w+$/, ""));
  const values = names.map((name) => {
    const value = name
      .replaceAll('"', "")
      .split(".")
      .reduce<unknown>((whole, key) => (whole as Record<string, unknown> | undefined)?.[key], row);
    return typeof value === "string" ? `'${value}'` : typeof value === "boolean" ? Number(value) : (value ?? "null");
  });
  const id = typeof row["id"] === "string" ? `'${row["id"]}'` : String(row["id"]);
  return `insert into "${table}" (${["id", "doc", ...names].join(", ")}) values (${[id, `'${JSON.stringify(row)}'`, ...values].map(String).join(", ")})`;
}

test.each(Object.entries(places))("an earlier store has the same rows, each with its account, %s", async (_, place) => {
  const made = await place();
  await earlierStore(made);
  const store = await made.open();
  onTestFinished(() => store.close());
  await store.survey(0, async (tx) => {
    for (const [name, all] of Object.entries(rows))
      expect([name, await tx[name as "tags"].find()]).toEqual([name, all]);
    // Released addresses that had no account are not assigned again.
    expect(await tx.addresses.find()).toEqual([{ id: "198.18.0.1", kind: "public", instance: 5, account }]);
    expect(await derivedOtherwise(tx)).toEqual([]);
  });
  await store.read({ account, now: 0 }, async (tx) => {
    for (const name of ["tokens", "disks", "configs", "backups", "records", "zones", "nodes", "preferences"] as const)
      expect([name, await tx[name].count()]).toEqual([name, rows[name]?.length]);
    const query = { page: 1, page_size: 25 };
    expect((await tx.tags.list({ account }, { query })).total).toBe(2);
    expect(await tx.instances.findWithItem("tags", "b")).toHaveLength(1);
    expect(await tx.tokens.locate("h2")).toEqual({ account, id: 2 });
    expect((await tx.images.find()).map(({ id }) => id)).toEqual(["compute/a", "private/7"]);
    expect(await tx.messages.count()).toBe(0);
  });
  const { id } = await store.write({ account, now: 0 }, ({ tags }) => tags.add({ account, label: "c" }));
  expect(id).toBeGreaterThan(40);
  await store.write({ account, now: 0 }, ({ tags }) => tags.remove([1]));
  await store.survey(0, async (tx) => expect(await derivedOtherwise(tx)).toEqual([]));
});

test.each(Object.entries(places))("a store is converted completely, or not at all, %s", async (_, place) => {
  const made = await place();
  await earlierStore(made);
  await made.run("create table zones_new (something text)");
  await expect(made.open()).rejects.toThrow("zones_new");
  await made.run("drop table zones_new");
  const store = await made.open();
  onTestFinished(() => store.close());
  await store.survey(0, async ({ tags }) => expect(await tags.count()).toBe(3));
});
