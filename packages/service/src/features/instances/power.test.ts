import * as api from "@cloud-compute/client";
import { describe, expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";
import { configsOf, deploy, deployment, empty, put, statusOf, readEvents } from "./instances.support.js";

async function boot({ admin }: Pick<World, "admin">, computeId: number, config_id?: number): Promise<void> {
  const body = config_id === undefined ? {} : { body: { config_id } };
  expect(await api.bootInstance(admin, { path: { computeId }, ...body })).toEqual({});
}

async function addConfig({ admin }: World, computeId: number, label: string): Promise<number> {
  return (await api.createInstanceConfig(admin, { path: { computeId }, body: { label, devices: {} } })).id;
}

/** Shuts a running instance down, without a loss of power. */
async function shutDown(world: World, id: number): Promise<void> {
  await put(world, id, "shutting_down");
  await world.settle();
  expect(await statusOf(world, id)).toBe("offline");
}

const noneChosen = [400, "There are several configs, and none of them was last booted"];

describe("booting", () => {
  test("an instance is booting and then running", async () => {
    const world = await start();
    const { id } = await deploy(world, { booted: false });
    await boot(world, id);
    expect(await statusOf(world, id)).toBe("booting");
    expect(await readEvents(world, id)).toEqual(["compute_create finished", "compute_boot started"]);
    await world.settle();
    expect(await statusOf(world, id)).toBe("running");
    expect(await readEvents(world, id)).toEqual(["compute_create finished", "compute_boot finished"]);
  });

  test.each([
    "running",
    "booting",
    "rebooting",
    "shutting_down",
    "provisioning",
    "migrating",
    "rebuilding",
    "cloning",
    "restoring",
    "stopped",
    "suspended",
  ] as const)("one that is %s is rejected", async (status) => {
    const world = await start();
    const { id } = await deploy(world);
    await put(world, id, status);
    expect(await failure(boot(world, id))).toEqual([400, "Instance busy."]);
  });

  test("one without a config is rejected, and the only config is the default", async () => {
    const world = await start();
    const { id } = await empty(world);
    expect(await failure(boot(world, id))).toEqual([400, "The instance has no config"]);
    await addConfig(world, id, "only");
    await boot(world, id);
  });

  test("the default of several configs is the last booted one, and is required without one", async () => {
    const world = await start();
    const { id } = await empty(world);
    const first = await addConfig(world, id, "first");
    await addConfig(world, id, "second");
    expect(await failure(boot(world, id))).toEqual(noneChosen);
    expect(await statusOf(world, id)).toBe("offline");
    await boot(world, id, first);
    await world.settle();
    await shutDown(world, id);
    await boot(world, id);
  });

  test("a config that the platform booted counts as last booted", async () => {
    const world = await start();
    const { id } = await deploy(world);
    await addConfig(world, id, "second");
    await shutDown(world, id);
    await boot(world, id);
  });

  test("one that was deployed and not started has no last booted config", async () => {
    const world = await start();
    const { id } = await deploy(world, { booted: false });
    await addConfig(world, id, "second");
    expect(await failure(boot(world, id))).toEqual(noneChosen);
  });

  test("the only config counts as last booted when others follow", async () => {
    const world = await start();
    const { id } = await deploy(world, { booted: false });
    await boot(world, id);
    await world.settle();
    await addConfig(world, id, "second");
    await shutDown(world, id);
    await boot(world, id);
  });

  test("the config is required after the last booted one was deleted", async () => {
    const world = await start();
    const { id } = await deploy(world);
    await addConfig(world, id, "second");
    const { id: backupId } = await api.createInstanceSnapshot(world.admin, {
      path: { computeId: id },
      body: { label: "both" },
    });
    await world.settle();
    await api.restoreInstanceBackup(world.admin, {
      path: { computeId: id, backupId },
      body: { compute_id: id, overwrite: true },
    });
    await world.settle();
    expect(await failure(boot(world, id))).toEqual(noneChosen);
    await boot(world, id, (await configsOf(world, id))[1]?.id);
  });

  test("a config of another instance and an unknown config are not found", async () => {
    const world = await start();
    const { id } = await deploy(world, { booted: false });
    const other = await deploy(world);
    const [theirs] = await configsOf(world, other.id);
    const reason = "config_id: This instance has no config with this id";
    expect(await failure(boot(world, id, theirs?.id))).toEqual([400, reason]);
    expect(await failure(boot(world, id, 999_999))).toEqual([400, reason]);
  });

  test("requires read_write, and an instance of the account", async () => {
    const world = await start();
    const { id } = await deploy(world, { booted: false });
    const eve = { admin: await world.user("eve", { account: "other" }) };
    expect(await failure(boot(eve, id))).toEqual([404, "Not found"]);
    const bob = { admin: await world.user("bob", { restricted: true }) };
    expect(await failure(boot(bob, id))).toEqual([404, "Not found"]);
    const body = { compute: [{ id, permissions: "read_only" as const }] };
    await controls.setGrants(world.controls, { path: { username: "bob" }, body });
    expect((await failure(boot(bob, id)))[0]).toBe(403);
    expect(await statusOf(world, id)).toBe("offline");
    const reader = { admin: await world.user("ann", { scopes: "computes:read_only" }) };
    expect((await failure(boot(reader, id)))[0]).toBe(401);
  });
});

describe("a state that the platform causes", () => {
  test.each([
    ["booting", "running"],
    ["rebooting", "running"],
    ["shutting_down", "offline"],
    ["provisioning", "running"],
    ["rebuilding", "running"],
    ["migrating", "running"],
    ["cloning", "running"],
    ["restoring", "offline"],
  ] as const)("%s lasts a while and goes from running to %s", async (status, then) => {
    const world = await start(["--pace", "0"]);
    const { id } = await api.createInstance(world.admin, { body: deployment });
    await world.settle();
    expect(await put(world, id, status)).toBe(status);
    expect(await statusOf(world, id)).toBe(status);
    await world.settle();
    expect(await statusOf(world, id)).toBe(then);
  });

  test.each(["migrating", "cloning"] as const)("%s goes back to offline from there", async (status) => {
    const world = await start();
    const { id } = await empty(world);
    await put(world, id, status);
    await world.settle();
    expect(await statusOf(world, id)).toBe("offline");
  });

  test("deleting ends with the removal of the instance", async () => {
    const world = await start();
    const { id } = await empty(world);
    expect(await put(world, id, "deleting")).toBe("deleting");
    await world.settle();
    expect((await failure(statusOf(world, id)))[0]).toBe(404);
  });

  test("maintenance and a suspension read as stopped, and last", async () => {
    const world = await start();
    const { id } = await deploy(world);
    for (const status of ["stopped", "suspended"] as const) {
      expect(await put(world, id, status)).toBe("stopped");
      expect(await world.settle()).toBe(0);
      expect(await statusOf(world, id)).toBe("stopped");
    }
    expect(await put(world, id, "running")).toBe("running");
  });

  test("ends a running operation", async () => {
    const world = await start();
    const { id } = await deploy(world, { booted: false });
    await boot(world, id);
    await put(world, id, "stopped");
    await world.settle();
    expect(await statusOf(world, id)).toBe("stopped");
    expect(await readEvents(world, id)).toEqual(["compute_create finished", "compute_boot failed"]);
  });
});

describe("the watchdog", () => {
  /** Takes the power away. Returns the final status of the instance. */
  async function powerLoss(world: World, id: number): Promise<string> {
    expect(await put(world, id, "offline")).toBe("offline");
    await world.settle();
    return statusOf(world, id);
  }

  test("boots an instance that powers off without a request", async () => {
    const world = await start();
    const { id } = await deploy(world);
    await put(world, id, "offline");
    await world.advance("PT5S");
    expect(await statusOf(world, id)).toBe("booting");
    expect((await readEvents(world, id)).at(-1)).toBe("compute_boot started");
    await world.settle();
    expect(await statusOf(world, id)).toBe("running");
    expect((await readEvents(world, id)).at(-1)).toBe("compute_boot finished");
  });

  test("ignores an instance that was shut down, and one with a disabled watchdog", async () => {
    const world = await start();
    const { id } = await deploy(world);
    await shutDown(world, id);
    expect(await world.settle()).toBe(0);
    await boot(world, id);
    await world.settle();
    await api.updateInstance(world.admin, { path: { computeId: id }, body: { watchdog_enabled: false } });
    expect(await powerLoss(world, id)).toBe("offline");
  });

  test("does nothing if it is disabled before it acts, or if a user boots the instance first", async () => {
    const world = await start();
    const { id } = await deploy(world);
    await put(world, id, "offline");
    await api.updateInstance(world.admin, { path: { computeId: id }, body: { watchdog_enabled: false } });
    await world.settle();
    expect(await statusOf(world, id)).toBe("offline");
    await api.updateInstance(world.admin, { path: { computeId: id }, body: { watchdog_enabled: true } });
    await boot(world, id);
    await world.settle();
    await put(world, id, "offline");
    await boot(world, id);
    await world.settle();
    expect(await statusOf(world, id)).toBe("running");
    expect((await readEvents(world, id)).filter((each) => each.startsWith("compute_boot"))).toHaveLength(2);
  });

  test("boots an instance that loses its power during a boot, or twice before one", async () => {
    const world = await start();
    const { id } = await deploy(world, { booted: false });
    await boot(world, id);
    expect(await powerLoss(world, id)).toBe("running");
    await put(world, id, "offline");
    await put(world, id, "offline");
    await world.settle();
    expect(await statusOf(world, id)).toBe("running");
  });

  test("stops after five boots within 15 minutes, and acts again after these", async () => {
    const world = await start();
    const { id } = await deploy(world);
    for (let many = 0; many < 5; many += 1) {
      expect(await powerLoss(world, id)).toBe("running");
      await world.advance("PT1M");
    }
    expect(await powerLoss(world, id)).toBe("offline");
    // Boots by users do not count, and do not activate it again.
    await boot(world, id);
    await world.settle();
    expect(await powerLoss(world, id)).toBe("offline");
    await boot(world, id);
    await world.settle();
    await world.advance("PT10M");
    expect(await powerLoss(world, id)).toBe("running");
  });
});
