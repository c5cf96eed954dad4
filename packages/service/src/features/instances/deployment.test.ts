import * as api from "@cloud-compute/client";
import { describe, expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";
import { configsOf, deploy, deployment, disksOf, empty, password, statusOf } from "./instances.support.js";

function create({ admin }: World, body: Partial<api.InstanceCreate>): Promise<api.Instance> {
  return api.createInstance(admin, { body: { region: "us-east", type: "g6-standard-1", ...body } });
}

describe("from an image", () => {
  test("an instance gets a config with two disks, one of them 512 MB of swap", async () => {
    const world = await start();
    const { id } = await deploy(world);
    const [root, swap, ...others] = await disksOf(world, id);
    expect([root, swap, others]).toEqual([
      { id: expect.any(Number), label: "Debian 12 Disk", size: 50 * 1024 - 512, filesystem: "ext4" },
      { id: expect.any(Number), label: "512 MB Swap Image", size: 512, filesystem: "swap" },
      [],
    ]);
    const [config, ...more] = await configsOf(world, id);
    expect(more).toEqual([]);
    expect(config).toEqual({
      id: expect.any(Number),
      label: "My Debian 12 Profile",
      comments: null,
      devices: {
        sda: { disk_id: root?.id, volume_id: null },
        sdb: { disk_id: swap?.id, volume_id: null },
        sdc: null,
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
      created: expect.any(String),
      updated: expect.any(String),
    });
  });

  test.each([
    [256, [50 * 1024 - 256, 256]],
    [0, [50 * 1024]],
  ])("a swap_size of %i makes disks of %j", async (swap_size, sizes) => {
    const world = await start();
    const { id } = await deploy(world, { swap_size });
    expect((await disksOf(world, id)).map(({ size }) => size)).toEqual(sizes);
  });

  test("swap leaves space for the image, and is ignored without one", async () => {
    const world = await start();
    const swap_size = 50 * 1024;
    expect(await failure(create(world, { ...deployment, swap_size }))).toEqual([
      400,
      "swap_size: The swap disk leaves nothing of the disk of the plan",
    ]);
    expect((await failure(create(world, { ...deployment, swap_size: -1 })))[0]).toBe(400);
    expect((await create(world, { swap_size })).status).toBe("offline");
    expect((await create(world, { ...deployment, swap_size: swap_size - 1 })).status).toBe("provisioning");
  });

  test("starts by default", async () => {
    const world = await start();
    const { id, status } = await create(world, { ...deployment, booted: false });
    expect(status).toBe("provisioning");
    await world.settle();
    expect(await statusOf(world, id)).toBe("offline");
    expect((await deploy(world, { booted: true })).status).toBe("running");
  });

  test("requires a root password of 7 to 128 characters", async () => {
    const world = await start();
    const { root_pass: _, ...without } = deployment;
    expect(await failure(create(world, without))).toEqual([400, "root_pass: is required together with image"]);
    const rejected = async (root_pass: string) => (await failure(create(world, { ...deployment, root_pass })))[0];
    expect([await rejected("aB3-56"), await rejected("x".repeat(129))]).toEqual([400, 400]);
    for (const root_pass of ["aB3-567", "x".repeat(128)])
      expect((await create(world, { ...deployment, root_pass })).status).toBe("provisioning");
  });

  test("requires an existing image", async () => {
    const world = await start();
    for (const image of ["compute/none", "private/1"])
      expect(await failure(create(world, { ...deployment, image }))).toEqual([
        400,
        "image: There is no image with this id, or none that the user may know of",
      ]);
  });

  test("a private image has to be available, to fit, and to be readable for the caller", async () => {
    const world = await start();
    const source = await deploy(world);
    const [, swap] = await disksOf(world, source.id);
    const { id: image } = await api.createImage(world.admin, { body: { disk_id: swap?.id ?? 0, label: "swap" } });
    expect(await failure(create(world, { ...deployment, image }))).toEqual([
      400,
      "image: The image is still being created or waits for its data",
    ]);
    await world.settle();
    const made = await deploy(world, { image, swap_size: 0 });
    expect(made.image).toBe(image);
    // The disk has the filesystem of the image.
    expect(await disksOf(world, made.id)).toMatchObject([{ label: "swap Disk", size: 50 * 1024, filesystem: "swap" }]);
    const [disk] = await disksOf(world, source.id);
    const { id: large } = await api.createImage(world.admin, { body: { disk_id: disk?.id ?? 0 } });
    await world.settle();
    expect(await failure(create(world, { ...deployment, image: large, type: "g6-nanode-1" }))).toEqual([
      400,
      "type: The image needs a larger disk than the plan has",
    ]);
    const bob = { ...world, admin: await world.user("bob", { restricted: true }) };
    const grant = (permissions: "read_only" | null) =>
      controls.setGrants(world.controls, {
        path: { username: "bob" },
        body: {
          global: { add_computes: true },
          image: [{ id: Number(image.replace("private/", "")), permissions }],
        },
      });
    const eve = { ...world, admin: await world.user("eve", { account: "other" }) };
    const none = [400, "image: There is no image with this id, or none that the user may know of"];
    await grant(null);
    expect(await failure(create(bob, { ...deployment, image }))).toEqual(none);
    expect(await failure(create(eve, { ...deployment, image }))).toEqual(none);
    await grant("read_only");
    expect((await create(bob, { ...deployment, image })).status).toBe("provisioning");
  });

  test("its interfaces become those of the config, and VLANs require a region that supports them", async () => {
    const world = await start();
    const vlan = { purpose: "vlan", label: "backend", ipam_address: "10.0.0.1/24" } as const;
    const { id } = await deploy(world, { interfaces: [{ purpose: "public", label: "x", ipam_address: "" }, vlan] });
    expect((await configsOf(world, id))[0]?.interfaces).toEqual([
      { purpose: "public", label: null, ipam_address: null },
      vlan,
    ]);
    expect(await failure(create(world, { ...deployment, region: "us-west", interfaces: [vlan] }))).toEqual([
      400,
      "region: An interface is a VLAN, and the region has none",
    ]);
    const many = [vlan, { ...vlan, label: "b" }, { ...vlan, label: "c" }];
    await deploy(world, { interfaces: many });
    expect((await failure(deploy(world, { interfaces: [...many, { ...vlan, label: "d" }] })))[0]).toBe(400);
  });

  test("users whose keys are installed have to exist and to have keys", async () => {
    const world = await start();
    expect(await failure(create(world, { ...deployment, authorized_users: ["missing"] }))).toEqual([
      400,
      "authorized_users.0: There is no user of the account with this name",
    ]);
    await world.user("eve", { account: "other" });
    expect((await failure(create(world, { ...deployment, authorized_users: ["eve"] })))[0]).toBe(400);
    expect(await failure(create(world, { ...deployment, authorized_users: ["admin"] }))).toEqual([
      400,
      "authorized_users.0: The user has no SSH key on its profile",
    ]);
    const ssh_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGyKsOOr8vR4yQ1PJZ5JSDtTbSVSw0nVIGO0VZwGmVUm me";
    await api.createSSHKey(world.admin, { body: { label: "mine", ssh_key } });
    expect((await create(world, { ...deployment, authorized_users: ["admin"] })).status).toBe("provisioning");
    const keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDzH0vZ0 someone"];
    expect((await create(world, { ...deployment, authorized_keys: keys })).status).toBe("provisioning");
  });
});

describe("from a StackScript", () => {
  const fields = [{ name: "domain" }, { name: "color", default: "blue" }];

  async function script({ controls: client }: World): Promise<number> {
    const { id } = await controls.createStackScript(client, {
      body: { label: "web", images: ["compute/debian12"], user_defined_fields: fields },
    });
    return id;
  }

  test("an instance requires the script's data, a compatible image and a root password", async () => {
    const world = await start();
    const stackscript_id = await script(world);
    const given = { ...deployment, stackscript_id, stackscript_data: { domain: "example.com" } };
    const { id } = await deploy(world, given);
    expect(await disksOf(world, id)).toHaveLength(2);
    const { stackscript_data: _, ...without } = given;
    const missing = [400, "stackscript_data: The StackScript asks for something that the data does not answer"];
    expect(await failure(create(world, without))).toEqual(missing);
    expect(await failure(create(world, { ...given, stackscript_data: { color: "red" } }))).toEqual(missing);
    expect(await failure(create(world, { ...given, image: "compute/debian11" }))).toEqual([
      400,
      "image: The StackScript does not list the image",
    ]);
    expect(await failure(create(world, { stackscript_id }))).toEqual([
      400,
      "image: is required together with stackscript_id",
      "root_pass: is required together with stackscript_id",
    ]);
  });

  test("a script without fields needs no data", async () => {
    const world = await start();
    const { id: stackscript_id } = await controls.createStackScript(world.controls, {
      body: { label: "plain", images: ["compute/debian12"] },
    });
    expect((await deploy(world, { stackscript_id })).status).toBe("running");
  });

  test("a script is visible only to its account", async () => {
    const world = await start();
    const eve = { admin: await world.user("eve", { account: "other" }) };
    const { id: stackscript_id } = await controls.createStackScript(world.controls, {
      body: { label: "theirs", images: ["compute/debian12"], account: "other" },
    });
    const given = { ...deployment, stackscript_id };
    expect((await create({ ...world, ...eve }, given)).status).toBe("provisioning");
    expect(await failure(create(world, given))).toEqual([
      400,
      "stackscript_id: There is no StackScript with this id, or it has been deleted",
    ]);
  });

  test("its data may have 65535 characters", async () => {
    const world = await start();
    const stackscript_id = await script(world);
    const data = (length: number) => ({ domain: "x".repeat(length - '{"domain":""}'.length) });
    const given = { ...deployment, stackscript_id };
    expect((await create(world, { ...given, stackscript_data: data(65_535) })).status).toBe("provisioning");
    expect(await failure(create(world, { ...given, stackscript_data: data(65_536) }))).toEqual([
      400,
      "stackscript_data: must be at most 65535 characters as JSON",
    ]);
  });

  test("a deleted one cannot be used", async () => {
    const world = await start();
    const stackscript_id = await script(world);
    await controls.deleteStackScript(world.controls, { path: { id: stackscript_id } });
    expect(await failure(create(world, { ...deployment, stackscript_id }))).toEqual([
      400,
      "stackscript_id: There is no StackScript with this id, or it has been deleted",
    ]);
  });
});

test("without an image a root password is neither used nor required", async () => {
  const world = await start();
  expect((await empty(world, { root_pass: password })).status).toBe("offline");
});
