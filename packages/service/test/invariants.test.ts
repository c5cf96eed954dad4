import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { bootstrap, bootstrapAccount as account, admin } from "../src/bootstrap.js";
import { rowsOf } from "../src/store/database.js";
import type { DomainRow } from "../src/store/rows.js";
import { openSqlite } from "../src/store/sqlite.js";
import type { Store } from "../src/store/store.js";
import { formatDate, type Survey } from "../src/store/transaction.js";
import { filesOtherwise } from "./support/files.js";
import { brokenInvariants, unsettled } from "./support/invariants.js";

const now = Date.parse("2026-01-01T00:00:00Z");

let store: Store;
beforeEach(async () => {
  store = await openSqlite(":memory:");
  await bootstrap(store, { token: undefined, now });
  return () => store.close();
});

const broken = (): Promise<string[]> => store.survey(now, brokenInvariants);

test("an empty store breaks no invariant", async () => {
  expect(await broken()).toEqual([]);
  expect(await store.survey(now, unsettled)).toEqual([]);
});

/** An event whose kind differs from its fields. */
const event = {
  account,
  action: "compute_boot",
  created: formatDate(now),
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
  created: formatDate(now),
  updated: formatDate(now),
  errors: "",
};

describe("finds a broken invariant:", () => {
  test.each<[string, (tx: Survey) => Promise<unknown>, string[]]>([
    [
      "an address without an owner",
      ({ addresses }) => addresses.add({ id: "198.18.0.1", account, kind: "public", instance: 5 }),
      ["198.18.0.1 is assigned to instance 5, which does not have it"],
    ],
    [
      "a job with a missing subject",
      ({ jobs }) => jobs.add({ ...job, subject: "instance 5" }),
      ["job 2 (boot) has the missing subject instance 5"],
    ],
    [
      "a job with an unknown subject",
      ({ jobs }) => jobs.add({ ...job, subject: "moon 5" }),
      ["job 2 (boot) has the unknown subject moon 5"],
    ],
    [
      "an event without an end",
      ({ events }) => events.add(event),
      ["event 1 (compute_boot) is started, and no job ends it"],
    ],
    [
      "a grant on a missing entity",
      async ({ users }) => {
        const user = await users.getOrThrow(admin);
        const compute = [{ id: 5, label: "gone", permissions: "read_only" as const }];
        await users.patch(user, { grants: { ...user.grants, compute } });
      },
      ["admin has a grant on compute 5, which does not exist"],
    ],
    [
      "a zone without a domain",
      ({ zones }) => zones.add({ id: 5, lines: [] }),
      ["zones 5 has id 5, which does not exist"],
    ],
    ["an unknown tag", ({ domains }) => domains.add({ ...domain, tags: ["a"] }), ["domains 1 has the unknown tag a"]],
    [
      "a column that differs from the row",
      async ({ domains, database }) => {
        await domains.add(domain);
        await rowsOf(sql`update domains set "group" = 'b'`, database);
      },
      ["domains 1 has group b in its column only"],
    ],
    [
      "an item that the row does not have",
      async ({ domains, database }) => {
        await domains.add(domain);
        await rowsOf(
          sql`insert into items (account, tbl, field, item, id) values ('${sql.raw(account)}', 'domains', 'tags', 'a', 1)`,
          database,
        );
      },
      [`items ${account} domains tags a 1 is not of a row`],
    ],
    [
      "a missing item",
      async ({ domains, tags, database }) => {
        await tags.add({ account, label: "a" });
        await domains.add({ ...domain, tags: ["a"] });
        await rowsOf(sql`delete from items`, database);
      },
      [`items ${account} domains tags a 1 is missing`],
    ],
  ])("%s", async (_what, breaks, seen) => {
    // Raw statements are for surveys only, but a transaction has what they need.
    await store.write({ account, now }, (tx) => breaks(tx as Survey));
    expect(await broken()).toEqual(seen);
  });

  test("finds pending jobs and expired rows", async () => {
    const long = formatDate(Date.now() - 200 * 86_400_000);
    await store.write({ account, now }, async ({ events, jobs }) => {
      await events.add({ ...event, status: "finished", created: long });
      await jobs.add({ ...job, subject: `account ${account}`, failures: 1 });
    });
    expect(await store.survey(now, unsettled)).toEqual([
      `boot of account ${account} is still pending`,
      `boot of account ${account} failed 1 times`,
      "event 1 has expired",
    ]);
  });

  test("finds files without an image, and an image without its file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "plumbline-files-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, "image-7"));
    writeFileSync(join(folder, "image-7", "left.img.gz.part"), "");
    const found = (isSettled: boolean) => store.survey(now, (tx) => filesOtherwise(tx, { folder, isSettled }));
    expect(await found(false)).toEqual([]);
    expect(await found(true)).toEqual(["image-7/left.img.gz.part belongs to no image", "image-7 belongs to no image"]);
    await store.write({ account, now }, async ({ public_images: images }) => {
      await images.patch(await images.getOrThrow("compute/debian12"), { number: 8, file: "lost.img.gz" });
    });
    expect(await found(false)).toEqual(["image compute/debian12 has no file lost.img.gz"]);
  });
});
