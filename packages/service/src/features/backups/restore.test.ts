import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";
import {
  configsOf,
  deploy,
  deployment,
  disksOf,
  empty,
  put,
  readInstance,
  statusOf,
  readEvents,
} from "../instances/instances.support.js";

/** A deployed instance of 25 GB, and its snapshot. */
async function backedUp(world: World): Promise<{ readonly id: number; readonly backupId: number }> {
  const { id } = await deploy(world, { type: "g6-nanode-1" });
  const { id: backupId } = await api.createInstanceSnapshot(world.admin, {
    path: { computeId: id },
    body: { label: "before" },
  });
  await world.settle();
  return { id, backupId };
}

function restore(
  { admin }: Pick<World, "admin">,
  { id, backupId }: { readonly id: number; readonly backupId: number },
  body: api.BackupRestore,
) {
  return api.restoreInstanceBackup(admin, { path: { computeId: id, backupId }, body });
}

test("overwrite deletes the target's disks and configs first; it is restoring and then offline", async () => {
  const world = await start();
  const backup = await backedUp(world);
  const { id } = backup;
  const [config] = await configsOf(world, id);
  const disks = await disksOf(world, id);
  await api.createInstanceConfig(world.admin, { path: { computeId: id }, body: { label: "later", devices: {} } });
  expect(await restore(world, backup, { compute_id: id, overwrite: true })).toEqual({});
  expect(await statusOf(world, id)).toBe("restoring");
  expect((await readEvents(world, id)).at(-1)).toBe("backups_restore started");
  await world.settle();
  expect(await readInstance(world, id)).toMatchObject({ status: "offline", image: "compute/debian12" });
  const restored = await disksOf(world, id);
  expect(restored.map(({ label, size, filesystem }) => ({ label, size, filesystem }))).toEqual(
    disks.map(({ label, size, filesystem }) => ({ label, size, filesystem })),
  );
  expect(restored.some((disk) => disks.some((each) => each.id === disk.id))).toBe(false);
  const [root, swap] = restored;
  const restoredConfigs = await configsOf(world, id);
  expect(restoredConfigs).toHaveLength(1);
  expect(restoredConfigs[0]).toEqual({
    ...config,
    id: expect.any(Number),
    created: expect.any(String),
    updated: expect.any(String),
    devices: {
      ...config?.devices,
      sda: { disk_id: root?.id, volume_id: null },
      sdb: { disk_id: swap?.id, volume_id: null },
    },
  });
  expect((await readEvents(world, id)).at(-1)).toBe("backups_restore finished");
  // Its only config is the default.
  await api.bootInstance(world.admin, { path: { computeId: id } });
  await world.settle();
  expect(await statusOf(world, id)).toBe("running");
});

test("without overwrite the target keeps its disks, and the backup needs free space", async () => {
  const world = await start();
  const backup = await backedUp(world);
  const reason = "Insufficient space on the target: the backup needs 25600 MB, and 0 MB are free";
  expect(await failure(restore(world, backup, { compute_id: backup.id }))).toEqual([400, reason]);
  expect(await failure(restore(world, backup, { compute_id: backup.id, overwrite: false }))).toEqual([400, reason]);
  expect(await statusOf(world, backup.id)).toBe("running");
  // The first restore fits exactly and leaves no space.
  const target = await empty(world, { type: "g6-standard-1" });
  for (const many of [2, 4]) {
    await restore(world, backup, { compute_id: target.id });
    await world.settle();
    expect(await disksOf(world, target.id)).toHaveLength(many);
    expect(await configsOf(world, target.id)).toHaveLength(many / 2);
  }
  expect(await failure(restore(world, backup, { compute_id: target.id }))).toEqual([400, reason]);
  expect((await readEvents(world, target.id)).at(-1)).toBe("backups_restore finished");
});

test("a target with a small plan stays unchanged, even with overwrite", async () => {
  const world = await start();
  const { id } = await deploy(world, { type: "g6-standard-1" });
  const { id: backupId } = await controls.createAutomaticBackup(world.controls, {
    path: { id },
    body: { type: "auto" },
  });
  await world.settle();
  const target = await deploy(world, { type: "g6-nanode-1" });
  expect(await failure(restore(world, { id, backupId }, { compute_id: target.id, overwrite: true }))).toEqual([
    400,
    "Insufficient space on the target: the backup needs 51200 MB, and 25600 MB are free",
  ]);
  expect(await disksOf(world, target.id)).toHaveLength(2);
});

test("only a finished backup can be restored", async () => {
  const world = await start();
  const { id } = await deploy(world);
  const { id: backupId } = await api.createInstanceSnapshot(world.admin, {
    path: { computeId: id },
    body: { label: "now" },
  });
  expect(await failure(restore(world, { id, backupId }, { compute_id: id, overwrite: true }))).toEqual([
    400,
    "The backup cannot be restored now, for it is unfinished, failed, or in maintenance",
  ]);
});

