import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as api from "@cloud-compute/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { deleteTagInPart } from "../src/features/tags/lifecycle.js";
import { purgeJobs } from "../src/platform/purge-expired.js";
import { openPostgres } from "../src/store/postgres.js";
import { sharedPostgres } from "../src/store/postgres.support.js";
import { openSqlite } from "../src/store/sqlite.js";
import type { Store } from "../src/store/store.js";
import type { Transaction } from "../src/store/transaction.js";
import { start } from "../src/testing.support.js";
import * as controls from "../src/testing/index.js";
import { aloneIn } from "../src/unit-of-work.support.js";

interface Place {
  readonly args: readonly string[];
  open(): Promise<Store>;
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  "in a file": async () => {
    const folder = mkdtempSync(join(tmpdir(), "plumbline-batches-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return { args: ["--data", folder], open: () => openSqlite(folder) };
  },
  "on PostgreSQL": async () => {
    const url = await sharedPostgres().database();
    return { args: ["--database-url", url, "--data", ":memory:"], open: () => openPostgres(url) };
  },
};

const label = "everywhere";
const account = "bootstrap";

describe.each(Object.entries(places))("with a store %s", (_, create) => {
  test("each transaction of the deletion of a tag changes 500 objects at most", async () => {
    const place = await create();
    const tag = await tagMany(place, 1500);
    const store = await place.open();
    const tagged: number[] = [];
    const deletions: string[] = [];
    while (deletions.at(-1) !== "done") {
      deletions.push(await deletePart(store, tag));
      tagged.push(await store.survey(0, countTagged));
      // Each object that has the tag can still be found by it.
      expect((await store.survey(0, (tx) => tx.tags.get(tag))) === undefined).toBe(deletions.at(-1) === "done");
    }
    expect(tagged).toEqual([1000, 500, 0, 0]);
    expect(await deletePart(store, tag)).toBe("missing");
    expect(await store.survey(0, (tx) => tx.jobs.count({ kind: "delete-tag" }))).toBe(0);
    await store.close();
  });

  test("another write of the account gets its turn while a tag is deleted", async () => {
    const place = await create();
    const objects = 3000;
    await tagMany(place, objects);
    const { admin } = await start(place.args);
    const deleting = Promise.resolve(api.deleteTag(admin, { path: { label } }));
    const tagged = async (): Promise<number> => (await api.listTaggedObjects(admin, { path: { label } })).results;
    await expect.poll(tagged, { interval: 1 }).toBeLessThan(objects);
    await api.createTag(admin, { body: { label: "between" } });
    await deleting;
    const { data } = await api.listEvents(admin, { headers: { "X-Filter": { "entity.type": "tag" } } });
    const order = data.toSorted((a, b) => a.id - b.id).map(({ action, entity }) => `${action} ${entity?.id}`);
    expect(order.slice(-2)).toEqual(["tag_create between", `tag_delete ${label}`]);
    expect((await api.listTags(admin)).data).toEqual([{ label: "between" }]);
  });

  test("a job finishes the deletion of a tag whose process has ended", async () => {
    const place = await create();
    const tag = await tagMany(place, 501);
    const ended = await place.open();
    expect(await deletePart(ended, tag)).toBe("begun");
    await ended.close();
    const { admin, advance, service } = await start(place.args);
    await advance("PT2M");
    expect((await api.listTags(admin)).data).toEqual([]);
    const { data } = await api.listEvents(admin, { headers: { "X-Filter": { action: "tag_delete" } } });
    expect(data).toMatchObject([{ username: "admin", entity: { id: label } }]);
    await service.close();
    const store = await place.open();
    expect(await store.survey(0, countTagged)).toBe(0);
    await store.close();
  });

  test("each transaction of a purge deletes 1,000 rows at most", async () => {
    const place = await create();
    await (await start(place.args)).service.close();
    const store = await place.open();
    const { due = 0 } = (await store.survey(0, (tx) => tx.jobs.first({ kind: "forget" }))) ?? {};
    await store.write({ account, now: due - 100 * day }, async (tx) => {
      for (let made = 0; made < 2500; made += 1) await aloneIn(tx).recordEvent({ account, action: "tag_create" });
    });
    const ran = [];
    for (let times = 0; times < 3; times += 1) ran.push(await store.write({ account, now: due }, runPurge));
    expect(ran).toEqual([
      { events: 1500, wait: 0 },
      { events: 500, wait: 0 },
      { events: 0, wait: 30 * day },
    ]);
    await store.close();
  });
});

/** Runs the purge that is planned. Returns the remaining events, and the milliseconds until the next purge. */
async function runPurge(tx: Transaction): Promise<{ readonly events: number; readonly wait: number }> {
  const [job] = await tx.jobs.deleteReturning({ kind: "forget" });
  if (job !== undefined) await purgeJobs["forget"]?.(aloneIn(tx), job);
  const [next] = await tx.jobs.find({ kind: "forget" });
  return { events: await tx.events.count(), wait: (next?.due ?? 0) - tx.now };
}

/** Creates a tag of many volumes. Returns its id. */
async function tagMany({ args, open }: Place, objects: number): Promise<number> {
  const { admin, controls: client, service } = await start(args);
  const { id } = await controls.createVolume(client, { body: { label: "data", size: 20, region: "us-east" } });
  await api.createTag(admin, { body: { label, volumes: [id] } });
  await service.close();
  const store = await open();
  const tag = await store.write({ account, now: 0 }, async (tx) => {
    const { id: _, ...volume } = await tx.volumes.getOrThrow(id);
    for (let made = 1; made < objects; made += 1) await tx.volumes.add(volume);
    return tx.tags.first({ account, label });
  });
  await store.close();
  return tag?.id ?? 0;
}

function deletePart(store: Store, id: number): Promise<string> {
  const now = Date.now();
  return store.write({ account, now }, (tx) => deleteTagInPart(aloneIn(tx), { id, user: "admin", resumesIn: 60_000 }));
}

function countTagged(tx: Transaction): Promise<number> {
  return tx.volumes.count({ tags: { contains: label } });
}

/** Milliseconds. */
const day = 86_400_000;
