import * as api from "@cloud-compute/client";
import type { Client } from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

/** One object of each kind with tags that the controls or the API can create. */
async function objects(
  { controls: client }: World,
  as: Client,
  account?: string,
): Promise<{ readonly compute: number; readonly volume: number; readonly nodebalancer: number }> {
  const of = account === undefined ? {} : { account };
  const instance = await api.createInstance(as, { body: { region: "us-east", type: "g6-nanode-1", label: "web-1" } });
  const volume = await controls.createVolume(client, { body: { label: "data", size: 20, region: "us-east", ...of } });
  const nodebalancer = await controls.createNodeBalancer(client, {
    body: { label: "front", region: "us-east", ...of },
  });
  return { compute: instance.id, volume: volume.id, nodebalancer: nodebalancer.id };
}

async function listed(as: Client, label: string): Promise<string[]> {
  const { data } = await api.listTaggedObjects(as, { path: { label } });
  return data.map((each) => `${each.type} ${each.data.id}`);
}

const labels = async (as: Client): Promise<string[]> => (await api.listTags(as)).data.map(({ label }) => label);

test("a tag is added to all listed objects, and lists each of them", async () => {
  const world = await start();
  const { admin } = world;
  const { compute, volume, nodebalancer } = await objects(world, admin);
  const body = { label: "production", computes: [compute], volumes: [volume], nodebalancers: [nodebalancer] };
  expect(await api.createTag(admin, { body })).toEqual({ label: "production" });
  expect((await api.getInstance(admin, { path: { computeId: compute } })).tags).toEqual(["production"]);
  const page = await api.listTaggedObjects(admin, { path: { label: "production" } });
  expect(page).toEqual({
    data: [
      { type: "compute", data: await api.getInstance(admin, { path: { computeId: compute } }) },
      {
        type: "volume",
        data: {
          id: volume,
          label: "data",
          size: 20,
          region: "us-east",
          status: "active",
          hardware_type: "nvme",
          filesystem_path: "/dev/disk/by-id/scsi-0Compute_Volume_data",
          compute_id: null,
          compute_label: null,
          tags: ["production"],
          created: expect.any(String),
          updated: expect.any(String),
        },
      },
      {
        type: "nodebalancer",
        data: {
          id: nodebalancer,
          label: "front",
          region: "us-east",
          hostname: expect.any(String),
          ipv4: expect.any(String),
          ipv6: expect.any(String),
          client_conn_throttle: 0,
          tags: ["production"],
          created: expect.any(String),
          transfer: { in: 0, out: 0, total: 0 },
        },
      },
    ],
    page: 1,
    pages: 1,
    results: 3,
  });
  const { data: events } = await api.listEvents(admin, { headers: { "X-Filter": { action: "tag_create" } } });
  expect(events).toMatchObject([
    {
      username: "admin",
      status: "notification",
      entity: { id: "production", label: "production", type: "tag", url: "/v4/tags/production" },
    },
  ]);
});

test("creating an existing tag adds the listed objects, each once", async () => {
  const world = await start();
  const { admin } = world;
  const { compute, volume } = await objects(world, admin);
  await api.createTag(admin, { body: { label: "empty" } });
  expect(await api.listTaggedObjects(admin, { path: { label: "empty" } })).toEqual({
    data: [],
    page: 1,
    pages: 1,
    results: 0,
  });
  await api.createTag(admin, { body: { label: "empty", computes: [compute, compute] } });
  await api.createTag(admin, { body: { label: "empty", computes: [compute], volumes: [volume] } });
  expect(await labels(admin)).toEqual(["empty"]);
  expect((await api.getInstance(admin, { path: { computeId: compute } })).tags).toEqual(["empty"]);
  expect(await listed(admin, "empty")).toEqual([`compute ${compute}`, `volume ${volume}`]);
});

test("labels of objects become tags, which stay when the last object loses them", async () => {
  const { admin } = await start();
  const body = { region: "us-east", type: "g6-nanode-1", tags: ["web", "west"] };
  const { id } = await api.createInstance(admin, { body });
  expect(await labels(admin)).toEqual(["web", "west"]);
  expect(await listed(admin, "web")).toEqual([`compute ${id}`]);
  await api.updateInstance(admin, { path: { computeId: id }, body: { tags: ["west"] } });
  expect(await listed(admin, "web")).toEqual([]);
  expect(await labels(admin)).toEqual(["web", "west"]);
});

