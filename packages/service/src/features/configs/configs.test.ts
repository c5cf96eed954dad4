import * as api from "@cloud-compute/client";
import { describe, expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";
import { deploy, disksOf, empty, put, readEvents } from "../instances/instances.support.js";

function add({ admin }: Pick<World, "admin">, computeId: number, body: Partial<api.ConfigCreate> = {}) {
  return api.createInstanceConfig(admin, { path: { computeId }, body: { label: "mine", devices: {}, ...body } });
}

function volume({ controls: client }: World, label: string, account?: string): Promise<{ readonly id: number }> {
  return controls.createVolume(client, {
    body: { label, size: 10, region: "us-east", ...(account === undefined ? {} : { account }) },
  });
}

describe("a new config", () => {
  test("is returned completely, with the platform's defaults", async () => {
    const world = await start();
    const { id } = await deploy(world);
    const [root] = await disksOf(world, id);
    const { id: volume_id } = await volume(world, "data");
    const devices = { sda: { disk_id: root?.id ?? 0 }, sdc: { volume_id }, sdd: null, sde: {} };
    const made = await add(world, id, { label: "second", devices });
    expect(made).toEqual({
      id: made.id,
      label: "second",
      comments: null,
      devices: {
        sda: { disk_id: root?.id, volume_id: null },
        sdb: null,
        sdc: { disk_id: null, volume_id },
        sdd: null,
        sde: null,
        sdf: null,
        sdg: null,
        sdh: null,
      },
      helpers: { devtmpfs_automount: true, distro: true, modules_dep: true, network: true, updatedb_disabled: true },
      interfaces: [],
      kernel: "compute/latest-64bit",
      memory_limit: 2048,
      root_device: "/dev/sda",
      run_level: "default",
      virt_mode: "paravirt",
      initrd: null,
      created: expect.stringMatching(/Z$/),
      updated: made.created,
    });
    expect((await readEvents(world, id)).at(-1)).toBe("compute_config_create notification");
  });

  test("has the requested values", async () => {
    const world = await start();
    const { id } = await empty(world);
    const asked = {
      comments: "some words",
      helpers: { devtmpfs_automount: false, distro: true, modules_dep: false, network: true, updatedb_disabled: false },
      kernel: "compute/grub2",
      memory_limit: 0,
      root_device: "/dev/sdb",
      run_level: "single",
      virt_mode: "fullvirt",
    } as const;
    expect(await add(world, id, asked)).toMatchObject(asked);
    expect((await add(world, id, { helpers: { distro: false } })).helpers).toEqual({
      devtmpfs_automount: true,
      distro: false,
      modules_dep: true,
      network: true,
      updatedb_disabled: true,
    });
    for (const run_level of ["default", "single", "bin", "binbash"] as const)
      expect((await add(world, id, { run_level })).run_level).toBe(run_level);
  });

  test("accepts null for absent fields", async () => {
    const world = await start();
    const { id } = await empty(world);
    const nothing = { kernel: null, comments: null, interfaces: null, helpers: null, memory_limit: null };
    // @ts-expect-error: null is undocumented, but clients send it
    expect(await add(world, id, nothing)).toMatchObject({ kernel: "compute/latest-64bit", comments: null });
  });

  test("has a label of 1 to 48 characters, and devices", async () => {
    const world = await start();
    const { id } = await empty(world);
    await add(world, id, { label: "x" });
    await add(world, id, { label: "x".repeat(48) });
    expect((await failure(add(world, id, { label: "" })))[0]).toBe(400);
    expect((await failure(add(world, id, { label: "x".repeat(49) })))[0]).toBe(400);
    // @ts-expect-error: required fields are missing
    expect(await failure(api.createInstanceConfig(world.admin, { path: { computeId: id }, body: {} }))).toEqual([
      400,
      "label: is required",
      "devices: is required",
    ]);
  });

  test("can be added in any state of the instance, and does not change that", async () => {
    const world = await start();
    const { id } = await empty(world);
    for (const status of ["running", "cloning", "restoring", "stopped"] as const) {
      await put(world, id, status);
      expect((await add(world, id)).id).toBeGreaterThan(0);
    }
  });
});

describe("a reference of a config", () => {
  test("has to exist within the instance", async () => {
    const world = await start();
    const { id } = await deploy(world);
    const other = await deploy(world);
    const [theirs] = await disksOf(world, other.id);
    const noDisk = "This instance has no disk with this id";
    expect(await failure(add(world, id, { devices: { sda: { disk_id: theirs?.id ?? 0 } } }))).toEqual([
      400,
      `devices.sda.disk_id: ${noDisk}`,
    ]);
    const noVolume = "There is no volume with this id, or the caller may not know of it";
    await world.user("eve", { account: "other" });
    const { id: volume_id } = await volume(world, "theirs", "other");
    expect(await failure(add(world, id, { devices: { sdb: { volume_id } } }))).toEqual([
      400,
      `devices.sdb.volume_id: ${noVolume}`,
    ]);
    expect(await failure(add(world, id, { kernel: "compute/none" }))).toEqual([
      400,
      "kernel: There is no kernel with this id",
    ]);
  });

  test("is one object per slot, and with fullvirt only in sda to sdd", async () => {
    const world = await start();
    const { id } = await deploy(world);
    const [root] = await disksOf(world, id);
    const { id: volume_id } = await volume(world, "data");
    const disk_id = root?.id ?? 0;
    expect((await failure(add(world, id, { devices: { sda: { disk_id, volume_id } } })))[0]).toBe(400);
    await add(world, id, { virt_mode: "fullvirt", devices: { sdd: { disk_id }, sde: null } });
    expect((await failure(add(world, id, { virt_mode: "fullvirt", devices: { sde: { disk_id } } })))[0]).toBe(400);
    await add(world, id, { devices: { sdh: { disk_id } } });
    const devices = { sdi: { disk_id } } as api.ConfigDevicesCreate;
    expect((await failure(add(world, id, { devices })))[0]).toBe(400);
  });
});

describe("interfaces", () => {
  const vlan = { purpose: "vlan", label: "backend", ipam_address: "10.0.0.1/24" } as const;

  test("keep their order, and a public one has neither a label nor an address", async () => {
    const world = await start();
    const { id } = await empty(world);
    const sent = [vlan, { purpose: "public", label: "x", ipam_address: "" } as const, { ...vlan, label: "b-2" }];
    expect((await add(world, id, { interfaces: sent })).interfaces).toEqual([
      vlan,
      { purpose: "public", label: null, ipam_address: null },
      { ...vlan, label: "b-2" },
    ]);
    expect(
      (await add(world, id, { interfaces: [{ purpose: "vlan", label: "x", ipam_address: "" }] })).interfaces,
    ).toEqual([{ purpose: "vlan", label: "x", ipam_address: null }]);
    expect((await add(world, id, { interfaces: [] })).interfaces).toEqual([]);
  });

  test("are at most three, with one public one, and a VLAN has a name", async () => {
    const world = await start();
    const { id } = await empty(world);
    const rejected = async (...interfaces: api.ConfigInterface[]) => (await failure(add(world, id, { interfaces })))[0];
    expect(await rejected(vlan, vlan, vlan, vlan)).toBe(400);
    expect(await rejected({ purpose: "public" }, { purpose: "public" })).toBe(400);
    expect(await rejected({ purpose: "vlan" })).toBe(400);
    expect(await rejected({ purpose: "vlan", label: "" })).toBe(400);
    expect(await rejected({ purpose: "vlan", label: "Big" })).toBe(400);
    expect(await rejected({ ...vlan, ipam_address: "10.0.0.1" })).toBe(400);
  });

  test("with a VLAN require a region that supports them", async () => {
    const world = await start();
    const { id } = await empty(world, { region: "us-west" });
    expect(await failure(add(world, id, { interfaces: [vlan] }))).toEqual([
      400,
      "interfaces: The region of the instance has no VLANs",
    ]);
    await add(world, id, { interfaces: [{ purpose: "public" }] });
    await controls.setRegion(world.controls, { path: { id: "us-west" }, body: { capabilities: ["Vlans"] } });
    await add(world, id, { interfaces: [vlan] });
  });
});

describe("the list", () => {
  test("has pages, and is filtered by label", async () => {
    const world = await start();
    const { id } = await empty(world);
    const made: api.Config[] = [];
    for (let many = 0; many < 26; many += 1) made.push(await add(world, id, { label: `config ${many}` }));
    const list = (query: { page?: number; page_size?: number }, filter?: api.ListInstanceConfigsFilter) =>
      api.listInstanceConfigs(world.admin, {
        path: { computeId: id },
        query,
        ...(filter === undefined ? {} : { headers: { "X-Filter": filter } }),
      });
    expect(await list({})).toEqual({ data: made, page: 1, pages: 1, results: 26 });
    expect(await list({ page: 2, page_size: 25 })).toEqual({ data: made.slice(25), page: 2, pages: 2, results: 26 });
    expect((await list({}, { label: "config 7" })).data).toEqual([made[7]]);
    expect((await list({}, { label: { "+contains": "g 2" } })).results).toBe(7);
    // @ts-expect-error -- the list has no such filter
    expect(await failure(list({}, { kernel: "compute/grub2" }))).toEqual([400, "X-Filter: Cannot filter on kernel"]);
    const other = await empty(world);
    expect((await api.listInstanceConfigs(world.admin, { path: { computeId: other.id } })).data).toEqual([]);
  });

  test("requires read_only, and a new config read_write, on its volumes too", async () => {
    const world = await start();
    const { id } = await empty(world);
    const { id: volume_id } = await volume(world, "data");
    const bob = { admin: await world.user("bob", { restricted: true }) };
    const path = { computeId: id };
    const grant = (permissions: "read_only" | "read_write", ofVolume?: "read_only" | "read_write") =>
      controls.setGrants(world.controls, {
        path: { username: "bob" },
        body: {
          compute: [{ id, permissions }],
          volume: ofVolume === undefined ? [] : [{ id: volume_id, permissions: ofVolume }],
        },
      });
    expect(await failure(api.listInstanceConfigs(bob.admin, { path }))).toEqual([404, "Not found"]);
    await grant("read_only");
    expect((await api.listInstanceConfigs(bob.admin, { path })).results).toBe(0);
    expect((await failure(add(bob, id)))[0]).toBe(403);
    await grant("read_write");
    await add(bob, id);
    const devices = { sda: { volume_id } };
    expect((await failure(add(bob, id, { devices })))[0]).toBe(400);
    await grant("read_write", "read_only");
    expect((await failure(add(bob, id, { devices })))[0]).toBe(403);
    await grant("read_write", "read_write");
    await add(bob, id, { devices });
  });
});
