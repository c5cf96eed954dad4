import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { rowsOf, type Sql } from "../database.js";
import { openPostgres } from "../postgres.js";
import { sharedPostgres } from "../postgres.support.js";
import type { Rows } from "../rows.js";
import { openSqlite } from "../sqlite.js";
import type { Store } from "../store.js";
import { createTransaction, type Survey, type Transaction } from "../transaction.js";
import { trigramQuery } from "./trigrams.js";

const now = Date.UTC(2030, 0, 1);
const scope = { account: "one", now };

test("searches letters outside ASCII in both cases, unless they have several counterparts", () => {
  expect(trigramQuery("ab")).toBeUndefined();
  expect(trigramQuery("aébc")).toBe('("aéb" OR "aÉb") AND ("ébc" OR "Ébc")');
  expect(trigramQuery('a"b')).toBe('("a""b")');
  expect(trigramQuery("kſß")).toBe('("kſß")');
  expect(trigramQuery("😀😀")).toBeUndefined();
  expect(trigramQuery("abcabc".repeat(20))).toBe('("abc") AND ("bca") AND ("cab")');
});

const letters = [..."aAkKsSiI éÉßſKİıΣσςΩωÅåǅǆǄͅაᲐꭰᎠ漢😀%_\\*?[]^-\"'\0\u0001\u0002", "\ud800"];

/** A sequence of numbers below a limit that looks random, and is always the same. */
function randomNumbers(): (limit: number) => number {
  let seed = 1;
  return (limit) => (seed = (seed * 48_271) % 2_147_483_647) % limit;
}

test.each<[string, () => Promise<Store>, { rows: number; queries: number }]>([
  ["in memory", () => openSqlite(":memory:"), { rows: 1100, queries: 60 }],
  ["on PostgreSQL", async () => openPostgres(await sharedPostgres().database()), { rows: 60, queries: 30 }],
])("an index finds what a comparison of all rows finds, %s", async (_, open, { rows, queries }) => {
  const store = await open();
  onTestFinished(() => store.close());
  const random = randomNumbers();
  const text = (): string => Array.from({ length: 3 + random(9) }, () => letters[random(letters.length)]).join("");
  const texts = Array.from({ length: rows }, text);
  await store.write(scope, async ({ instances }) => {
    for (const label of texts) await instances.add(instance({ label }));
    for (const row of await instances.findIn("id", [2, 3, 5])) await instances.patch(row, { label: text() });
    await instances.remove([7, 11]);
  });
  await store.survey(now, async (tx) => {
    for (let query = 0; query < queries; query += 1) {
      const within = [...(texts[random(rows)] ?? "")];
      const start = random(within.length - 2);
      const part = within.slice(start, start + 3 + random(3)).join("");
      const contains = { label: { "+contains": [part, part.toUpperCase(), part.toLowerCase()][random(3)] } };
      const compared = await idsOf(tx, { "+or": [contains, { id: -1 }] });
      expect([contains, await idsOf(tx, contains)]).toEqual([contains, compared]);
    }
  });
});

