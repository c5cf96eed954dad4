import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

const notFound = [404, "Not found"];

/** A world with a cluster of these pools that is completely ready. */
async function withCluster(...node_pools: api.PoolCreate[]): Promise<World & { readonly clusterId: number }> {
  const world = await start();
  const body = { label: "web", region: "us-east", k8s_version: "1.30", node_pools };
  const { id } = await api.createCluster(world.admin, { body });
  await world.settle();
  return { ...world, clusterId: id };
}

const small = { type: "g6-standard-1", count: 1 };

test("a new pool starts with as many nodes as its count, which is also its bounds", async () => {
  const { admin, clusterId, settle } = await withCluster();
  const path = { clusterId };
  const pool = await api.createClusterPool(admin, { path, body: { type: "g6-standard-4", count: 3, tags: ["front"] } });
  expect(pool).toEqual({
    id: 1,
    type: "g6-standard-4",
    count: 3,
    nodes: [1, 2, 3].map(() => ({
      id: expect.stringMatching(/^1-[0-9a-f]{12}$/),
      instance_id: null,
      status: "not_ready",
    })),
    disks: [],
    autoscaler: { enabled: false, min: 3, max: 3 },
    tags: ["front"],
  });
  await settle();
  const ready = await api.getClusterPool(admin, { path: { clusterId, poolId: pool.id } });
  expect(ready).toEqual({
    ...pool,
    nodes: pool.nodes.map((node, index) => ({ ...node, instance_id: index + 1, status: "ready" })),
  });
  const { data } = await api.listInstances(admin);
  expect(
    data.map(({ id, label, type, region, status, ipv4 }) => [id, label, type, region, status, ipv4.length]),
  ).toEqual(
    ready.nodes.map((node) => [node.instance_id, `kube1-${node.id}`, "g6-standard-4", "us-east", "running", 2]),
  );
});

test("each disk of a pool is a partition of every node, and the boot disk gets the remaining space", async () => {
  const { admin, controls: client } = await withCluster({
    type: "g6-standard-2",
    count: 1,
    disks: [
      { size: 1024, type: "ext4" },
      { size: 2048, type: "raw" },
    ],
  });
  const { data } = await controls.listInstanceDisks(client, { path: { id: 1 } });
  expect(data.map(({ label, size, filesystem }) => [label, size, filesystem])).toEqual([
    ["Kubernetes Disk", 80 * 1024 - 3072, "ext4"],
    ["Partition 1", 1024, "ext4"],
    ["Partition 2", 2048, "raw"],
  ]);
  const { data: configs } = await api.listInstanceConfigs(admin, { path: { computeId: 1 } });
  expect(configs.map(({ devices }) => Object.values(devices).map((slot) => slot?.disk_id ?? null))).toEqual([
    [data[0]?.id, data[1]?.id, data[2]?.id, null, null, null, null, null],
  ]);
});

test("the disks of a pool have to fit the plan, each and together, and are at most seven", async () => {
  const { admin, clusterId } = await withCluster();
  const add = (sizes: readonly number[]): Promise<api.Pool> =>
    api.createClusterPool(admin, {
      path: { clusterId },
      body: { ...small, disks: sizes.map((size) => ({ size, type: "raw" })) },
    });
  const plan = 50 * 1024;
  expect((await add([plan])).disks).toEqual([{ size: plan, type: "raw" }]);
  expect(await failure(add([plan + 1]))).toEqual([400, "disks: A disk is larger than the disk of the instance type"]);
  expect((await add([plan - 1, 1])).disks).toHaveLength(2);
  expect(await failure(add([plan - 1, 2]))).toEqual([
    400,
    "disks: The disks are larger together than the disk of the instance type",
  ]);
  const cluster = { label: "other", region: "us-east", k8s_version: "1.29" };
  const disks: api.PoolDisk[] = [plan - 1, 2].map((size) => ({ size, type: "raw" }));
  expect(
    await failure(api.createCluster(admin, { body: { ...cluster, node_pools: [small, { ...small, disks }] } })),
  ).toEqual([400, "node_pools.1.disks: The disks are larger together than the disk of the instance type"]);
  expect((await add([1, 1, 1, 1, 1, 1, 1])).disks).toHaveLength(7);
  expect(await failure(add([1, 1, 1, 1, 1, 1, 1, 1]))).toEqual([400, expect.stringMatching(/^disks: /)]);
  expect(await failure(add([0]))).toEqual([400, expect.stringMatching(/^disks\.0\.size: /)]);
});

