import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errors } from "@cloud-compute/server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { pgbouncer, startPooler, type Pooler } from "./pgbouncer.support.js";
import { openPostgres } from "./postgres.js";
import { sharedPostgres } from "./postgres.support.js";
import type { Rows } from "./rows.js";
import { openSqlite } from "./sqlite.js";
import type { Store } from "./store.js";
import type { Transaction } from "./transaction.js";

const folders: string[] = [];
let pooler: Promise<Pooler> | undefined;
afterAll(async () => {
  await (await pooler)?.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Creates the location of a store, so that the store can be opened again. */
const kinds = {
  "in memory": async () => () => openSqlite(":memory:"),
  "in a file": async () => {
    const folder = mkdtempSync(join(tmpdir(), "plumbline-store-"));
    folders.push(folder);
    return () => openSqlite(folder);
  },
  "on PostgreSQL": async () => {
    const url = await sharedPostgres().database();
    return () => openPostgres(url);
  },
  ...(pgbouncer === undefined
    ? {}
    : {
        "on PostgreSQL, behind PgBouncer": async () => {
          pooler ??= startPooler(sharedPostgres().url);
          const url = (await pooler).through(await sharedPostgres().database());
          return () => openPostgres(url);
        },
      }),
} satisfies Record<string, () => Promise<() => Promise<Store>>>;

const now = Date.UTC(2030, 0, 1);
const scope = { account: "one", now };
const firstPage = { page: 1, page_size: 25 };

describe.each(Object.entries(kinds))("a store %s", (kind, place) => {
  const isShared = kind.startsWith("on PostgreSQL");
  let lent: (() => Promise<Store>) | undefined;

  /** An empty store: of PostgreSQL the same for all tests, since a database of its own costs each a quarter of a second. */
  const opened = async (): Promise<Store> => {
    if (!isShared || lent === undefined) lent = await place();
    const store = await lent();
    onTestFinished(() => store.close());
    if (isShared) await store.reset(scope, async () => {});
    return store;
  };

  test("removes more rows at once than a statement can hold", async () => {
    const store = await opened();
    await store.write(scope, async ({ tags }) => {
      await tags.add({ account: "one", label: "first" });
      await tags.add({ account: "one", label: "second" });
      await tags.remove(Array.from({ length: 70_000 }, (_, index) => index + 2));
    });
    const left = await store.survey(now, ({ tags }) => tags.find());
    expect(left.map(({ label }) => label)).toEqual(["first"]);
  });

  test("returns the rows that were added, and no deleted row", async () => {
    const store = await opened();
    const id = await store.write(scope, async ({ tags }) => {
      const made = await tags.add({ account: "one", label: "ä \"'\\ 漢" });
      expect(await tags.get(made.id)).toEqual(made);
      return made.id;
    });
    expect(await store.survey(now, ({ tags }) => tags.find({ label: "ä \"'\\ 漢" }))).toEqual([
      { id, account: "one", label: "ä \"'\\ 漢" },
    ]);
    await store.write(scope, async ({ tags }) => {
      const changed = await tags.patch(await tags.getOrThrow(id), { label: "b" });
      expect(await tags.first({ account: "one", label: "b" })).toEqual(changed);
      expect(await tags.count({ label: { in: ["a", "b"] } })).toBe(1);
      expect(await tags.deleteReturning({ label: "b" })).toEqual([changed]);
      expect(await tags.get(id)).toBeUndefined();
    });
    await expect(store.survey(now, ({ tags }) => tags.getOrThrow(id))).rejects.toThrow(`tags has no ${id}`);
  });

  test("reads one row by its id repeatedly", async () => {
    const store = await opened();
    await store.write(scope, async ({ tags }) => {
      for (const label of ["a", "b", "c"]) await tags.add({ account: "one", label });
      const labelsOf = (rows: readonly { readonly label: string }[]) => rows.map(({ label }) => label);
      expect(labelsOf(await tags.findIn("id", [1]))).toEqual(["a"]);
      expect((await tags.get(2))?.label).toBe("b");
      expect(labelsOf(await tags.load("id", [3]))).toEqual(["c"]);
      expect(labelsOf(await tags.findIn("id", [2]))).toEqual(["b"]);
      expect(await tags.get(4)).toBeUndefined();
      expect(labelsOf(await tags.findIn("id", [1, 3]))).toEqual(["a", "c"]);
      expect(labelsOf(await tags.findIn("label", ["c"]))).toEqual(["c"]);
    });
  });

  test("stores texts with any character, and finds them", async () => {
    const store = await opened();
    const label = "a\0b\u{1f600}\ud800";
    const { id } = await store.write(scope, ({ tags }) => tags.add({ account: "one", label }));
    const found = await store.survey(now, ({ tags }) => tags.find({ label }));
    expect(found).toEqual([{ id, account: "one", label }]);
    expect(await store.survey(now, ({ tags }) => tags.find({ label: label.replace("\0", "\u2400") }))).toEqual([]);
    await store.write({ ...scope, account: "\0" }, async ({ preferences }) => {
      const row = await preferences.add({ id: "\0", user: "\0", preferences: {} });
      await preferences.patch(row, { preferences: { "\0": "\0" } });
    });
    expect(await store.survey(now, ({ preferences }) => preferences.get("\0"))).toEqual({
      id: "\0",
      user: "\0",
      preferences: { "\0": "\0" },
    });
    expect(await store.rates.consume({ key: "\0", max: 1, windowSeconds: 1, now })).toMatchObject({ isAllowed: true });
  });

  test("deletes more rows at once than a statement has parameters", async () => {
    const store = await opened();
    await store.write(scope, async ({ records, domains }) => {
      expect(await domains.count()).toBe(0);
      const ids = Array.from({ length: 40_000 }, (_, index) => index + 1);
      await records.remove(ids);
      expect(await records.findIn("id", ids)).toEqual([]);
    });
  });

  test("never reuses an id, not even that of a deleted last row", async () => {
    const store = await opened();
    const ids = new Set<number>();
    for (let round = 0; round < 3; round += 1)
      await store.write(scope, async ({ tags }) => {
        const { id } = await tags.add({ account: "one", label: "a" });
        ids.add(id);
        await tags.remove([id]);
      });
    expect(ids.size).toBe(3);
  });

  test("counts on in each account while others write, too", async () => {
    const store = await opened();
    const accounts = Array.from({ length: 16 }, (_, index) => `account-${index}`);
    for (const account of accounts)
      await store.write({ account, now }, (tx) => tx.accounts.add({ id: account, total_payments: 0, created: "" }));
    const counted = await Promise.all(
      accounts.map(async (account) => {
        const ids: number[] = [];
        for (let round = 0; round < 20; round += 1)
          ids.push(await store.write({ account, now }, (tx) => tx.nextId("tags")));
        return ids;
      }),
    );
    expect(counted).toEqual(counted.map((ids) => ids.toSorted((a, b) => a - b)));
    expect(new Set(counted.flat()).size).toBe(320);
  });

  test("discards a failed write completely, and continues", async () => {
    const store = await opened();
    const failing = store.write(scope, async ({ tags }) => {
      await tags.add({ account: "one", label: "half" });
      throw new Error("no further");
    });
    await expect(failing).rejects.toThrow("no further");
    expect(await store.survey(now, ({ tags }) => tags.count())).toBe(0);
    await store.write(scope, ({ tags }) => tags.add({ account: "one", label: "whole" }));
    expect(await store.survey(now, ({ tags }) => tags.count())).toBe(1);
  });

  test("keeps writes that ran together with failed ones", async () => {
    const store = await opened();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, number) =>
        store.write({ account: `account ${number}`, now }, async ({ tags }) => {
          await tags.add({ account: `account ${number}`, label: `tag ${number}` });
          if (number % 3 === 0) throw new Error(`no ${number}`);
          return number;
        }),
      ),
    );
    const kept = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(kept).toEqual(Array.from({ length: 40 }, (_, number) => number).filter((number) => number % 3 !== 0));
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(14);
    const labels = (await store.survey(now, ({ tags }) => tags.find())).map(({ label }) => label);
    expect(new Set(labels)).toEqual(new Set(kept.map((number) => `tag ${number}`)));
  });

  test("returns cached results until the table is written", async () => {
    const store = await opened();
    const sought = { tables: ["tags"], key: "all", most: 10 } as const;
    const labels = async (): Promise<string[]> =>
      store.remember(sought, () =>
        store.read(scope, async ({ tags }) => (await tags.find()).map(({ label }) => label)),
      );
    expect(await labels()).toEqual([]);
    await store.write(scope, ({ tags }) => tags.add({ account: "one", label: "a" }));
    expect(await labels()).toEqual(["a"]);
    await store.write(scope, ({ accounts }) => accounts.add({ id: "one", total_payments: 0, created: "" }));
    expect(await labels()).toEqual(["a"]);
    await store.reset(scope, async () => {});
    expect(await labels()).toEqual([]);
  });

  test("lists the same pages of few rows and of many, also after changes", async () => {
    const store = await opened();
    for (const [account, first, last] of [
      ["few", 0, 100],
      ["many", 100, 600],
    ] as const)
      await store.write({ account, now }, async ({ tags }) => {
        for (let number = first; number < last; number += 1)
          await tags.add({ account, label: `label ${String(number).padStart(3, "0")}` });
      });
    const page = async (account: string | undefined, query: { page: number; page_size: number }) => {
      const filter = { "+order_by": "label", "+order": "desc" } as const;
      const listQuery = { query, filter, filterable: { label: { type: "string" } } } as const;
      const list = ({ tags }: Transaction) => tags.list({}, listQuery);
      const { items, total } = await (account === undefined
        ? store.survey(now, list)
        : store.read({ account, now }, list));
      return [total, ...items.map(({ label }) => label)];
    };
    expect(await page("few", { page: 4, page_size: 30 })).toEqual([
      100,
      ...Array.from({ length: 10 }, (_, index) => `label ${String(9 - index).padStart(3, "0")}`),
    ]);
    expect(await page(undefined, { page: 1, page_size: 2 })).toEqual([600, "label 599", "label 598"]);
    expect(await page("few", { page: 5, page_size: 30 })).toEqual([100]);
    await store.write({ account: "few", now }, async ({ tags }) => {
      const [first] = await tags.find({ label: "label 099" });
      if (first !== undefined) await tags.patch(first, { label: "label 999" });
    });
    expect(await page("few", { page: 1, page_size: 2 })).toEqual([100, "label 999", "label 098"]);
  });

  test("serializes the writes of an account", async () => {
    const store = await opened();
    await store.write(scope, ({ accounts }) => accounts.add({ id: "one", total_payments: 0, created: "" }));
    const pay = () =>
      store.write(scope, async ({ accounts }) => {
        const account = await accounts.getOrThrow("one");
        await accounts.patch(account, { total_payments: account.total_payments + 1 });
      });
    await Promise.all(Array.from({ length: 50 }, pay));
    const paid = await store.survey(now, ({ accounts }) => accounts.getOrThrow("one"));
    expect(paid.total_payments).toBe(50);
  });

  test("gives a name of the platform to one account", async () => {
    const store = await opened();
    const claim = (account: string) =>
      store.write({ account, now }, async ({ domains }) => {
        if ((await domains.locate("example.com")) !== undefined) return 0;
        await domains.add(domain({ account, key: "example.com" }));
        return 1;
      });
    const claimed = await Promise.all(Array.from({ length: 20 }, (_, index) => claim(`account ${index}`)));
    expect(claimed.filter((each) => each === 1)).toHaveLength(1);
  });

  test("finds the row of a name, until it has another one or is removed", async () => {
    const store = await opened();
    const locate = (name: string) => store.read({ account: null, now }, ({ domains }) => domains.locate(name));
    const { id } = await store.write(scope, ({ domains }) => domains.add(domain({ account: "one", key: "a" })));
    expect(await locate("a")).toEqual({ account: "one", id });
    await store.write(scope, async ({ domains }) => {
      await domains.patch(await domains.getOrThrow(id), { key: "b" });
    });
    expect([await locate("a"), await locate("b")]).toEqual([undefined, { account: "one", id }]);
    await store.write(scope, async ({ domains }) => domains.update(domain({ account: "one", key: "c", id })));
    expect([await locate("b"), await locate("c")]).toEqual([undefined, { account: "one", id }]);
    await store.write(scope, ({ domains }) => domains.remove([id]));
    expect(await locate("c")).toBeUndefined();
  });

  test("reaches the rows of one account only, and without an account those of the platform", async () => {
    const store = await opened();
    const two = { account: "two", now };
    const { id } = await store.write(two, ({ tags }) => tags.add({ account: "two", label: "a" }));
    const foreign = await store.write(scope, async ({ tags }) => {
      await tags.update({ id, account: "one", label: "b" });
      await tags.remove([id]);
      return [await tags.get(id), await tags.findIn("id", [id, id + 1]), await tags.find(), await tags.count()];
    });
    expect(foreign).toEqual([undefined, [], [], 0]);
    expect(await store.read(scope, ({ tags }) => tags.list({ account: "two" }, { query: firstPage }))).toMatchObject({
      total: 0,
    });
    expect(await store.read(two, ({ tags }) => tags.find())).toEqual([{ id, account: "two", label: "a" }]);
    expect(await store.survey(now, ({ tags }) => tags.count())).toBe(1);
    const rejected = (run: (tx: Transaction) => Promise<unknown>, account: string | null) =>
      expect(store.write({ account, now }, run)).rejects.toThrow(/account/);
    await rejected(({ tags }) => tags.add({ account: "two", label: "c" }), "one");
    await rejected(({ tags }) => tags.add({ account: "two", label: "c" }), null);
    for (const run of [
      ({ tags }: Transaction) => tags.get(id),
      ({ tags }: Transaction) => tags.find({ label: "a" }),
      ({ tags }: Transaction) => tags.count(),
      ({ tags }: Transaction) => tags.remove([id]),
    ])
      await rejected(run, null);
    await expect(store.survey(now, ({ tags }) => tags.remove([id]))).rejects.toThrow("a survey writes nothing");
  });

  test("lists the rows of the platform besides those of an account", async () => {
    const store = await opened();
    await store.write(scope, async ({ images, public_images }) => {
      await public_images.add(image({ id: "compute/b", account: null, is_public: true }));
      await images.add(image({ id: "private/1", account: "one" }));
    });
    await store.write({ account: "two", now }, ({ images }) => images.add(image({ id: "private/2", account: "two" })));
    const idsIn = (account: string | null) =>
      store.read({ account, now }, async ({ images }) => {
        const listScope = { ...(account === null ? {} : { owner: { account } }), includePublic: true };
        const { items, total } = await images.list({}, { query: firstPage, listScope });
        expect(items).toHaveLength(total);
        return [items.map(({ id }) => id), await images.get("compute/b"), await images.get("private/1")];
      });
    expect(await idsIn("one")).toMatchObject([["compute/b", "private/1"], { id: "compute/b" }, { id: "private/1" }]);
    expect(await idsIn("two")).toMatchObject([["compute/b", "private/2"], { id: "compute/b" }, undefined]);
    expect(await idsIn(null)).toMatchObject([["compute/b"], { id: "compute/b" }, undefined]);
  });

  test("lets readers see committed writes", async () => {
    const store = await opened();
    let read: Promise<number> | undefined;
    await store.write(scope, async ({ tags }) => {
      await tags.add({ account: "one", label: "a" });
      read = store.survey(now, (tx) => tx.tags.count());
      // In memory there is one connection, so a reader waits for its turn.
      if (kind !== "in memory") expect(await read).toBe(0);
    });
    expect(await store.survey(now, ({ tags }) => tags.count())).toBe(1);
    await read;
  });

  test("admits one process, if it is in a file", async () => {
    if (kind !== "in a file") return;
    const open = await place();
    const first = await open();
    await expect(open()).rejects.toThrow(/another process has the store in .+; end it, or use another folder/);
    await first.close();
    await (await open()).close();
  });

  test("returns to its initial content on a reset", async () => {
    const store = await opened();
    await store.write(scope, ({ tags }) => tags.add({ account: "one", label: "a" }));
    await store.rates.consume({ key: "a", max: 1, windowSeconds: 30, now });
    await store.reset(scope, async ({ tags }) => {
      expect(await tags.add({ account: "one", label: "first" })).toMatchObject({ id: 1 });
    });
    expect(await store.survey(now, ({ tags }) => tags.find())).toHaveLength(1);
    expect(await store.rates.consume({ key: "a", max: 1, windowSeconds: 30, now })).toMatchObject({ isAllowed: true });
  });

  test("counts rates exactly, and drops hits that are older than the window", async () => {
    const store = await opened();
    const hit = (at: number) => store.rates.consume({ key: "a", max: 10, windowSeconds: 30, now: at });
    const tallies = await Promise.all(Array.from({ length: 50 }, async () => hit(now)));
    expect(tallies.filter(({ isAllowed }) => isAllowed)).toHaveLength(10);
    expect(await hit(now + 29_999)).toEqual({ isAllowed: false, remaining: 0, resetAt: now + 30_000 });
    expect(await hit(now + 30_000)).toMatchObject({ isAllowed: true, remaining: 9 });
  });

  test("leaves an account alone whose write is running, and writes for another one", async () => {
    const store = await opened();
    for (const account of ["one", "two"])
      await store.write({ account, now }, ({ accounts }) =>
        accounts.add({ id: account, total_payments: 0, created: "" }),
      );
    const add =
      (account: string, label: string) =>
      ({ tags }: Transaction) =>
        tags.add({ account, label });
    let other: Promise<unknown> = Promise.resolve();
    let same: Promise<unknown> = Promise.resolve();
    await store.write(scope, async (tx) => {
      await add("one", "first")(tx);
      other = store.writeUnlessBusy({ account: "two", now }, add("two", "free"));
      same = store.writeUnlessBusy(scope, add("one", "late"));
      // A store that runs one write at a time writes both afterwards.
      if (isShared) expect([await same, await other]).toMatchObject([undefined, { label: "free" }]);
    });
    await Promise.all([other, same]);
    const labels = (await store.survey(now, ({ tags }) => tags.find())).map(({ label }) => label);
    expect(labels.toSorted()).toEqual(isShared ? ["first", "free"] : ["first", "free", "late"]);
  });

  test("has the same content when it is opened again, if it is not in memory", async () => {
    if (kind === "in memory") return;
    const open = await place();
    const first = await open();
    await first.write(scope, ({ tags }) => tags.add({ account: "one", label: "kept" }));
    await first.close();
    const second = await open();
    onTestFinished(() => second.close());
    expect(await second.survey(now, ({ tags }) => tags.find())).toEqual([{ id: 1, account: "one", label: "kept" }]);
    // A process takes ids in blocks where there may be others, so that the next one has others.
    const { id } = await second.write(scope, ({ tags }) => tags.add({ account: "one", label: "new" }));
    expect(id).toBeGreaterThan(1);
    if (kind === "in a file") expect(id).toBe(2);
  });

  describe("lists", () => {
    const filterable = {
      id: { type: "number" },
      label: { type: "string" },
      group: { type: "string" },
      region: { type: "string" },
      tags: { type: "array" },
    } as const;
    const rows = [
      { label: "web-1", region: "us-east", group: "shop", tags: ["a", "b"] },
      { label: "web-2", region: "us-west", group: null, tags: [] },
      { label: "Web_3%", region: "us-east", group: "shop", tags: ["b"] },
      { label: "db", region: "eu-central", group: null, tags: ["c", "ab"] },
    ];
    let store: Store;
    beforeAll(async () => {
      store = await (await place())();
      await store.write(scope, async ({ instances }) => {
        for (const row of rows) await instances.add(instance(row));
      });
      await store.write({ account: "two", now }, ({ instances }) =>
        instances.add({ ...instance({ label: "theirs" }), account: "two" }),
      );
    });
    afterAll(() => store.close());
    const labels = async (filter: object): Promise<string[]> => {
      const listQuery = { query: { page: 1, page_size: 100 }, filter: filter as Record<string, never>, filterable };
      const { items, total } = await store.read(scope, ({ instances }) => instances.list({}, listQuery));
      expect(total).toBe(items.length);
      return items.map(({ label }) => label);
    };

    test.each<[object, string[]]>([
      [{}, ["web-1", "web-2", "Web_3%", "db"]],
      [{ label: "web-1" }, ["web-1"]],
      [{ label: "WEB-1" }, []],
      [{ label: { "+contains": "WEB" } }, ["web-1", "web-2", "Web_3%"]],
      [{ label: { "+contains": "_" } }, ["Web_3%"]],
      [{ label: { "+contains": "%" } }, ["Web_3%"]],
      [{ label: { "+contains": "\\" } }, []],
      [{ label: { "+neq": "db" } }, ["web-1", "web-2", "Web_3%"]],
      [{ group: null }, ["web-2", "db"]],
      [{ group: { "+neq": null } }, ["web-1", "Web_3%"]],
      [{ group: { "+neq": "shop" } }, ["web-2", "db"]],
      [{ id: { "+gt": 1, "+lte": 3 } }, ["web-2", "Web_3%"]],
      [{ id: { "+gte": 2.5 } }, ["Web_3%", "db"]],
      [{ id: 2.5 }, []],
      [{ id: "2" }, ["web-2"]],
      [{ id: { "+contains": "2" } }, ["web-2"]],
      [{ id: 1e300 }, []],
      [{ tags: "b" }, ["web-1", "Web_3%"]],
      [{ tags: { "+neq": "b" } }, ["web-2", "db"]],
      [{ tags: { "+contains": "B" } }, ["web-1", "Web_3%", "db"]],
      [{ "+or": [{ label: "db" }, { region: "us-west" }] }, ["web-2", "db"]],
      [{ "+and": [{ region: "us-east" }, { "+or": [{ tags: "a" }, { label: "db" }] }] }, ["web-1"]],
      [{ "+or": [] }, []],
      [{ "+and": [] }, ["web-1", "web-2", "Web_3%", "db"]],
      [{ "+order_by": "label" }, ["Web_3%", "db", "web-1", "web-2"]],
      [{ "+order_by": "label", "+order": "desc" }, ["web-2", "web-1", "db", "Web_3%"]],
      [{ "+order_by": "group" }, ["web-2", "db", "web-1", "Web_3%"]],
      [{ "+order_by": "group", "+order": "desc" }, ["web-1", "Web_3%", "web-2", "db"]],
      [{ "+order": "desc" }, ["db", "Web_3%", "web-2", "web-1"]],
    ])("fit %j", async (filter, expected) => {
      expect(await labels(filter)).toEqual(expected);
    });

    test("ignore the case of all letters, and treat no character as special", async () => {
      const own = await (await place())();
      onTestFinished(() => own.close());
      const labelled = ["CAFÉ", "café", "straße ÄÖ", "a\0b", "a\u0001b", "a", "\0"];
      await own.write(scope, async ({ instances }) => {
        for (const label of labelled) await instances.add({ ...instance({ label }), tags: [label] });
      });
      const found = async (filter: object): Promise<string[]> => {
        const listQuery = { query: { page: 1, page_size: 100 }, filter: filter as Record<string, never>, filterable };
        const { items } = await own.read(scope, ({ instances }) => instances.list({}, listQuery));
        return items.map(({ label }) => label);
      };
      for (const field of ["label", "tags"]) {
        for (const sought of ["É", "é", "CAFÉ", "café"])
          expect([sought, await found({ [field]: { "+contains": sought } })]).toEqual([sought, ["CAFÉ", "café"]]);
        expect(await found({ [field]: { "+contains": "ßE äö" } })).toEqual(["straße ÄÖ"]);
        expect(await found({ [field]: { "+contains": "\0" } })).toEqual(["a\0b", "\0"]);
        expect(await found({ [field]: { "+contains": "A\0B" } })).toEqual(["a\0b"]);
        for (const label of labelled) expect(await found({ [field]: label })).toEqual([label]);
        expect(await found({ [field]: { "+neq": "a\0b" } })).toHaveLength(6);
      }
      expect(await found({ label: { "+lt": "a" } })).toEqual(["CAFÉ", "\0"]);
      expect(await found({ "+order_by": "label" })).toEqual(labelled.toSorted());
      expect(await own.read(scope, ({ instances }) => instances.findWithItem("tags", "a\0b"))).toHaveLength(1);
      expect(await own.read(scope, ({ nodes }) => nodes.get("\0"))).toBeUndefined();
    });

    test("reject filters on other fields", async () => {
      const rejected = (field: string) =>
        errors.notFilterable({ field: "X-Filter", reason: `Cannot filter on ${field}` });
      await expect(labels({ status: "running" })).rejects.toEqual(rejected("status"));
      await expect(labels({ constructor: 1 })).rejects.toEqual(rejected("constructor"));
      await expect(labels({ "+order_by": "tags" })).rejects.toEqual(rejected("tags"));
      await expect(labels({ "'; drop table instances; --": 1 })).rejects.toThrow();
      expect(await labels({})).toHaveLength(4);
    });

    test("have pages, each with the total", async () => {
      const pageOf = (page: number) =>
        store.read(scope, ({ instances }) => instances.list({ account: "one" }, { query: { page, page_size: 3 } }));
      expect(await pageOf(1)).toMatchObject({ total: 4, items: [{ id: 1 }, { id: 2 }, { id: 3 }] });
      expect(await pageOf(2)).toMatchObject({ total: 4, items: [{ id: 4 }] });
      expect(await pageOf(3)).toEqual({ total: 4, items: [] });
    });

    test("contain only the rows that the caller may see", async () => {
      const seenBy = async (listScope: object) => {
        const listQuery = { query: { page: 1, page_size: 100 }, listScope: listScope as never };
        const { items } = await store.survey(now, ({ instances }) => instances.list({}, listQuery));
        return items.map(({ id }) => id);
      };
      expect(await seenBy({ owner: { account: "two" } })).toEqual([5]);
      expect(await seenBy({ owner: { account: "one" }, ids: [2, 5] })).toEqual([2]);
      expect(await seenBy({ owner: { account: "one" }, ids: [] })).toEqual([]);
    });
  });
});