test("a restoring instance cannot be deleted, booted, cloned, backed up or restored", async () => {
  const world = await start();
  const backup = await backedUp(world);
  const path = { computeId: backup.id };
  const body = { compute_id: backup.id, overwrite: true };
  await restore(world, backup, body);
  expect(await failure(api.deleteInstance(world.admin, { path }))).toEqual([400, "Instance busy."]);
  expect(await failure(api.bootInstance(world.admin, { path }))).toEqual([400, "Instance busy."]);
  expect(await failure(api.cloneInstance(world.admin, { path }))).toEqual([400, "Instance busy."]);
  expect((await failure(api.createInstanceSnapshot(world.admin, { path, body: { label: "now" } })))[0]).toBe(400);
  expect(await failure(restore(world, backup, body))).toEqual([
    400,
    "compute_id: The target is neither running nor offline",
  ]);
  // Cancelling deletes the backups. The restore has its own copy.
  await api.cancelInstanceBackups(world.admin, { path });
  await world.settle();
  expect(await disksOf(world, backup.id)).toHaveLength(2);
  await api.deleteInstance(world.admin, { path });
});

test.each(["booting", "rebooting", "shutting_down", "provisioning", "migrating", "rebuilding", "cloning"] as const)(
  "a target that is %s is busy",
  async (status) => {
    const world = await start();
    const backup = await backedUp(world);
    const target = await empty(world);
    await put(world, target.id, status);
    expect(await failure(restore(world, backup, { compute_id: target.id }))).toEqual([
      400,
      "compute_id: The target is neither running nor offline",
    ]);
  },
);

test("a target has to exist, and the caller has to be allowed to change it", async () => {
  const world = await start();
  const backup = await backedUp(world);
  const reason = "compute_id: There is no instance with this id, or the caller may not know of it";
  expect(await failure(restore(world, backup, { compute_id: 999_999 }))).toEqual([400, reason]);
  const eve = await world.user("eve", { account: "other" });
  const theirs = await api.createInstance(eve, { body: { region: "us-east", type: "g6-nanode-1" } });
  expect(await failure(restore(world, backup, { compute_id: theirs.id }))).toEqual([400, reason]);
  const target = await empty(world);
  const bob = { admin: await world.user("bob", { restricted: true }) };
  const grant = (permissions: "read_only" | "read_write") =>
    controls.setGrants(world.controls, {
      path: { username: "bob" },
      body: {
        compute: [
          { id: backup.id, permissions: "read_write" },
          { id: target.id, permissions },
        ],
      },
    });
  await grant("read_only");
  expect((await failure(restore(bob, backup, { compute_id: target.id })))[0]).toBe(403);
  await grant("read_write");
  expect(await restore(bob, backup, { compute_id: target.id })).toEqual({});
});

test("a new instance from a backup has its disks and configs, and boots from them", async () => {
  const world = await start();
  const backup = await backedUp(world);
  const { id: first } = backup;
  const { id, status } = await empty(world, { type: "g6-standard-1", backup_id: backup.backupId });
  expect(status).toBe("provisioning");
  await world.settle();
  expect(await readInstance(world, id)).toMatchObject({ status: "running", image: deployment.image });
  const same = ({ label, size, filesystem }: { label: string; size: number; filesystem: string }) => ({
    label,
    size,
    filesystem,
  });
  expect((await disksOf(world, id)).map(same)).toEqual((await disksOf(world, first)).map(same));
  const [config] = await configsOf(world, id);
  const [disk] = await disksOf(world, id);
  expect(config).toMatchObject({ label: "My Debian 12 Profile", devices: { sda: { disk_id: disk?.id } } });
  const rejected = (body: Partial<api.InstanceCreate>) =>
    failure(empty(world, { type: "g6-nanode-1", backup_id: backup.backupId, ...body }));
  expect(await rejected({ region: "eu-central" })).toEqual([400, "region: The backup is kept in another region"]);
  expect((await rejected({ image: "compute/debian12", root_pass: "correct-Horse-7" }))[0]).toBe(400);
  expect(await rejected({ backup_id: 999_999 })).toEqual([
    400,
    "backup_id: There is no backup with this id, or none that the user may know of",
  ]);
});

test("a new instance has to have space for the backup", async () => {
  const world = await start();
  const { id } = await deploy(world, { type: "g6-standard-1" });
  const { id: backup_id } = await controls.createAutomaticBackup(world.controls, {
    path: { id },
    body: { type: "auto" },
  });
  await world.settle();
  expect(await failure(empty(world, { type: "g6-nanode-1", backup_id }))).toEqual([
    400,
    "type: The disks of the backup need more than the disk of the plan",
  ]);
  expect((await empty(world, { type: "g6-standard-1", backup_id, booted: false })).status).toBe("provisioning");
});
