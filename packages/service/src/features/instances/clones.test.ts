import * as api from "@cloud-compute/client";
import { describe, expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";
import { configsOf, deploy, disksOf, empty, put, readInstance, statusOf, readEvents } from "./instances.support.js";

function clone({ admin }: Pick<World, "admin">, computeId: number, body?: api.InstanceClone) {
  return api.cloneInstance(admin, { path: { computeId }, ...(body === undefined ? {} : { body }) });
}

const plain = ({ label, size, filesystem }: { label: string; size: number; filesystem: string }) => ({
  label,
  size,
  filesystem,
});

describe("to a new instance", () => {
  test("copies everything, and the new instance is offline afterwards", async () => {
    const world = await start();
    const source = await deploy(world, { label: "web-1", tags: ["a-tag"], group: "g" });
    const made = await clone(world, source.id);
    expect(made).toMatchObject({
      label: `compute${made.id}`,
      region: "us-east",
      type: "g6-standard-1",
      image: "compute/debian12",
      status: "provisioning",
      tags: ["a-tag"],
      group: "",
      ipv4: [expect.stringMatching(/^198\./)],
      backups: { enabled: false },
    });
    expect(made.id).not.toBe(source.id);
    expect(made.ipv4).not.toEqual(source.ipv4);
    expect(await statusOf(world, source.id)).toBe("cloning");
    expect((await readEvents(world, source.id)).at(-1)).toBe("compute_clone started");
    await world.settle();
    expect(await statusOf(world, source.id)).toBe("running");
    expect(await statusOf(world, made.id)).toBe("offline");
    expect((await readEvents(world, source.id)).at(-1)).toBe("compute_clone finished");
    const [root, swap] = await disksOf(world, made.id);
    expect((await disksOf(world, made.id)).map(plain)).toEqual((await disksOf(world, source.id)).map(plain));
    const [original] = await configsOf(world, source.id);
    const [copy, ...others] = await configsOf(world, made.id);
    expect(others).toEqual([]);
    expect(copy).toEqual({
      ...original,
      id: expect.any(Number),
      created: expect.any(String),
      updated: expect.any(String),
      devices: {
        ...original?.devices,
        sda: { disk_id: root?.id, volume_id: null },
        sdb: { disk_id: swap?.id, volume_id: null },
      },
    });
    expect(copy?.id).not.toBe(original?.id);
    await api.bootInstance(world.admin, { path: { computeId: made.id } });
  });

  test("accepts its own label, region, plan, group, private address and backups", async () => {
    const world = await start();
    const source = await deploy(world);
    const made = await clone(world, source.id, {
      label: "web-2",
      region: "eu-central",
      type: "g6-standard-2",
      group: "back",
      private_ip: true,
      backups_enabled: true,
    });
    expect(made).toMatchObject({
      label: "web-2",
      region: "eu-central",
      type: "g6-standard-2",
      group: "back",
      specs: { disk: 80 * 1024 },
      alerts: { cpu: 180 },
      ipv4: [expect.stringMatching(/^198\./), expect.stringMatching(/^192\.168\./)],
      backups: { enabled: true },
    });
  });

  test("null counts as absent", async () => {
    const world = await start();
    const source = await empty(world);
    const body = { compute_id: null, region: null, type: null, label: null, configs: null, disks: null };
    // @ts-expect-error: null is undocumented, but clients send it
    expect((await clone(world, source.id, body)).status).toBe("provisioning");
  });

  test("requires an existing region and an existing plan that is large enough", async () => {
    const world = await start();
    const source = await deploy(world);
    expect(await failure(clone(world, source.id, { type: "g6-nanode-1" }))).toEqual([
      400,
      "type: The disks to copy need more than the disk of the plan",
    ]);
    expect(await failure(clone(world, source.id, { region: "mars" }))).toEqual([
      400,
      "region: There is no region with this id",
    ]);
    expect(await failure(clone(world, source.id, { type: "huge" }))).toEqual([
      400,
      "type: There is no plan with this id",
    ]);
    expect((await failure(clone(world, source.id, { label: "a" })))[0]).toBe(400);
    expect(await statusOf(world, source.id)).toBe("running");
    // Without the large disk it fits.
    const [, swap] = await disksOf(world, source.id);
    const made = await clone(world, source.id, { type: "g6-nanode-1", configs: [], disks: [swap?.id ?? 0] });
    expect(await disksOf(world, made.id)).toHaveLength(1);
  });
});

test("configs are copied with their disks, and other disks on request", async () => {
  const world = await start();
  const { id } = await deploy(world);
  const path = { computeId: id };
  const [root, swap] = await disksOf(world, id);
  const second = await api.createInstanceConfig(world.admin, {
    path,
    body: { label: "second", devices: { sdb: { disk_id: swap?.id ?? 0 } } },
  });
  const copied = async (body: api.InstanceClone) => {
    const made = await clone(world, id, body);
    await world.settle();
    const configs = await configsOf(world, made.id);
    const disks = await disksOf(world, made.id);
    return [configs.map(({ label }) => label), disks.map(({ label }) => label)];
  };
  expect(await copied({})).toEqual([
    ["My Debian 12 Profile", "second"],
    ["Debian 12 Disk", "512 MB Swap Image"],
  ]);
  expect(await copied({ configs: [second.id] })).toEqual([["second"], ["512 MB Swap Image"]]);
  expect(await copied({ configs: [] })).toEqual([[], []]);
  expect(await copied({ configs: [], disks: [root?.id ?? 0] })).toEqual([[], ["Debian 12 Disk"]]);
  expect(await copied({ configs: [second.id], disks: [root?.id ?? 0] })).toEqual([
    ["second"],
    ["Debian 12 Disk", "512 MB Swap Image"],
  ]);
  const other = await deploy(world);
  const [theirs] = await configsOf(world, other.id);
  const [theirDisk] = await disksOf(world, other.id);
  expect(await failure(clone(world, id, { configs: [second.id, theirs?.id ?? 0] }))).toEqual([
    400,
    "configs.1: The source has no config with this id",
  ]);
  expect(await failure(clone(world, id, { disks: [theirDisk?.id ?? 0] }))).toEqual([
    400,
    "disks.0: The source has no disk with this id",
  ]);
});

describe("to an existing instance", () => {
  test("adds the copies to the existing disks, and takes the tags of the source", async () => {
    const world = await start();
    const source = await deploy(world, { type: "g6-nanode-1", tags: ["a-tag"] });
    const target = await deploy(world, { type: "g6-standard-2", swap_size: 0, tags: ["b-tag"], label: "mine" });
    expect(await failure(clone(world, source.id, { compute_id: target.id }))).toEqual([
      400,
      "compute_id: The disks to copy need more than the free space of the target",
    ]);
    const roomy = await empty(world, { tags: ["b-tag"], label: "mine" });
    const answer = await clone(world, source.id, { compute_id: roomy.id, label: "other", region: "eu-central" });
    expect(answer).toMatchObject({
      id: roomy.id,
      label: "mine",
      region: "us-east",
      status: "rebuilding",
      tags: ["a-tag"],
    });
    await world.settle();
    expect(await readInstance(world, roomy.id)).toMatchObject({ status: "offline", tags: ["a-tag"], ipv4: roomy.ipv4 });
    expect(await disksOf(world, roomy.id)).toHaveLength(2);
    expect(await configsOf(world, roomy.id)).toHaveLength(1);
  });

  test("returns to its previous state when the clone is done", async () => {
    const world = await start();
    const source = await empty(world);
    const target = await deploy(world);
    await clone(world, source.id, { compute_id: target.id });
    expect(await statusOf(world, target.id)).toBe("rebuilding");
    await world.settle();
    expect(await statusOf(world, target.id)).toBe("running");
    expect(await statusOf(world, source.id)).toBe("offline");
  });

  test.each(["booting", "provisioning", "migrating", "rebuilding", "cloning", "restoring", "stopped"] as const)(
    "a target that is %s is busy",
    async (status) => {
      const world = await start();
      const source = await empty(world);
      const target = await empty(world);
      await put(world, target.id, status);
      expect(await failure(clone(world, source.id, { compute_id: target.id }))).toEqual([
        400,
        "compute_id: The target is neither running nor offline",
      ]);
      expect(await statusOf(world, source.id)).toBe("offline");
    },
  );

  test("requires another instance, which has to exist", async () => {
    const world = await start();
    const { id } = await empty(world);
    expect(await failure(clone(world, id, { compute_id: id }))).toEqual([400, "compute_id: The target is the source"]);
    const reason = "compute_id: There is no instance with this id, or the caller may not know of it";
    expect(await failure(clone(world, id, { compute_id: 999_999 }))).toEqual([400, reason]);
    const eve = { admin: await world.user("eve", { account: "other" }) };
    const theirs = await api.createInstance(eve.admin, { body: { region: "us-east", type: "g6-nanode-1" } });
    expect(await failure(clone(world, id, { compute_id: theirs.id }))).toEqual([400, reason]);
    expect(await failure(clone(eve, id))).toEqual([404, "Not found"]);
  });
});

describe("of one source", () => {
  test("five run at once, and a sixth is rejected until one is done", async () => {
    const world = await start();
    const { id } = await empty(world);
    for (let many = 0; many < 5; many += 1) {
      await clone(world, id);
      await world.advance("PT10S");
    }
    expect(await failure(clone(world, id))).toEqual([400, "Five clones of the source are running"]);
    const other = await empty(world);
    await clone(world, other.id);
    expect(await statusOf(world, id)).toBe("cloning");
    await world.advance("PT10S");
    expect(await statusOf(world, id)).toBe("cloning");
    await clone(world, id);
    expect((await failure(clone(world, id)))[0]).toBe(400);
    await world.settle();
    expect(await statusOf(world, id)).toBe("offline");
  });

  test("exactly five of many concurrent requests are accepted", async () => {
    const world = await start();
    const { id } = await empty(world);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        clone(world, id).then(
          () => 200,
          (error: unknown) => (api.isApiError(error) ? error.status : 0),
        ),
      ),
    );
    expect(answers.toSorted((a, b) => a - b)).toEqual([...Array<number>(5).fill(200), ...Array<number>(7).fill(400)]);
    expect((await api.listInstances(world.admin)).results).toBe(6);
  });

  test.each(["booting", "rebooting", "shutting_down", "provisioning", "migrating", "rebuilding", "restoring"] as const)(
    "none starts while the source is %s",
    async (status) => {
      const world = await start();
      const { id } = await empty(world);
      await put(world, id, status);
      expect(await failure(clone(world, id))).toEqual([400, "Instance busy."]);
    },
  );

  test("none starts while the source is deployed or deleted, and a clone blocks its deletion", async () => {
    const world = await start();
    const { id } = await empty(world);
    await clone(world, id);
    expect(await failure(api.deleteInstance(world.admin, { path: { computeId: id } }))).toEqual([
      400,
      "Instance busy.",
    ]);
    expect(await failure(api.bootInstance(world.admin, { path: { computeId: id } }))).toEqual([400, "Instance busy."]);
    await world.settle();
    await api.deleteInstance(world.admin, { path: { computeId: id } });
    expect(await failure(clone(world, id))).toEqual([400, "Instance busy."]);
  });

  test("deleting the target ends the clone and releases the source", async () => {
    const world = await start();
    const source = await deploy(world);
    const made = await clone(world, source.id);
    await api.deleteInstance(world.admin, { path: { computeId: made.id } });
    expect(await statusOf(world, source.id)).toBe("running");
    expect((await readEvents(world, source.id)).at(-1)).toBe("compute_clone failed");
    await world.settle();
    expect((await failure(statusOf(world, made.id)))[0]).toBe(404);
  });

  test("a clone continues when the platform ends its own cloning state", async () => {
    const world = await start();
    const { id } = await deploy(world);
    await put(world, id, "cloning");
    await world.advance("PT30S");
    await clone(world, id);
    await world.advance("PT30S");
    expect(await statusOf(world, id)).toBe("cloning");
    await world.settle();
    expect(await statusOf(world, id)).toBe("running");
  });
});