test("a closed store has no connection to PostgreSQL", async () => {
  const store = await openPostgres(await sharedPostgres().database());
  await store.write(scope, async (tx) => void (await tx.accounts.get("one")));
  expect(store.connections?.()).toMatchObject({ open: 1 });
  await store.close();
  expect(store.connections?.()).toMatchObject({ open: 0 });
});

async function plansOnce(url: string): Promise<boolean> {
  const store = await openPostgres(url, { connections: 1 });
  onTestFinished(() => store.close());
  await store.read(scope, (tx) => tx.tags.get(1));
  const plans = "select statement from pg_prepared_statements";
  const planned = await store.survey(now, ({ database }) => database.run(plans, []));
  return planned.some(([text]) => String(text).startsWith('select doc from "tags"'));
}

test("PostgreSQL plans a statement that recurs once a connection", async () => {
  expect(await plansOnce(await sharedPostgres().database())).toBe(true);
});

test.runIf(pgbouncer !== undefined)("no statement is planned once behind PgBouncer", async () => {
  pooler ??= startPooler(sharedPostgres().url);
  expect(await plansOnce((await pooler).through(await sharedPostgres().database()))).toBe(false);
});

test("rejects every query of a transaction whose connection is lost", async () => {
  const url = await sharedPostgres().database();
  const store = await openPostgres(url);
  onTestFinished(() => store.close());
  const other = await openPostgres(url);
  onTestFinished(() => other.close());
  const writers =
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'";
  const asked = store.write(scope, async ({ tags }) => {
    await other.survey(now, ({ database }) => database.run(writers, []));
    return tags.count();
  });
  await expect(asked).rejects.toMatchObject({ name: "StoreUnavailableError" });
});

function domain<Fields extends object>(fields: Fields): Rows["domains"] {
  return { domain: "", group: null, tags: [], ...fields } as never;
}

function image(fields: object): Rows["images"] {
  return { label: "", number: null, ticket: null, is_public: false, ...fields } as never;
}

/** An instance with all fields that lists need. */
function instance(fields: object): Omit<Rows["instances"], "id"> {
  return { account: "one", image: null, group: null, cluster: null, tags: [], ipv4: [], ...fields } as never;
}