test("a new pool has 1 to 100 nodes of an existing type", async () => {
  const { admin, clusterId } = await withCluster();
  const add = (body: api.PoolCreate): Promise<api.Pool> => api.createClusterPool(admin, { path: { clusterId }, body });
  expect((await add({ ...small, count: 100 })).nodes).toHaveLength(100);
  expect(await failure(add({ ...small, count: 101 }))).toEqual([400, expect.stringMatching(/^count: /)]);
  expect(await failure(add({ ...small, count: 0 }))).toEqual([400, expect.stringMatching(/^count: /)]);
  expect(await failure(add({ ...small, type: "g6-huge" }))).toEqual([400, "type: There is no such instance type"]);
});

test("the bounds of an enabled autoscaler limit the count", async () => {
  const { admin, clusterId } = await withCluster();
  const add = (autoscaler: NonNullable<api.PoolCreate["autoscaler"]>): Promise<api.Pool> =>
    api.createClusterPool(admin, { path: { clusterId }, body: { ...small, count: 3, autoscaler } });
  const above = "count: The count is above the upper bound of an enabled autoscaler";
  const below = "count: The count is below the lower bound of an enabled autoscaler";
  expect((await add({ enabled: true })).autoscaler).toEqual({ enabled: true, min: 3, max: 3 });
  expect((await add({ enabled: true, min: 3, max: 4 })).autoscaler).toEqual({ enabled: true, min: 3, max: 4 });
  expect(await failure(add({ enabled: true, min: 4, max: 5 }))).toEqual([400, below]);
  expect(await failure(add({ enabled: true, min: 1, max: 2 }))).toEqual([400, above]);
  expect((await add({ enabled: false, min: 1, max: 2 })).count).toBe(3);
  expect(await failure(add({ min: 2, max: 1 }))).toEqual([
    400,
    "autoscaler.min: The lower bound of the autoscaler is above the upper bound",
  ]);
  expect(await failure(add({ enabled: true, min: 1 }))).toEqual([400, expect.stringMatching(/^autoscaler/)]);

  const { id: poolId } = await add({ enabled: true, min: 2, max: 4 });
  const path = { clusterId, poolId };
  const update = (body: api.PoolUpdate): Promise<api.Pool> => api.updateClusterPool(admin, { path, body });
  expect(await failure(update({ count: 5 }))).toEqual([400, above]);
  expect(await failure(update({ count: 1 }))).toEqual([400, below]);
  expect((await update({ count: 4 })).nodes).toHaveLength(4);
  expect(await failure(update({ autoscaler: { min: 1, max: 3 } }))).toEqual([400, above]);
  expect((await update({ autoscaler: { enabled: false } })).autoscaler).toEqual({ enabled: false, min: 2, max: 4 });
  expect((await update({ count: 5 })).autoscaler).toEqual({ enabled: false, min: 2, max: 4 });
  expect(await failure(update({ autoscaler: { enabled: true } }))).toEqual([400, above]);
  expect(await failure(update({ autoscaler: { min: 5, max: 4 } }))).toEqual([
    400,
    "autoscaler.min: The lower bound of the autoscaler is above the upper bound",
  ]);
  expect(await failure(update({ count: 101 }))).toEqual([400, "count: must be 1 to 100"]);
});

test("autoscalers of a new cluster's pools are validated, and an error creates nothing", async () => {
  const { admin } = await start();
  const body = { label: "web", region: "us-east", k8s_version: "1.30" };
  const validated = (count: number, autoscaler: api.PoolAutoscaler) =>
    failure(api.createCluster(admin, { body: { ...body, node_pools: [small, { ...small, count, autoscaler }] } }));
  expect(await validated(3, { enabled: true, min: 1, max: 2 })).toEqual([
    400,
    "node_pools.1.count: The count is above the upper bound of an enabled autoscaler",
  ]);
  expect(await validated(1, { enabled: true, min: 2, max: 3 })).toEqual([
    400,
    "node_pools.1.count: The count is below the lower bound of an enabled autoscaler",
  ]);
  expect(await validated(1, { enabled: false, min: 3, max: 2 })).toEqual([
    400,
    "node_pools.1.autoscaler.min: The lower bound of the autoscaler is above the upper bound",
  ]);
  const tooLarge = { ...small, disks: [{ size: 50 * 1024 + 1, type: "raw" as const }] };
  expect(await failure(api.createCluster(admin, { body: { ...body, node_pools: [tooLarge] } }))).toEqual([
    400,
    expect.stringContaining("A disk is larger than the disk of the instance type"),
  ]);
  expect((await api.listClusters(admin)).results).toBe(0);
  expect((await api.listEvents(admin)).results).toBe(0);
});

