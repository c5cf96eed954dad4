import * as api from "@cloud-compute/client";
import { describe, expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";
import { deploy, disksOf, empty, put, readInstance, readEvents } from "../instances/instances.support.js";

function listed({ admin }: World, computeId: number): Promise<api.BackupListing> {
  return api.listInstanceBackups(admin, { path: { computeId } });
}

function snapshot({ admin }: World, computeId: number, label = "before"): Promise<api.Backup> {
  return api.createInstanceSnapshot(admin, { path: { computeId }, body: { label } });
}

function automatic(world: World, id: number): Promise<api.Backup> {
  return controls.createAutomaticBackup(world.controls, { path: { id }, body: { type: "auto" } });
}

const date = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe("a snapshot", () => {
  test("goes through its states, and becomes current when it is done", async () => {
    const world = await start();
    const { id } = await deploy(world, { label: "web-1" });
    expect(await listed(world, id)).toEqual({ automatic: [], snapshot: { current: null, in_progress: null } });
    const taken = await snapshot(world, id, "before-upgrade");
    expect(taken).toEqual({
      id: taken.id,
      region: "us-east",
      type: "snapshot",
      status: "pending",
      available: false,
      label: "before-upgrade",
      configs: [],
      disks: [],
      created: expect.stringMatching(date),
      finished: null,
      updated: taken.created,
    });
    const seen = async (): Promise<unknown> => {
      const { current, in_progress } = (await listed(world, id)).snapshot;
      return [current?.status ?? null, in_progress?.status ?? null];
    };
    expect(await seen()).toEqual([null, "pending"]);
    await world.advance("PT5S");
    expect(await seen()).toEqual([null, "running"]);
    await world.advance("PT1M");
    expect(await seen()).toEqual([null, "needsPostProcessing"]);
    expect(await readEvents(world, id)).toEqual(["compute_create finished", "compute_snapshot started"]);
    await world.advance("PT10S");
    expect(await seen()).toEqual(["successful", null]);
    expect(await readEvents(world, id)).toEqual(["compute_create finished", "compute_snapshot finished"]);
    const done = await api.getInstanceBackup(world.admin, { path: { computeId: id, backupId: taken.id } });
    expect(done).toEqual({
      ...taken,
      status: "successful",
      available: true,
      configs: ["My Debian 12 Profile"],
      disks: [
        { label: "Debian 12 Disk", size: 50 * 1024 - 512, filesystem: "ext4" },
        { label: "512 MB Swap Image", size: 512, filesystem: "swap" },
      ],
      finished: expect.stringMatching(date),
      updated: done.finished,
    });
    expect(Date.parse(done.finished ?? "") - Date.parse(done.created)).toBeGreaterThanOrEqual(74_000);
    expect(done).toEqual((await listed(world, id)).snapshot.current);
    // The backup service stays disabled.
    expect((await readInstance(world, id)).backups).toEqual({
      available: true,
      enabled: false,
      last_successful: done.finished,
      schedule: { day: null, window: null },
    });
  });

  test("replaces an earlier snapshot as soon as it is accepted, even an unfinished one", async () => {
    const world = await start();
    const { id } = await deploy(world);
    const first = await snapshot(world, id, "first");
    await world.settle();
    const { last_successful } = (await readInstance(world, id)).backups;
    const second = await snapshot(world, id, "second");
    expect((await listed(world, id)).snapshot).toMatchObject({ current: null, in_progress: { id: second.id } });
    expect((await readInstance(world, id)).backups).toMatchObject({ available: false, last_successful });
    const third = await snapshot(world, id, "third");
    await world.settle();
    expect((await listed(world, id)).snapshot).toMatchObject({
      current: { id: third.id, label: "third" },
      in_progress: null,
    });
    for (const { id: backupId } of [first, second])
      expect(await failure(api.getInstanceBackup(world.admin, { path: { computeId: id, backupId } }))).toEqual([
        404,
        "Not found",
      ]);
    expect((await readEvents(world, id)).slice(1)).toEqual([
      "compute_snapshot finished",
      "compute_snapshot failed",
      "compute_snapshot finished",
    ]);
  });

  test("does not affect automatic backups", async () => {
    const world = await start();
    const { id } = await deploy(world);
    const { id: auto } = await automatic(world, id);
    await snapshot(world, id);
    await snapshot(world, id);
    await world.settle();
    expect((await listed(world, id)).automatic.map((each) => each.id)).toEqual([auto]);
  });

  test("needs a label of 1 to 255 characters", async () => {
    const world = await start();
    const { id } = await empty(world);
    await snapshot(world, id, "x");
    await snapshot(world, id, "x".repeat(255));
    expect((await failure(snapshot(world, id, "")))[0]).toBe(400);
    expect((await failure(snapshot(world, id, "x".repeat(256))))[0]).toBe(400);
    const path = { computeId: id };
    // @ts-expect-error: the label is missing
    expect(await failure(api.createInstanceSnapshot(world.admin, { path, body: {} }))).toEqual([
      400,
      "label: is required",
    ]);
  });

  test.each(["booting", "shutting_down", "provisioning", "migrating", "rebuilding", "cloning", "restoring"] as const)(
    "is rejected for an instance that is %s",
    async (status) => {
      const world = await start();
      const { id } = await empty(world);
      await put(world, id, status);
      expect(await failure(snapshot(world, id))).toEqual([400, "Instance busy."]);
    },
  );

  test("contains the disks and configs of the moment of its creation", async () => {
    const world = await start();
    const { id } = await deploy(world);
    const { id: backupId } = await snapshot(world, id);
    await api.createInstanceConfig(world.admin, { path: { computeId: id }, body: { label: "later", devices: {} } });
    await world.settle();
    const done = await api.getInstanceBackup(world.admin, { path: { computeId: id, backupId } });
    expect(done.configs).toEqual(["My Debian 12 Profile"]);
  });
});

test("a backup is found only within its instance, and only by users who may read that", async () => {
  const world = await start();
  const { id } = await deploy(world);
  const other = await empty(world);
  const { id: backupId } = await snapshot(world, id);
  await world.settle();
  const get = (client: api.Client, computeId = id) =>
    failure(api.getInstanceBackup(client, { path: { computeId, backupId } }));
  expect(await get(world.admin, other.id)).toEqual([404, "Not found"]);
  expect(await get(await world.user("eve", { account: "other" }))).toEqual([404, "Not found"]);
  const bob = await world.user("bob", { restricted: true });
  expect(await get(bob)).toEqual([404, "Not found"]);
  await controls.setGrants(world.controls, {
    path: { username: "bob" },
    body: { compute: [{ id, permissions: "read_only" }] },
  });
  const path = { computeId: id };
  expect((await api.listInstanceBackups(bob, { path })).snapshot.current?.id).toBe(backupId);
  for (const call of [
    () => api.createInstanceSnapshot(bob, { path, body: { label: "mine" } }),
    () => api.enableInstanceBackups(bob, { path }),
    () => api.cancelInstanceBackups(bob, { path }),
    () => api.restoreInstanceBackup(bob, { path: { computeId: id, backupId }, body: { compute_id: id } }),
  ])
    expect((await failure(call()))[0]).toBe(403);
});

describe("automatic backups", () => {
  test("the test controls can start an automatic backup", async () => {
    const world = await start();
    const { id } = await deploy(world);
    const taken = await automatic(world, id);
    expect(taken).toMatchObject({ type: "auto", status: "pending", label: null, available: false, finished: null });
    await world.settle();
    const { automatic: all, snapshot: none } = await listed(world, id);
    expect(all).toMatchObject([{ id: taken.id, status: "successful", available: true }]);
    expect(none).toEqual({ current: null, in_progress: null });
    await expect(automatic(world, 999)).rejects.toMatchObject({ status: 404 });
    const bad = { path: { id }, body: { type: "manual" } };
    // @ts-expect-error: an unknown type
    await expect(controls.createAutomaticBackup(world.controls, bad)).rejects.toMatchObject({ status: 400 });
  });

  test("the three newest successful ones remain", async () => {
    const world = await start();
    const { id } = await deploy(world);
    const taken: number[] = [];
    for (let many = 0; many < 3; many += 1) {
      taken.push((await automatic(world, id)).id);
      await world.settle();
    }
    const kept = async () => (await listed(world, id)).automatic.map((each) => each.id);
    expect(await kept()).toEqual(taken);
    taken.push((await automatic(world, id)).id);
    expect(await kept()).toEqual(taken);
    await world.settle();
    expect(await kept()).toEqual(taken.slice(1));
  });
});

describe("maintenance", () => {
  test("blocks restoring backups", async () => {
    const world = await start();
    const { id } = await deploy(world);
    const target = await empty(world);
    const { id: backupId } = await snapshot(world, id);
    await automatic(world, id);
    await world.settle();
    await put(world, id, "stopped");
    expect((await readInstance(world, id)).backups.available).toBe(false);
    const during = await listed(world, id);
    expect([during.snapshot.current, ...during.automatic]).toMatchObject([
      { status: "successful", available: false },
      { status: "successful", available: false },
    ]);
    const restore = () =>
      api.restoreInstanceBackup(world.admin, { path: { computeId: id, backupId }, body: { compute_id: target.id } });
    expect(await failure(restore())).toEqual([
      400,
      "The backup cannot be restored now, for it is unfinished, failed, or in maintenance",
    ]);
    const body = { region: "us-east", type: "g6-standard-1", backup_id: backupId };
    expect(await failure(api.createInstance(world.admin, { body }))).toEqual([
      400,
      "backup_id: The backup is unfinished, failed, or in maintenance",
    ]);
    await put(world, id, "running");
    expect((await readInstance(world, id)).backups.available).toBe(true);
    expect((await listed(world, id)).snapshot.current?.available).toBe(true);
    await restore();
    expect(await disksOf(world, target.id)).toHaveLength(2);
  });

  test("is not a suspension", async () => {
    const world = await start();
    const { id } = await deploy(world);
    await snapshot(world, id);
    await world.settle();
    expect(await put(world, id, "suspended")).toBe("stopped");
    expect((await readInstance(world, id)).backups.available).toBe(true);
  });
});

test("deleting an instance deletes its backups and their jobs", async () => {
  const world = await start();
  const { id } = await deploy(world, { backups_enabled: true });
  await automatic(world, id);
  await world.settle();
  const { id: backupId } = await snapshot(world, id);
  await api.deleteInstance(world.admin, { path: { computeId: id } });
  await world.settle();
  const path = { computeId: id, backupId };
  expect(await failure(api.getInstanceBackup(world.admin, { path }))).toEqual([404, "Not found"]);
  const body = { region: "us-east", type: "g6-standard-1", backup_id: backupId };
  expect(await failure(api.createInstance(world.admin, { body }))).toEqual([
    400,
    "backup_id: There is no backup with this id, or none that the user may know of",
  ]);
  expect((await readEvents(world, id)).toSorted()).toEqual([
    "compute_create finished",
    "compute_delete finished",
    "compute_snapshot failed",
  ]);
  await world.advance("P14D");
  expect(await world.settle()).toBe(0);
});
