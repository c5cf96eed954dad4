import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";

interface Kube extends World {
  readonly path: { readonly clusterId: number };
  /** The ids of all nodes, and of those that are not ready. */
  nodes(): Promise<{ readonly ids: string[]; readonly unready: string[] }>;
  /** The instances that are not being deleted. */
  instances(): Promise<number[]>;
}

/** A world with a cluster of pools of these counts that is completely ready. */
async function withPools(...counts: readonly number[]): Promise<Kube> {
  const world = await start();
  const node_pools = counts.map((count) => ({ type: "g6-standard-1", count }));
  const body = { label: "web", region: "us-east", k8s_version: "1.29", node_pools };
  const { id } = await api.createCluster(world.admin, { body });
  await world.settle();
  const path = { clusterId: id };
  return {
    ...world,
    path,
    nodes: async () => {
      const { data } = await api.listClusterPools(world.admin, { path });
      const all = data.flatMap((pool) => pool.nodes);
      return {
        ids: all.map((each) => each.id),
        unready: all.flatMap((each) => (each.status === "ready" ? [] : each.id)),
      };
    },
    instances: async () => {
      const { data } = await api.listInstances(world.admin);
      return data.flatMap(({ id: instance, status }) => (status === "deleting" ? [] : instance));
    },
  };
}

function common(before: { readonly ids: readonly string[] }, after: { readonly ids: readonly string[] }): string[] {
  return before.ids.filter((id) => after.ids.includes(id));
}

test("a new node replaces another at once, with a new instance and the latest patch", async () => {
  const { admin, path, nodes, instances, settle } = await withPools(2);
  const before = await nodes();
  const [nodeId = "", other = ""] = before.ids;
  expect(await api.recycleClusterNode(admin, { path: { ...path, nodeId } })).toEqual({});
  const during = await nodes();
  expect(during.ids).toEqual([other, during.unready[0]]);
  expect(await api.getClusterNode(admin, { path: { ...path, nodeId: during.unready[0] ?? "" } })).toEqual({
    id: during.unready[0],
    instance_id: null,
    status: "not_ready",
  });
  expect(await failure(api.getClusterNode(admin, { path: { ...path, nodeId } }))).toEqual([404, "Not found"]);
  await settle();
  expect(await nodes()).toEqual({ ids: during.ids, unready: [] });
  expect(await instances()).toEqual([2, 3]);
  expect((await api.getClusterPool(admin, { path: { ...path, poolId: 1 } })).count).toBe(2);
});

test("the nodes of a cluster are replaced one by one, each when the previous one is ready", async () => {
  const { admin, path, nodes, instances, advance, settle } = await withPools(2, 1);
  const before = await nodes();
  expect(await api.recycleCluster(admin, { path })).toEqual({});
  for (const left of [2, 1, 0]) {
    const during = await nodes();
    expect([common(before, during).length, during.unready.length]).toEqual([left, 1]);
    await advance("PT1M50S");
    expect(await nodes()).toEqual(during);
    await advance("PT10S");
  }
  const after = await nodes();
  expect([common(before, after), after.unready]).toEqual([[], []]);
  expect(await settle()).toBe(0);
  expect(await instances()).toEqual([4, 5, 6]);
  const { data } = await api.listClusterPools(admin, { path });
  expect(data.map(({ id, count, nodes: members }) => [id, count, members.length])).toEqual([
    [1, 2, 2],
    [2, 1, 1],
  ]);
});

test("recycling a pool replaces only its nodes", async () => {
  const { admin, path, nodes, settle } = await withPools(2, 2);
  const before = await nodes();
  expect(await api.recycleClusterPool(admin, { path: { ...path, poolId: 1 } })).toEqual({});
  expect((await nodes()).unready).toHaveLength(1);
  await settle();
  const after = await nodes();
  expect(common(before, after)).toEqual(before.ids.slice(2));
  expect(after.ids.slice(2)).toEqual(before.ids.slice(2));
});

test("enabling high availability replaces all nodes one by one, and cannot be undone", async () => {
  const { admin, path, nodes, settle } = await withPools(2);
  const before = await nodes();
  const update = (high_availability: boolean): Promise<api.Cluster> =>
    api.updateCluster(admin, { path, body: { control_plane: { high_availability } } });
  expect((await update(false)).control_plane).toEqual({ high_availability: false });
  expect(await nodes()).toEqual(before);
  expect((await update(true)).control_plane).toEqual({ high_availability: true });
  expect((await nodes()).unready).toHaveLength(1);
  await settle();
  const after = await nodes();
  expect([common(before, after), after.unready]).toEqual([[], []]);
  expect(await failure(update(false))).toEqual([
    400,
    "control_plane.high_availability: High availability cannot be turned off",
  ]);
  await update(true);
  await settle();
  expect(await nodes()).toEqual(after);
});