test("a new count creates nodes, or deletes the newest ones with their instances", async () => {
  const { admin, clusterId, settle } = await withCluster({ ...small, count: 2 });
  const path = { clusterId, poolId: 1 };
  const first = await api.getClusterPool(admin, { path });
  const more = await api.updateClusterPool(admin, { path, body: { count: 4 } });
  expect(more.count).toBe(4);
  expect(more.nodes.slice(0, 2)).toEqual(first.nodes);
  expect(more.nodes.map(({ status }) => status)).toEqual(["ready", "ready", "not_ready", "not_ready"]);
  await settle();
  const grown = await api.getClusterPool(admin, { path });
  expect(grown.nodes.map(({ instance_id }) => instance_id)).toEqual([1, 2, 3, 4]);
  const fewer = await api.updateClusterPool(admin, { path, body: { count: 1 } });
  expect(fewer).toEqual({ ...grown, count: 1, nodes: grown.nodes.slice(0, 1) });
  await settle();
  expect((await api.listInstances(admin)).data.map(({ id }) => id)).toEqual([1]);
  expect(fewer.autoscaler).toEqual({ enabled: false, min: 2, max: 2 });
});

test("tags of a pool are replaced completely and can be filtered by, and a response can be sent back", async () => {
  const { admin, clusterId } = await withCluster({ ...small, tags: ["one-tag", "two-tag"] }, small);
  const path = { clusterId, poolId: 1 };
  const pool = await api.getClusterPool(admin, { path });
  expect(await api.updateClusterPool(admin, { path, body: pool })).toEqual(pool);
  expect((await api.updateClusterPool(admin, { path, body: { tags: ["two-tag"] } })).tags).toEqual(["two-tag"]);
  const list = (filter: api.ListClusterPoolsFilter): Promise<api.PoolPage> =>
    api.listClusterPools(admin, { path: { clusterId }, headers: { "X-Filter": filter } });
  expect((await list({ tags: "two-tag" })).data.map(({ id }) => id)).toEqual([1]);
  expect((await list({ tags: "one-tag" })).results).toBe(0);
  // @ts-expect-error -- the list has no such filter
  expect(await failure(list({ count: 1 }))).toEqual([400, "X-Filter: Cannot filter on count"]);
  const { data } = await api.listClusterPools(admin, { path: { clusterId }, query: { page: 1, page_size: 25 } });
  expect(data.map(({ id }) => id)).toEqual([1, 2]);
});

test("deleting a pool deletes its nodes and their instances, even the last pool", async () => {
  const { admin, clusterId, settle } = await withCluster(small, { ...small, count: 2 });
  expect(await api.deleteClusterPool(admin, { path: { clusterId, poolId: 2 } })).toEqual({});
  await settle();
  expect((await api.listInstances(admin)).data.map(({ id }) => id)).toEqual([1]);
  expect(await failure(api.getClusterPool(admin, { path: { clusterId, poolId: 2 } }))).toEqual(notFound);
  await api.deleteClusterPool(admin, { path: { clusterId, poolId: 1 } });
  await settle();
  expect((await api.listInstances(admin)).results).toBe(0);
  expect((await api.listClusterPools(admin, { path: { clusterId } })).results).toBe(0);
  expect((await api.getCluster(admin, { path: { clusterId } })).status).toBe("ready");
});

test("a pool is found within its own cluster, by unrestricted users of its account with the scope", async () => {
  const { admin, clusterId, user } = await withCluster(small);
  const other = await api.createCluster(admin, {
    body: { label: "db", region: "us-east", k8s_version: "1.30", node_pools: [] },
  });
  const elsewhere = { clusterId: other.id, poolId: 1 };
  expect(await failure(api.getClusterPool(admin, { path: elsewhere }))).toEqual(notFound);
  expect(await failure(api.updateClusterPool(admin, { path: elsewhere, body: {} }))).toEqual(notFound);
  expect(await failure(api.deleteClusterPool(admin, { path: elsewhere }))).toEqual(notFound);
  const path = { clusterId, poolId: 1 };
  const stranger = await user("eve", { account: "other" });
  expect(await failure(api.listClusterPools(stranger, { path }))).toEqual(notFound);
  expect(await failure(api.createClusterPool(stranger, { path, body: small }))).toEqual(notFound);
  expect(await failure(api.getClusterPool(stranger, { path }))).toEqual(notFound);
  expect(await failure(api.deleteClusterPool(stranger, { path }))).toEqual(notFound);
  const restricted = await user("ann", { restricted: true });
  for (const call of [
    () => api.listClusterPools(restricted, { path }),
    () => api.createClusterPool(restricted, { path, body: small }),
    () => api.getClusterPool(restricted, { path }),
    () => api.updateClusterPool(restricted, { path, body: { count: 2 } }),
    () => api.deleteClusterPool(restricted, { path }),
  ])
    expect(await failure(call())).toEqual([403, expect.any(String)]);
  const reader = await user("bob", { scopes: "kube:read_only" });
  expect((await api.getClusterPool(reader, { path })).id).toBe(1);
  expect(await failure(api.deleteClusterPool(reader, { path }))).toEqual([401, expect.any(String)]);
});