test("SQLite looks at the few rows that can match, also after writes", async () => {
  const store = await openSqlite(":memory:");
  onTestFinished(() => store.close());
  await addNumbered(store, 1100);
  const found = async (filter: object): Promise<unknown> =>
    store.survey(now, async (tx) => {
      const texts: string[] = [];
      const ids = await idsOf(watched(tx, texts), filter);
      return [ids, texts.some((each) => each.includes("json_each"))];
    });
  expect(await found({ label: { "+contains": "-0007" } })).toEqual([[8], true]);
  expect(await found({ "+or": [{ label: { "+contains": "-0007" } }, { group: { "+contains": "HOP" } }] })).toEqual([
    [8, 10],
    true,
  ]);
  expect(await found({ "+and": [{ label: { "+contains": "web" } }, { label: { "+contains": "b-0001" } }] })).toEqual([
    [2],
    true,
  ]);
  expect(await found({ "+or": [{ label: { "+contains": "-0007" } }, { id: 3 }] })).toEqual([[3, 8], false]);
  expect(await found({ label: { "+contains": "07" } })).toMatchObject({ 1: false });
  expect(await found({ label: { "+contains": "web" } })).toMatchObject({ 1: false });
  await store.write(scope, async ({ instances }) => {
    await instances.patch(await instances.getOrThrow(8), { label: "changed" });
    await instances.patch(await instances.getOrThrow(1100), { label: "other-0007" });
    await instances.patch(await instances.getOrThrow(1100), { label: "another-0007" });
    await instances.remove([10]);
  });
  expect(await found({ label: { "+contains": "-0007" } })).toEqual([[1100], true]);
  expect(await found({ label: { "+contains": "Chang" } })).toEqual([[8], true]);
  expect(await found({ group: { "+contains": "hop" } })).toEqual([[], true]);
  await expect(
    store.write(scope, async ({ instances }) => {
      await instances.add(instance({ label: "undone" }));
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  expect(await found({ label: { "+contains": "undone" } })).toEqual([[], true]);
});

test("PostgreSQL gets its indexes as soon as it can have the extension", async () => {
  const url = await sharedPostgres().database();
  const missing: string[] = [];
  const opened = async (run: (database: Sql) => Promise<unknown>): Promise<void> => {
    const store = await openPostgres(url, { onMissingIndexes: ({ message }) => void missing.push(message) });
    // Raw statements are for surveys only, but a transaction has what they need.
    await store.write(scope, (tx) => run((tx as Survey).database));
    await store.close();
  };
  const execute = (text: string) => (database: Sql) => database.run(text, []);
  const plan = async (database: Sql): Promise<string> => {
    await database.run("set local enable_seqscan = off", []);
    const contains = database.contains(sql.id("label"), "chosen é");
    return JSON.stringify(await rowsOf(sql`explain select id from instances where ${contains}`, database));
  };
  await opened(async (database) => {
    expect(await plan(database)).toContain("instances_label_trigrams");
    for (const each of ["drop extension pg_trgm cascade", "create schema elsewhere"]) await execute(each)(database);
    await execute("create extension pg_trgm schema elsewhere")(database);
  });
  expect(missing).toEqual([]);
  await opened(async (database) => {
    expect(missing).toEqual([expect.stringContaining("gin_trgm_ops")]);
    expect(await plan(database)).not.toContain("trigrams");
    await execute("drop extension pg_trgm")(database);
  });
  await opened(async (database) => expect(await plan(database)).toContain("instances_label_trigrams"));
  expect(missing).toHaveLength(1);
});

const filterable = {
  id: { type: "number" },
  label: { type: "string" },
  group: { type: "string" },
} as const;

async function idsOf({ instances }: Pick<Transaction, "instances">, filter: object): Promise<readonly number[]> {
  const listQuery = { query: { page: 1, page_size: 500 }, filter: filter as Record<string, never>, filterable };
  const { items, total } = await instances.list({ account: "one" }, listQuery);
  if (total <= 500) expect(items).toHaveLength(total);
  return items.map(({ id }) => id);
}

/** The same transaction, which also collects the texts of its queries. */
function watched(tx: Survey, texts: string[]): Transaction {
  const run: Sql["run"] = (text, parameters) => {
    texts.push(text);
    return tx.database.run(text, parameters);
  };
  const { now: at, nextId } = tx;
  return createTransaction({
    now: at,
    account: scope.account,
    nextId,
    database: { ...tx.database, run },
    onWrite: () => {},
    remember: (_, find) => find(),
  });
}

/** Adds instances from `web-0000` on. The tenth has a group. */
async function addNumbered(store: Store, count: number): Promise<void> {
  await store.write(scope, async ({ instances }) => {
    for (let number = 0; number < count; number += 1)
      await instances.add(
        instance({ label: `web-${String(number).padStart(4, "0")}`, group: number === 9 ? "shop" : null }),
      );
  });
}

/** An instance with all fields that lists need. */
function instance(fields: object): Omit<Rows["instances"], "id"> {
  return { account: "one", image: null, group: null, cluster: null, tags: [], ipv4: [], ...fields } as never;
}
