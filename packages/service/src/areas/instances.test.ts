import * as api from "@cloud-compute/client";
import * as controls from "@cloud-compute/controls-client";
import { describe, expect, test } from "vitest";
import { failure, start } from "../testing.support.js";
import { configsOf, deploy, deployment, disksOf, empty, password, put, shown, told } from "./instances.support.js";

describe("a new instance", () => {
  test("is shown whole, with what its plan gives it", async () => {
    const world = await start();
    const made = await api.createInstance(world.admin, {
      body: { ...deployment, type: "g6-standard-4", label: "web-1", group: "front", tags: ["production"] },
    });
    const { id } = made;
    expect(made).toEqual({
      id,
      label: "web-1",
      region: "us-east",
      type: "g6-standard-4",
      image: "compute/debian12",
      group: "front",
      tags: ["production"],
      ipv4: [expect.stringMatching(/^198\.1[89]\.\d+\.\d+$/)],
      ipv6: expect.stringMatching(/^2001:db8:[0-9a-f:]+\/128$/),
      status: "provisioning",
      hypervisor: "kvm",
      host_uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated: made.created,
      watchdog_enabled: true,
      specs: { disk: 160 * 1024, memory: 8192, transfer: 5000, vcpus: 4, gpus: 0 },
      alerts: { cpu: 360, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
      backups: {
        available: false,
        enabled: false,
        last_successful: null,
        schedule: { day: null, window: null },
      },
    });
    expect(await told(world, id)).toEqual(["compute_create started"]);
    await world.settle();
    expect(await shown(world, id)).toEqual({ ...made, status: "running", updated: expect.any(String) });
    expect(await told(world, id)).toEqual(["compute_create finished"]);
  });

  test.each([
    ["g6-nanode-1", 25, 1, 1],
    ["g6-standard-1", 50, 2, 1],
    ["g6-standard-2", 80, 4, 2],
    ["g6-standard-4", 160, 8, 4],
    ["g6-standard-6", 320, 16, 6],
    ["g6-dedicated-2", 80, 4, 2],
  ])("of type %s has %i GB of disk, %i GB of memory and %i vCPUs", async (type, disk, memory, vcpus) => {
    const world = await start();
    const { specs, alerts } = await empty(world, { type });
    expect(specs).toMatchObject({ disk: disk * 1024, memory: memory * 1024, vcpus });
    expect(alerts.cpu).toBe(90 * vcpus);
  });

  test("made from nothing is offline, and stays so, with neither disks nor configs", async () => {
    const world = await start();
    const { id, status, image, group, tags } = await empty(world);
    expect({ status, image, group, tags }).toEqual({ status: "offline", image: null, group: "", tags: [] });
    expect(await world.settle()).toBe(0);
    expect((await shown(world, id)).status).toBe("offline");
    expect([await disksOf(world, id), await configsOf(world, id)]).toEqual([[], []]);
    expect(await told(world, id)).toEqual(["compute_create finished"]);
  });

  test("gets a label when none is given, which keeps the rules", async () => {
    const world = await start();
    const first = await empty(world);
    const second = await empty(world);
    expect([first.label, second.label]).toEqual([`compute${first.id}`, `compute${second.id}`]);
  });

  test.each(["abc", "a".repeat(64), "1.a_b-c", "a-_b", "0-0"])("may be called %s", async (label) => {
    const world = await start();
    expect((await empty(world, { label })).label).toBe(label);
  });

  test.each(["ab", "a".repeat(65), "-abc", "abc-", "_abc", "abc.", "a--b", "a__b", "a..b", "a b", "äbc", "ab/c"])(
    "may not be called %s",
    async (label) => {
      const world = await start();
      const [status, reason] = await failure(empty(world, { label }));
      expect([status, reason?.slice(0, 6)]).toEqual([400, "label:"]);
    },
  );

  test("may be called like another", async () => {
    const world = await start();
    expect((await empty(world, { label: "same" })).id).not.toBe((await empty(world, { label: "same" })).id);
  });

  test("needs a region and a type that there are", async () => {
    const world = await start();
    expect(await failure(empty(world, { region: "mars" }))).toEqual([400, "region: There is no region with this id"]);
    expect(await failure(empty(world, { type: "huge" }))).toEqual([400, "type: There is no plan with this id"]);
    // @ts-expect-error: nothing that is required, which is what is tested
    expect(await failure(api.createInstance(world.admin, { body: {} }))).toEqual([
      400,
      "region: is required",
      "type: is required",
    ]);
  });

  test("may be sent null for whatever is not given", async () => {
    const world = await start();
    const nothing = { label: null, image: null, root_pass: null, backup_id: null, tags: null, booted: null };
    const body = { region: "us-east", type: "g6-nanode-1", ...nothing };
    // @ts-expect-error: clients do, although nothing is described as nullable
    expect((await api.createInstance(world.admin, { body })).status).toBe("offline");
  });
});

test("creating needs add_computes, and tags an unrestricted user; the creator may then change it", async () => {
  const world = await start();
  const bob = await world.user("bob", { restricted: true });
  const body = { region: "us-east", type: "g6-nanode-1" };
  expect((await failure(api.createInstance(bob, { body })))[0]).toBe(403);
  const grants = { global: { add_computes: true } };
  await controls.setGrants(world.controls, { path: { username: "bob" }, body: grants });
  expect((await failure(api.createInstance(bob, { body: { ...body, tags: ["new"] } })))[0]).toBe(403);
  const { id } = await api.createInstance(bob, { body: { ...body, tags: [] } });
  await empty(world);
  expect((await api.listInstances(bob)).data.map((each) => each.id)).toEqual([id]);
  expect((await api.updateInstance(bob, { path: { computeId: id }, body: { label: "mine" } })).label).toBe("mine");
});

test("a user may send 10 requests to create within 30 seconds, others are not held up", async () => {
  const world = await start();
  const bad = { body: { region: "mars", type: "g6-nanode-1" } };
  for (let many = 0; many < 5; many += 1) {
    await empty(world);
    expect((await failure(api.createInstance(world.admin, bad)))[0]).toBe(400);
  }
  expect((await failure(empty(world)))[0]).toBe(429);
  const ann = await world.user("ann");
  expect((await api.createInstance(ann, { body: { region: "us-east", type: "g6-nanode-1" } })).status).toBe("offline");
  await world.advance("PT25S");
  expect((await failure(empty(world)))[0]).toBe(429);
  await world.advance("PT5S");
  expect((await empty(world)).status).toBe("offline");
});

describe("updating", () => {
  test("changes what is sent, and within objects too", async () => {
    const world = await start();
    const before = await empty(world, { label: "old", tags: ["a-tag"] });
    const path = { computeId: before.id };
    await controls.createVolume(world.controls, {
      body: { label: "data", size: 10, region: "us-east", compute_id: before.id },
    });
    await world.advance("PT5S");
    const changed = await api.updateInstance(world.admin, {
      path,
      body: { label: "new", group: "back", tags: ["b-tag"], alerts: { cpu: 0, io: 5 }, watchdog_enabled: false },
    });
    expect(changed).toEqual({
      ...before,
      label: "new",
      group: "back",
      tags: ["b-tag"],
      watchdog_enabled: false,
      alerts: { ...before.alerts, cpu: 0, io: 5 },
      updated: expect.any(String),
    });
    expect(changed.updated > before.updated).toBe(true);
    expect(await shown(world, before.id)).toEqual(changed);
    expect(await told(world, before.id)).toEqual(["compute_create finished", "compute_update notification"]);
  });

  test("with what was read succeeds and changes nothing, whatever its status", async () => {
    const world = await start();
    const made = await deploy(world, { tags: ["a-tag"] });
    await world.advance("PT5S");
    const path = { computeId: made.id };
    // What was read has more than can be changed, as clients send it.
    expect(await api.updateInstance(world.admin, { path, body: made as api.InstanceUpdate })).toEqual(made);
    expect(await told(world, made.id)).toEqual(["compute_create finished"]);
    await put(world, made.id, "cloning");
    expect((await api.updateInstance(world.admin, { path, body: { label: "other" } })).label).toBe("other");
  });

  test("needs an unrestricted user for tags that change, and read_write", async () => {
    const world = await start();
    const { id } = await empty(world, { tags: ["a-tag"] });
    const path = { computeId: id };
    const bob = await world.user("bob", { restricted: true });
    const grant = (permissions: "read_only" | "read_write") =>
      controls.setGrants(world.controls, { path: { username: "bob" }, body: { compute: [{ id, permissions }] } });
    expect((await failure(api.updateInstance(bob, { path, body: { label: "mine" } })))[0]).toBe(404);
    await grant("read_only");
    expect((await failure(api.updateInstance(bob, { path, body: { label: "mine" } })))[0]).toBe(403);
    await grant("read_write");
    expect((await api.updateInstance(bob, { path, body: { label: "mine", tags: ["a-tag"] } })).label).toBe("mine");
    expect((await failure(api.updateInstance(bob, { path, body: { tags: [] } })))[0]).toBe(403);
  });

  test("refuses what cannot be", async () => {
    const world = await start();
    const path = { computeId: (await empty(world)).id };
    const refused = async (body: object) => (await failure(api.updateInstance(world.admin, { path, body })))[0];
    expect(await refused({ label: "a" })).toBe(400);
    expect(await refused({ alerts: { cpu: -1 } })).toBe(400);
    expect(await refused({ backups: { schedule: { day: "Someday" } } })).toBe(400);
    expect(await refused({ backups: { schedule: { window: "W1" } } })).toBe(400);
  });

  test("leaves the region and the plan as they are", async () => {
    const world = await start();
    const { id } = await empty(world);
    // Neither is described as something to change.
    const body = { label: "other", region: "us-west", type: "g6-standard-2" } as api.InstanceUpdate;
    expect(await api.updateInstance(world.admin, { path: { computeId: id }, body })).toMatchObject({
      label: "other",
      region: "us-east",
      type: "g6-standard-1",
    });
  });
});

describe("deleting", () => {
  test("takes the instance away with its disks and configs, and its volumes stay", async () => {
    const world = await start();
    const { id, ipv4 } = await deploy(world, { private_ip: true });
    const path = { computeId: id };
    await controls.createVolume(world.controls, {
      body: { label: "data", size: 10, region: "us-east", compute_id: id },
    });
    expect(await api.deleteInstance(world.admin, { path })).toEqual({});
    expect((await shown(world, id)).status).toBe("deleting");
    // Deleted once more, it goes on being deleted.
    expect(await api.deleteInstance(world.admin, { path })).toEqual({});
    await world.settle();
    expect(await failure(api.getInstance(world.admin, { path }))).toEqual([404, "Not found"]);
    expect(await failure(api.deleteInstance(world.admin, { path }))).toEqual([404, "Not found"]);
    await expect(disksOf(world, id)).rejects.toMatchObject({ status: 404 });
    expect(await told(world, id)).toEqual(["compute_create finished", "compute_delete finished"]);
    // Its addresses are free for the next one.
    expect((await empty(world, { private_ip: true })).ipv4).toEqual(ipv4);
  });

  test.each(["cloning", "restoring"] as const)("is refused while it is %s", async (status) => {
    const world = await start();
    const { id } = await empty(world);
    await put(world, id, status);
    expect(await failure(api.deleteInstance(world.admin, { path: { computeId: id } }))).toEqual([
      400,
      "Instance busy.",
    ]);
    expect((await shown(world, id)).status).toBe(status);
    await world.settle();
    expect(await api.deleteInstance(world.admin, { path: { computeId: id } })).toEqual({});
  });

  test.each([
    "running",
    "booting",
    "rebooting",
    "shutting_down",
    "provisioning",
    "migrating",
    "rebuilding",
    "stopped",
    "suspended",
  ] as const)("is done while it is %s", async (status) => {
    const world = await start();
    const { id } = await empty(world);
    await put(world, id, status);
    await api.deleteInstance(world.admin, { path: { computeId: id } });
    await world.settle();
    expect((await failure(shown(world, id)))[0]).toBe(404);
  });

  test("needs read_write", async () => {
    const world = await start();
    const { id } = await empty(world);
    const bob = await world.user("bob", { restricted: true });
    const path = { computeId: id };
    expect((await failure(api.deleteInstance(bob, { path })))[0]).toBe(404);
    await controls.setGrants(world.controls, {
      path: { username: "bob" },
      body: { compute: [{ id, permissions: "read_only" }] },
    });
    expect((await failure(api.deleteInstance(bob, { path })))[0]).toBe(403);
  });

  test("while it is being deployed ends the deployment", async () => {
    const world = await start();
    const { id } = await api.createInstance(world.admin, { body: deployment });
    await api.deleteInstance(world.admin, { path: { computeId: id } });
    await world.settle();
    expect(await told(world, id)).toEqual(["compute_create failed", "compute_delete finished"]);
  });
});

describe("the list", () => {
  test("has pages, and every field that can be filtered by", async () => {
    const world = await start();
    const one = await empty(world, { label: "one", group: "g", tags: ["a-tag", "b-tag"], private_ip: true });
    const two = await deploy(world, { label: "two", region: "eu-central", tags: ["b-tag"] });
    const labels = async (filter: api.ListInstancesFilter): Promise<string[]> => {
      const { data } = await api.listInstances(world.admin, { headers: { "X-Filter": filter } });
      return data.map(({ label }) => label);
    };
    expect(await labels({ id: two.id })).toEqual(["two"]);
    expect(await labels({ label: "one" })).toEqual(["one"]);
    expect(await labels({ region: "eu-central" })).toEqual(["two"]);
    expect(await labels({ image: "compute/debian12" })).toEqual(["two"]);
    expect(await labels({ image: null })).toEqual(["one"]);
    expect(await labels({ group: "g" })).toEqual(["one"]);
    expect(await labels({ tags: "a-tag" })).toEqual(["one"]);
    expect(await labels({ tags: "b-tag", "+order_by": "label", "+order": "desc" })).toEqual(["two", "one"]);
    expect(await labels({ ipv4: one.ipv4[1] ?? "" })).toEqual(["one"]);
    expect(await labels({ ipv4: two.ipv4[0] ?? "" })).toEqual(["two"]);
    expect(await labels({ "+or": [{ label: "one" }, { region: "eu-central" }] })).toEqual(["one", "two"]);
    // @ts-expect-error -- the list has no such filter
    expect(await failure(labels({ type: "g6-standard-1" }))).toEqual([400, "X-Filter: Cannot filter on type"]);
    // @ts-expect-error -- the list has no such filter
    expect(await failure(labels({ status: "running" }))).toEqual([400, "X-Filter: Cannot filter on status"]);
    expect(await api.listInstances(world.admin)).toEqual({ data: [one, two], page: 1, pages: 1, results: 2 });
  });

  test("is cut into pages", async () => {
    const world = await start();
    const made: number[] = [];
    for (let many = 0; many < 26; many += 1) {
      if (many % 10 === 0) await world.advance("PT30S");
      made.push((await empty(world)).id);
    }
    const page = (query: { readonly page?: number; readonly page_size?: number }) =>
      api.listInstances(world.admin, { query });
    const first = await page({ page_size: 25 });
    expect([first.data.map(({ id }) => id), first.page, first.pages, first.results]).toEqual([
      made.slice(0, 25),
      1,
      2,
      26,
    ]);
    expect((await page({ page: 2, page_size: 25 })).data.map(({ id }) => id)).toEqual(made.slice(25));
    expect((await failure(page({ page_size: 24 })))[0]).toBe(400);
    expect((await failure(page({ page_size: 501 })))[0]).toBe(400);
  });

  test("shows each account its own, and a restricted user what it holds grants for", async () => {
    const world = await start();
    const mine = await empty(world);
    const eve = await world.user("eve", { account: "other" });
    const { id } = await api.createInstance(eve, { body: { region: "us-east", type: "g6-nanode-1" } });
    expect((await api.listInstances(eve)).data.map((each) => each.id)).toEqual([id]);
    expect((await api.listInstances(world.admin)).data.map((each) => each.id)).toEqual([mine.id]);
    expect(await failure(shown(world, id))).toEqual([404, "Not found"]);
    const bob = await world.user("bob", { restricted: true });
    expect((await api.listInstances(bob)).results).toBe(0);
    expect(await failure(api.getInstance(bob, { path: { computeId: mine.id } }))).toEqual([404, "Not found"]);
  });
});

test("the root password is nowhere to be seen", async () => {
  const world = await start();
  const { id } = await deploy(world);
  const seen = [
    await shown(world, id),
    await api.listInstances(world.admin),
    await api.listEvents(world.admin),
    await configsOf(world, id),
  ];
  expect(JSON.stringify(seen)).not.toMatch(new RegExp(`${password}|root_?pass|scrypt`, "i"));
});