test("a missing object, or one of another account, prevents all changes", async () => {
  const world = await start();
  const { admin, user } = world;
  const { compute, volume } = await objects(world, admin);
  const stranger = await user("stranger", { account: "other" });
  const theirs = await objects(world, stranger, "other");
  const missing = async (lists: object): Promise<unknown> =>
    failure(api.createTag(admin, { body: { label: "halved", computes: [compute], volumes: [volume], ...lists } }));
  expect(await missing({ computes: [compute, 999] })).toEqual([400, expect.stringMatching(/^computes\.1: /)]);
  expect(await missing({ computes: [compute, theirs.compute] })).toEqual([
    400,
    expect.stringMatching(/^computes\.1: /),
  ]);
  expect(await missing({ volumes: [theirs.volume] })).toEqual([400, expect.stringMatching(/^volumes\.0: /)]);
  expect(await missing({ nodebalancers: [theirs.nodebalancer] })).toEqual([
    400,
    expect.stringMatching(/^nodebalancers\.0: /),
  ]);
  expect(await missing({ domains: [1] })).toEqual([400, expect.stringMatching(/^domains\.0: /)]);
  expect(await labels(admin)).toEqual([]);
  expect((await api.getInstance(admin, { path: { computeId: compute } })).tags).toEqual([]);
  expect((await api.listEvents(admin, { headers: { "X-Filter": { action: "tag_create" } } })).results).toBe(0);
});

test("a label has 3 to 50 characters, and matches exactly", async () => {
  const { admin } = await start();
  const create = (label: string): Promise<unknown> => Promise.resolve(api.createTag(admin, { body: { label } }));
  for (const label of ["abc", "a".repeat(50), "Abc", "west coast, 50% & more", "süd"]) {
    await create(label);
    expect((await api.listTaggedObjects(admin, { path: { label } })).results).toBe(0);
  }
  for (const label of ["ab", "a".repeat(51)])
    expect(await failure(create(label))).toEqual([400, expect.stringMatching(/^label: /)]);
  expect(await failure(api.createTag(admin, { body: {} as never }))).toEqual([400, "label: is required"]);
  expect(await labels(admin)).toEqual(["abc", "a".repeat(50), "Abc", "west coast, 50% & more", "süd"]);
  expect(await failure(listed(admin, "ABC"))).toEqual([404, "Not found"]);
  expect(await failure(api.deleteTag(admin, { path: { label: "ABC" } }))).toEqual([404, "Not found"]);
  await api.deleteTag(admin, { path: { label: "west coast, 50% & more" } });
  expect(await labels(admin)).toHaveLength(4);
});