describe("with a VLAN", () => {
  const interfaces = [{ purpose: "vlan", label: "backend" } as const];

  test("no clone goes to a region without VLANs", async () => {
    const world = await start();
    const source = await deploy(world, { type: "g6-nanode-1", interfaces });
    const [config] = await configsOf(world, source.id);
    expect(await failure(clone(world, source.id, { region: "us-west" }))).toEqual([
      400,
      "region: A config to copy has a VLAN, and the region of the new instance has none",
    ]);
    const target = await empty(world, { region: "us-west" });
    expect(await failure(clone(world, source.id, { compute_id: target.id }))).toEqual([
      400,
      "compute_id: A config to copy has a VLAN, and the region of the existing target has none",
    ]);
    expect(await statusOf(world, source.id)).toBe("running");
    expect(config?.interfaces).toEqual([{ purpose: "vlan", label: "backend", ipam_address: null }]);
    // The disks alone have no VLAN.
    await clone(world, source.id, { region: "us-west", configs: [] });
    await clone(world, source.id, { region: "eu-central" });
  });

  test("a region may lose its VLANs", async () => {
    const world = await start();
    const source = await deploy(world, { interfaces });
    await controls.setRegion(world.controls, { path: { id: "eu-central" }, body: { capabilities: ["Compute"] } });
    expect((await failure(clone(world, source.id, { region: "eu-central" })))[0]).toBe(400);
  });
});

