import * as api from "@cloud-compute/client";
import { describe, expect, test } from "vitest";
import { failure, start } from "../../testing.support.js";
import * as controls from "../../testing/index.js";
import {
  configsOf,
  deploy,
  deployment,
  disksOf,
  empty,
  password,
  put,
  readInstance,
  readEvents,
} from "./instances.support.js";

describe("a new instance", () => {
  test("is returned completely, with the values of its plan", async () => {
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
    expect(await readEvents(world, id)).toEqual(["compute_create started"]);
    await world.settle();
    expect(await readInstance(world, id)).toEqual({ ...made, status: "running", updated: expect.any(String) });
    expect(await readEvents(world, id)).toEqual(["compute_create finished"]);
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

  test("without an image is offline, and stays so, with neither disks nor configs", async () => {
    const world = await start();
    const { id, status, image, group, tags } = await empty(world);
    expect({ status, image, group, tags }).toEqual({ status: "offline", image: null, group: "", tags: [] });
    expect(await world.settle()).toBe(0);
    expect((await readInstance(world, id)).status).toBe("offline");
    expect([await disksOf(world, id), await configsOf(world, id)]).toEqual([[], []]);
    expect(await readEvents(world, id)).toEqual(["compute_create finished"]);
  });

  test("gets a valid label by default", async () => {
    const world = await start();
    const first = await empty(world);
    const second = await empty(world);
    expect([first.label, second.label]).toEqual([`compute${first.id}`, `compute${second.id}`]);
  });

  test.each(["abc", "a".repeat(64), "1.a_b-c", "a-_b", "0-0"])("accepts the label %s", async (label) => {
    const world = await start();
    expect((await empty(world, { label })).label).toBe(label);
  });

  test.each(["ab", "a".repeat(65), "-abc", "abc-", "_abc", "abc.", "a--b", "a__b", "a..b", "a b", "äbc", "ab/c"])(
    "rejects the label %s",
    async (label) => {
      const world = await start();
      const [status, reason] = await failure(empty(world, { label }));
      expect([status, reason?.slice(0, 6)]).toEqual([400, "label:"]);
    },
  );

  test("may have the label of another instance", async () => {
    const world = await start();
    expect((await empty(world, { label: "same" })).id).not.toBe((await empty(world, { label: "same" })).id);
  });

  test("requires an existing region and type", async () => {
    const world = await start();
    expect(await failure(empty(world, { region: "mars" }))).toEqual([400, "region: There is no region with this id"]);
    expect(await failure(empty(world, { type: "huge" }))).toEqual([400, "type: There is no plan with this id"]);
    // @ts-expect-error: required fields are missing
    expect(await failure(api.createInstance(world.admin, { body: {} }))).toEqual([
      400,
      "region: is required",
      "type: is required",
    ]);
  });

  test("accepts null for absent fields", async () => {
    const world = await start();
    const nothing = { label: null, image: null, root_pass: null, backup_id: null, tags: null, booted: null };
    const body = { region: "us-east", type: "g6-nanode-1", ...nothing };
    // @ts-expect-error: null is undocumented, but clients send it
    expect((await api.createInstance(world.admin, { body })).status).toBe("offline");
  });
});

test("creating requires add_computes, and tags require an unrestricted user; the creator gets a grant", async () => {
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

test("a user may send 10 create requests within 30 seconds, without affecting other users", async () => {
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
  test("changes only the fields it has, also within objects", async () => {
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
    expect(await readInstance(world, before.id)).toEqual(changed);
    expect(await readEvents(world, before.id)).toEqual(["compute_create finished", "compute_update notification"]);
  });

  test("with the values that were read changes nothing, in any status", async () => {
    const world = await start();
    const made = await deploy(world, { tags: ["a-tag"] });
    await world.advance("PT5S");
    const path = { computeId: made.id };
    // The response has more fields than an update, as clients send them.
    expect(await api.updateInstance(world.admin, { path, body: made as api.InstanceUpdate })).toEqual(made);
    expect(await readEvents(world, made.id)).toEqual(["compute_create finished"]);
    await put(world, made.id, "cloning");
    expect((await api.updateInstance(world.admin, { path, body: { label: "other" } })).label).toBe("other");
  });

  test("requires read_write, and for changed tags an unrestricted user", async () => {
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

  test("rejects invalid values", async () => {
    const world = await start();
    const path = { computeId: (await empty(world)).id };
    const rejected = async (body: object) => (await failure(api.updateInstance(world.admin, { path, body })))[0];
    expect(await rejected({ label: "a" })).toBe(400);
    expect(await rejected({ alerts: { cpu: -1 } })).toBe(400);
    expect(await rejected({ backups: { schedule: { day: "Someday" } } })).toBe(400);
    expect(await rejected({ backups: { schedule: { window: "W1" } } })).toBe(400);
  });

  test("changes neither the region nor the plan", async () => {
    const world = await start();
    const { id } = await empty(world);
    // The description has neither of them in an update.
    const body = { label: "other", region: "us-west", type: "g6-standard-2" } as api.InstanceUpdate;
    expect(await api.updateInstance(world.admin, { path: { computeId: id }, body })).toMatchObject({
      label: "other",
      region: "us-east",
      type: "g6-standard-1",
    });
  });
});

describe("deleting", () => {
  test("deletes the instance with its disks and configs, and keeps its volumes", async () => {
    const world = await start();
    const { id, ipv4 } = await deploy(world, { private_ip: true });
    const path = { computeId: id };
    await controls.createVolume(world.controls, {
      body: { label: "data", size: 10, region: "us-east", compute_id: id },
    });
    expect(await api.deleteInstance(world.admin, { path })).toEqual({});
    expect((await readInstance(world, id)).status).toBe("deleting");
    // A second request has no further effect.
    expect(await api.deleteInstance(world.admin, { path })).toEqual({});
    await world.settle();
    expect(await failure(api.getInstance(world.admin, { path }))).toEqual([404, "Not found"]);
    expect(await failure(api.deleteInstance(world.admin, { path }))).toEqual([404, "Not found"]);
    await expect(disksOf(world, id)).rejects.toMatchObject({ status: 404 });
    expect(await readEvents(world, id)).toEqual(["compute_create finished", "compute_delete finished"]);
    // The next instance gets the released addresses.
    expect((await empty(world, { private_ip: true })).ipv4).toEqual(ipv4);
  });

  test.each(["cloning", "restoring"] as const)("is rejected while the instance is %s", async (status) => {
    const world = await start();
    const { id } = await empty(world);
    await put(world, id, status);
    expect(await failure(api.deleteInstance(world.admin, { path: { computeId: id } }))).toEqual([
      400,
      "Instance busy.",
    ]);
    expect((await readInstance(world, id)).status).toBe(status);
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
  ] as const)("is accepted while the instance is %s", async (status) => {
    const world = await start();
    const { id } = await empty(world);
    await put(world, id, status);
    await api.deleteInstance(world.admin, { path: { computeId: id } });
    await world.settle();
    expect((await failure(readInstance(world, id)))[0]).toBe(404);
  });

  test("requires read_write", async () => {
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

  test("ends a running deployment", async () => {
    const world = await start();
    const { id } = await api.createInstance(world.admin, { body: deployment });
    await api.deleteInstance(world.admin, { path: { computeId: id } });
    await world.settle();
    expect(await readEvents(world, id)).toEqual(["compute_create failed", "compute_delete finished"]);
  });
});

describe("the list", () => {
  test("has pages, and filters by every documented field", async () => {
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

  test("is divided into pages", async () => {
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

  test("contains the instances of the account, and for a restricted user those with grants", async () => {
    const world = await start();
    const mine = await empty(world);
    const eve = await world.user("eve", { account: "other" });
    const { id } = await api.createInstance(eve, { body: { region: "us-east", type: "g6-nanode-1" } });
    expect((await api.listInstances(eve)).data.map((each) => each.id)).toEqual([id]);
    expect((await api.listInstances(world.admin)).data.map((each) => each.id)).toEqual([mine.id]);
    expect(await failure(readInstance(world, id))).toEqual([404, "Not found"]);
    const bob = await world.user("bob", { restricted: true });
    expect((await api.listInstances(bob)).results).toBe(0);
    expect(await failure(api.getInstance(bob, { path: { computeId: mine.id } }))).toEqual([404, "Not found"]);
  });
});

test("the root password appears in no response", async () => {
  const world = await start();
  const { id } = await deploy(world);
  const seen = [
    await readInstance(world, id),
    await api.listInstances(world.admin),
    await api.listEvents(world.admin),
    await configsOf(world, id),
  ];
  expect(JSON.stringify(seen)).not.toMatch(new RegExp(`${password}|root_?pass|scrypt`, "i"));
});