test("a second recycling during the first covers the current nodes, still one at a time", async () => {
  const { admin, path, nodes, instances, advance, settle } = await withPools(3);
  const before = await nodes();
  await api.recycleCluster(admin, { path });
  await advance("PT30S");
  const during = await nodes();
  await api.recycleCluster(admin, { path });
  await api.recycleClusterPool(admin, { path: { ...path, poolId: 1 } });
  expect(await nodes()).toEqual(during);
  for (let replaced = 0; replaced < 4; replaced += 1) {
    expect((await nodes()).unready).toHaveLength(1);
    await advance("PT2M");
  }
  await settle();
  const after = await nodes();
  expect([common(before, after), common(during, after), after.ids.length, after.unready]).toEqual([[], [], 3, []]);
  // The two waiting nodes were replaced once, the node in creation a second time.
  expect(await instances()).toEqual([5, 6, 7]);
});

test("a recycling continues when the node that it waits for is deleted, or its pool or instance", async () => {
  for (const meddle of ["node", "pool", "instance"] as const) {
    const { admin, path, nodes, advance, settle } = await withPools(1, 3);
    const before = await nodes();
    await api.recycleCluster(admin, { path });
    await advance("PT30S");
    const [nodeId = ""] = (await nodes()).unready;
    const { instance_id } = await api.getClusterNode(admin, { path: { ...path, nodeId } });
    if (meddle === "node") await api.deleteClusterNode(admin, { path: { ...path, nodeId } });
    if (meddle === "pool") await api.deleteClusterPool(admin, { path: { ...path, poolId: 1 } });
    if (meddle === "instance") await api.deleteInstance(admin, { path: { computeId: instance_id ?? 0 } });
    await settle();
    const after = await nodes();
    expect([common(before, after), after.unready, after.ids.length]).toEqual([[], [], 3]);
  }
});

test("a pool that changes its count during recycling ends with as many nodes as its count", async () => {
  const { admin, path, nodes, instances, settle, advance } = await withPools(3);
  const before = await nodes();
  const pool = { ...path, poolId: 1 };
  await api.recycleClusterPool(admin, { path: pool });
  await api.updateClusterPool(admin, { path: pool, body: { count: 2 } });
  await advance("PT10S");
  await api.updateClusterPool(admin, { path: pool, body: { count: 4 } });
  await settle();
  const after = await nodes();
  expect([common(before, after), after.unready, after.ids.length]).toEqual([[], [], 4]);
  expect(await instances()).toHaveLength(4);
});

test("deleting a cluster during recycling deletes it with its jobs", async () => {
  const { admin, path, settle } = await withPools(2);
  await api.recycleCluster(admin, { path });
  await api.deleteCluster(admin, { path });
  await settle();
  expect((await api.listInstances(admin)).results).toBe(0);
});

test("nodes in creation are recycled, too, and a cluster without nodes has nothing to do", async () => {
  const { admin, settle } = await start();
  const body = { label: "web", region: "us-east", k8s_version: "1.29" };
  const make = async (label: string, count: number): Promise<{ clusterId: number }> => {
    const node_pools = count === 0 ? [] : [{ type: "g6-standard-1", count }];
    return { clusterId: (await api.createCluster(admin, { body: { ...body, label, node_pools } })).id };
  };
  const path = await make("web", 2);
  const { nodes: before } = await api.getClusterPool(admin, { path: { ...path, poolId: 1 } });
  await api.recycleCluster(admin, { path });
  await settle();
  const { nodes: after } = await api.getClusterPool(admin, { path: { ...path, poolId: 1 } });
  expect(after.map(({ status }) => status)).toEqual(["ready", "ready"]);
  expect(after.filter(({ id }) => before.some((each) => each.id === id))).toEqual([]);
  expect(await api.recycleCluster(admin, { path: await make("empty", 0) })).toEqual({});
});

test("recycling requires a cluster of the caller and the scope for changes", async () => {
  const { path, nodes, user } = await withPools(1);
  const [nodeId = ""] = (await nodes()).ids;
  const all = (client: api.Client): readonly (() => Promise<unknown>)[] => [
    () => api.recycleCluster(client, { path }),
    () => api.recycleClusterPool(client, { path: { ...path, poolId: 1 } }),
    () => api.recycleClusterNode(client, { path: { ...path, nodeId } }),
  ];
  for (const call of all(await user("eve", { account: "other" })))
    expect(await failure(call())).toEqual([404, "Not found"]);
  for (const call of all(await user("ann", { restricted: true })))
    expect(await failure(call())).toEqual([403, expect.any(String)]);
  for (const call of all(await user("bob", { scopes: "kube:read_only" })))
    expect(await failure(call())).toEqual([401, expect.any(String)]);
  expect((await nodes()).ids).toEqual([nodeId]);
});
