import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { rowsOf } from "../src/store/database.js";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { bootstrap, bootstrapAccount as account, admin } from "../src/bootstrap.js";
import type { DomainRow } from "../src/store/rows.js";
import { openSqlite } from "../src/store/sqlite.js";
import type { Store } from "../src/store/store.js";
import { iso, type Tx } from "../src/store/tx.js";
import { filesOtherwise } from "./support/files.js";
import { brokenInvariants, unsettled } from "./support/invariants.js";

const now = Date.parse("2026-01-01T00:00:00Z");

let store: Store;
beforeEach(async () => {
  store = await openSqlite(":memory:");
  await bootstrap(store, { token: undefined, now });
  return () => store.close();
});

const broken = (): Promise<string[]> => store.read(now, brokenInvariants);

test("nothing is wrong with an empty store", async () => {
  expect(await broken()).toEqual([]);
  expect(await store.read(now, unsettled)).toEqual([]);
});

/** An event of another kind than the fields that are given say. */
const event = {
  account,
  action: "compute_boot",
  created: iso(now),
  duration: null,
  entity: null,
  secondary_entity: null,
  message: null,
  percent_complete: 0,
  rate: null,
  read: false,
  seen: false,
  status: "started",
  time_remaining: null,
  username: admin,
} as const;

const job = { account, kind: "boot", due: now, nature: "transient", event: null, data: {}, failures: 0 } as const;

const domain: Omit<DomainRow, "id"> = {
  account,
  domain: "a.example.com",
  key: "a.example.com",
  type: "master",
  status: "active",
  soa_email: "a@example.com",
  description: "",
  group: "",
  tags: [],
  master_ips: [],
  axfr_ips: [],
  refresh_sec: 0,
  retry_sec: 0,
  expire_sec: 0,
  ttl_sec: 0,
  serial: 1,
  created: iso(now),
  updated: iso(now),
  errors: "",
};

describe("what is wrong is seen:", () => {
  test.each<[string, (tx: Tx) => Promise<unknown>, string[]]>([
    [
      "an address of nobody",
      ({ addresses }) => addresses.add({ id: "198.18.0.1", kind: "public", instance: 5 }),
      ["198.18.0.1 is kept for instance 5, which does not have it"],
    ],
    [
      "a job about what is gone",
      ({ jobs }) => jobs.add({ ...job, subject: "instance 5" }),
      ["job 2 (boot) is about instance 5, which there is not"],
    ],
    [
      "a job about nobody knows what",
      ({ jobs }) => jobs.add({ ...job, subject: "moon 5" }),
      ["job 2 (boot) is about moon 5, and nobody knows what that is"],
    ],
    [
      "an event without an end",
      ({ events }) => events.add(event),
      ["event 1 (compute_boot) is started, and nothing ends it"],
    ],
    [
      "a grant on what is gone",
      async ({ users }) => {
        const user = await users.only(admin);
        const compute = [{ id: 5, label: "gone", permissions: "read_only" as const }];
        await users.change(user, { grants: { ...user.grants, compute } });
      },
      ["admin has a grant on compute 5, which there is not"],
    ],
    ["a zone of no domain", ({ zones }) => zones.add({ id: 5, lines: [] }), ["zones 5 has id 5, which there is not"]],
    [
      "a tag that is none",
      ({ domains }) => domains.add({ ...domain, tags: ["a"] }),
      ["domains 1 has a, which is no tag"],
    ],
    [
      "a column that the row has otherwise",
      async ({ domains, database }) => {
        await domains.add(domain);
        await rowsOf(sql`update domains set "group" = 'b'`, database);
      },
      ["domains 1 is found by group b, which it is not"],
    ],
    [
      "an item that the row has not",
      async ({ domains, database }) => {
        await domains.add(domain);
        await rowsOf(sql`insert into items (tbl, field, item, id) values ('domains', 'tags', 'a', 1)`, database);
      },
      ["domains 1 is found by tags a, which it has not"],
    ],
    [
      "an item that is not found",
      async ({ domains, tags, database }) => {
        await tags.add({ account, label: "a" });
        await domains.add({ ...domain, tags: ["a"] });
        await rowsOf(sql`delete from items`, database);
      },
      ["domains 1 tags a is not found"],
    ],
  ])("%s", async (_what, breaks, seen) => {
    await store.write({ account, now }, breaks);
    expect(await broken()).toEqual(seen);
  });

  test("what is still to be done, and what is kept for nobody", async () => {
    const long = iso(Date.now() - 200 * 86_400_000);
    await store.write({ account, now }, async ({ events, jobs }) => {
      await events.add({ ...event, status: "finished", created: long });
      await jobs.add({ ...job, subject: `account ${account}`, failures: 1 });
    });
    expect(await store.read(now, unsettled)).toEqual([
      `boot of account ${account} is still to be done`,
      `boot of account ${account} failed 1 times`,
      "event 1 is kept for nobody",
    ]);
  });

  test("files of no image, and an image without its file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "plumbline-files-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, "image-7"));
    writeFileSync(join(folder, "image-7", "left.img.gz.part"), "");
    const found = (isSettled: boolean) => store.read(now, (tx) => filesOtherwise(tx, { folder, isSettled }));
    expect(await found(false)).toEqual([]);
    expect(await found(true)).toEqual(["image-7/left.img.gz.part is of nothing", "image-7 is of no image"]);
    await store.write({ account, now }, async ({ images }) => {
      await images.change(await images.only("compute/debian12"), { number: 8, file: "lost.img.gz" });
    });
    expect(await found(false)).toEqual(["image compute/debian12 has no file lost.img.gz"]);
  });
});