test("needs add_computes, and read_write on the source and on an existing target", async () => {
  const world = await start();
  const source = await empty(world, { tags: ["a-tag"] });
  const target = await empty(world);
  const bob = { admin: await world.user("bob", { restricted: true }) };
  const grant = (add_computes: boolean, of: Record<number, "read_only" | "read_write">) =>
    controls.setGrants(world.controls, {
      path: { username: "bob" },
      body: {
        global: { add_computes },
        compute: Object.entries(of).map(([id, permissions]) => ({ id: Number(id), permissions })),
      },
    });
  await grant(false, { [source.id]: "read_write" });
  expect((await failure(clone(bob, source.id)))[0]).toBe(403);
  await grant(true, {});
  expect(await failure(clone(bob, source.id))).toEqual([404, "Not found"]);
  // The caller finds the source, and may not copy it.
  await grant(true, { [source.id]: "read_only", [target.id]: "read_write" });
  expect((await failure(clone(bob, source.id)))[0]).toBe(403);
  await grant(true, { [source.id]: "read_write", [target.id]: "read_only" });
  expect((await failure(clone(bob, source.id, { compute_id: target.id })))[0]).toBe(403);
  const made = await clone(bob, source.id);
  expect(made.tags).toEqual(["a-tag"]);
  expect((await api.updateInstance(bob.admin, { path: { computeId: made.id }, body: { label: "mine" } })).label).toBe(
    "mine",
  );
  await grant(true, { [source.id]: "read_write", [target.id]: "read_write" });
  expect((await clone(bob, source.id, { compute_id: target.id })).id).toBe(target.id);
});
