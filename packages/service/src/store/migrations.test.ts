import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "./postgres.js";
import { sharedPostgres } from "./postgres.support.js";
import { openSqlite } from "./sqlite.js";
import type { Store } from "./store.js";

/** What runs SQL on a closed store, and opens it. */
interface Place {
  readonly run: (...statements: readonly string[]) => Promise<void>;
  readonly open: () => Promise<Store>;
  /** Drops what counts rows: triggers belong to tables. */
  readonly dropCounters: (table: string) => string;
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  "in a file": async () => {
    const folder = mkdtempSync(join(tmpdir(), "plumbline-store-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return {
      run: async (...statements) => {
        const file = new Database(join(folder, "cloud-compute.db"));
        for (const statement of statements) file.exec(statement);
        file.close();
      },
      open: () => openSqlite(folder),
      dropCounters: (table) => `drop trigger ${table}_added; drop trigger ${table}_removed`,
    };
  },
  "on PostgreSQL": async () => {
    const url = await sharedPostgres().database();
    return {
      run: async (...statements) => {
        const client = new Client({ connectionString: url });
        await client.connect();
        for (const statement of statements) await client.query(statement);
        await client.end();
      },
      open: () => openPostgres(url),
      dropCounters: (table) => `drop trigger ${table}_counted on ${table}; drop function count_${table}`,
    };
  },
};

const scope = { account: "one", now: Date.UTC(2030, 0, 1) };

test.each(Object.entries(places))(
  "addresses and counts of a store from before both have their accounts, %s",
  async (_, place) => {
    const { run, open, dropCounters } = await place();
    const first = await open();
    await first.write(scope, async ({ tags }) => {
      for (const label of ["a", "b", "c"]) await tags.add({ account: "one", label });
    });
    await first.close();
    const counted = ["instances", "tags", "domains", "records", "events"];
    const address = (id: string, instance: number | null): string =>
      `insert into addresses values ('${id}', '${JSON.stringify({ id, kind: "public", instance })}', 'public', ${instance})`;
    await run(
      ...counted.map(dropCounters),
      "drop table counts",
      "drop table addresses",
      "create table addresses (id text primary key, doc text not null, kind text, instance bigint)",
      "create index addresses_kind_instance on addresses (kind, instance)",
      "create index addresses_instance on addresses (instance)",
      `insert into instances (id, doc, account) values (5, '{"id": 5, "account": "two"}', 'two')`,
      address("198.18.0.1", 5),
      address("198.18.0.2", null),
      "delete from kysely_migration where name > '0004'",
    );
    const second = await open();
    onTestFinished(() => second.close());
    await second.read(scope.now, async ({ addresses, instances, tags }) => {
      expect(await addresses.find()).toEqual([{ id: "198.18.0.1", kind: "public", instance: 5, account: "two" }]);
      expect(await addresses.first({ account: "two", kind: "public", instance: 5 })).toBeDefined();
      const query = { page: 1, page_size: 25 };
      expect((await tags.list({ account: "one" }, { query })).total).toBe(3);
      expect((await instances.list({ account: "two" }, { query })).total).toBe(1);
    });
  },
);