test("the slash of a label is encoded in a path", async () => {
  const { admin, service, token } = await start();
  for (const label of ["a/b", "/a/", "a//b", "50% / 2"]) {
    await api.createTag(admin, { body: { label } });
    expect(await listed(admin, label)).toEqual([]);
    expect(await api.deleteTag(admin, { path: { label } })).toEqual({});
    expect(await failure(api.listTaggedObjects(admin, { path: { label } }))).toEqual([404, "Not found"]);
  }
  expect(await labels(admin)).toEqual([]);
  await api.createTag(admin, { body: { label: "a/b" } });
  const statuses = await Promise.all(
    ["a%2Fb", "a%2fb", "a/b", "a%252Fb", "a%2F.%2Fb"].map(async (label) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${service.url}/tags/${label}`, { headers })).status;
    }),
  );
  expect(statuses).toEqual([200, 200, 404, 404, 404]);
});

test("deleting a tag removes it from all objects of its account only", async () => {
  const world = await start();
  const { admin, user } = world;
  const stranger = await user("stranger", { account: "other" });
  const made = await objects(world, admin);
  const theirs = await objects(world, stranger, "other");
  const lists = ({ compute, volume, nodebalancer }: typeof made) => ({
    computes: [compute],
    volumes: [volume],
    nodebalancers: [nodebalancer],
  });
  for (const label of ["production", "staging"]) await api.createTag(admin, { body: { label, ...lists(made) } });
  await api.createTag(stranger, { body: { label: "production", ...lists(theirs) } });
  expect(await api.deleteTag(admin, { path: { label: "production" } })).toEqual({});
  expect(await labels(admin)).toEqual(["staging"]);
  expect(await failure(listed(admin, "production"))).toEqual([404, "Not found"]);
  const { data } = await api.listTaggedObjects(admin, { path: { label: "staging" } });
  expect(data.map((each) => each.data.tags)).toEqual([["staging"], ["staging"], ["staging"]]);
  expect(await listed(stranger, "production")).toHaveLength(3);
  const { data: events } = await api.listEvents(admin, { headers: { "X-Filter": { action: "tag_delete" } } });
  expect(events).toMatchObject([{ entity: { id: "production", type: "tag" }, status: "notification" }]);
  await api.createTag(admin, { body: { label: "production" } });
  expect(await listed(admin, "production")).toEqual([]);
});

test("restricted users cannot change tags, and see tagged objects with grants", async () => {
  const world = await start();
  const { admin, user, controls: client } = world;
  const { compute, volume, nodebalancer } = await objects(world, admin);
  const body = { label: "production", computes: [compute], volumes: [volume], nodebalancers: [nodebalancer] };
  await api.createTag(admin, { body });
  const ann = await user("ann", { restricted: true });
  await controls.setGrants(client, {
    path: { username: "ann" },
    body: {
      compute: [{ id: compute, permissions: "read_write" }],
      nodebalancer: [{ id: nodebalancer, permissions: "read_only" }],
    },
  });
  expect((await failure(api.createTag(ann, { body: { label: "mine", computes: [compute] } })))[0]).toBe(403);
  expect((await failure(api.deleteTag(ann, { path: { label: "production" } })))[0]).toBe(403);
  expect(await labels(ann)).toEqual(["production"]);
  expect(await listed(ann, "production")).toEqual([`compute ${compute}`, `nodebalancer ${nodebalancer}`]);
  expect((await api.listTaggedObjects(ann, { path: { label: "production" } })).results).toBe(2);
  const rejected = [401, "Your OAuth token is not authorized to use this endpoint."];
  const reader = await user("reader", { scopes: "account:read_only" });
  expect(await labels(reader)).toEqual(["production"]);
  expect(await failure(api.createTag(reader, { body: { label: "mine" } }))).toEqual(rejected);
  expect(await failure(api.deleteTag(reader, { path: { label: "production" } }))).toEqual(rejected);
  expect(await failure(labels(await user("other", { scopes: "computes:read_write" })))).toEqual(rejected);
});

test("pages continue from one kind to the next, in one order", async () => {
  const world = await start();
  const { admin, controls: client } = world;
  const computes: number[] = [];
  for (let index = 0; index < 9; index += 1)
    computes.push((await api.createInstance(admin, { body: { region: "us-east", type: "g6-nanode-1" } })).id);
  const volumes: number[] = [];
  for (let index = 0; index < 30; index += 1)
    volumes.push(
      (await controls.createVolume(client, { body: { label: `v${index}`, size: 1, region: "us-east" } })).id,
    );
  const nodebalancers: number[] = [];
  for (let index = 0; index < 21; index += 1)
    nodebalancers.push(
      (await controls.createNodeBalancer(client, { body: { label: `nb-${index}`, region: "us-east" } })).id,
    );
  await api.createTag(admin, { body: { label: "many", computes, volumes, nodebalancers } });
  const seen: string[] = [];
  for (let page = 1; page <= 4; page += 1) {
    const { data, ...rest } = await api.listTaggedObjects(admin, {
      path: { label: "many" },
      query: { page, page_size: 25 },
    });
    expect(rest).toEqual({ page, pages: 3, results: 60 });
    expect(data.length).toBe([25, 25, 10, 0][page - 1]);
    seen.push(...data.map((each) => `${each.type} ${each.data.id}`));
  }
  expect(seen).toEqual([
    ...computes.map((id) => `compute ${id}`),
    ...volumes.map((id) => `volume ${id}`),
    ...nodebalancers.map((id) => `nodebalancer ${id}`),
  ]);
});

test("domains, clusters and pools have tags, and clusters and pools are not listed", async () => {
  const { admin } = await start();
  const domain = await api.createDomain(admin, {
    body: { domain: "example.com", type: "master", soa_email: "admin@example.com" },
  });
  const cluster = await api.createCluster(admin, {
    body: {
      label: "cluster",
      region: "us-east",
      k8s_version: "1.29",
      tags: ["production", "kept"],
      node_pools: [{ type: "g6-standard-1", count: 1, tags: ["production", "kept"] }],
    },
  });
  expect(await labels(admin)).toEqual(["production", "kept"]);
  await api.createTag(admin, { body: { label: "production", domains: [domain.id] } });
  expect((await api.getDomain(admin, { path: { domainId: domain.id } })).tags).toEqual(["production"]);
  const { data } = await api.listTaggedObjects(admin, { path: { label: "production" } });
  const listedDomain = data.find(({ type }) => type === "domain");
  expect(listedDomain?.data).toEqual(await api.getDomain(admin, { path: { domainId: domain.id } }));
  await api.deleteTag(admin, { path: { label: "production" } });
  expect((await api.getDomain(admin, { path: { domainId: domain.id } })).tags).toEqual([]);
  expect((await api.getCluster(admin, { path: { clusterId: cluster.id } })).tags).toEqual(["kept"]);
  const { data: pools } = await api.listClusterPools(admin, { path: { clusterId: cluster.id } });
  expect(pools.map(({ tags }) => tags)).toEqual([["kept"]]);
});
