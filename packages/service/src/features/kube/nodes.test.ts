import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { failure, start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";

const notFound = [404, "Not found"];

/** A world with a cluster of one pool that is completely ready. */
async function withNodes(
  pool: Partial<api.PoolCreate> = {},
): Promise<World & { readonly clusterId: number; nodes(): Promise<api.Node[]>; count(): Promise<number> }> {
  const world = await start();
  const node_pools = [{ type: "g6-standard-1", count: 2, ...pool }];
  const body = { label: "web", region: "us-east", k8s_version: "1.30", node_pools };
  const { id: clusterId } = await api.createCluster(world.admin, { body });
  await world.settle();
  const readPool = (): Promise<api.Pool> => api.getClusterPool(world.admin, { path: { clusterId, poolId: 1 } });
  return {
    ...world,
    clusterId,
    nodes: async () => (await readPool()).nodes,
    count: async () => (await readPool()).count,
  };
}

const nodeAt = (nodes: readonly api.Node[], index = 0): api.Node => {
  const node = nodes[index];
  if (node === undefined) throw new Error(`missing node ${index}`);
  return node;
};

test("a node reads as in its pool, with the scope for changes", async () => {
  const { admin, clusterId, nodes, user } = await withNodes();
  const node = nodeAt(await nodes());
  expect(node).toEqual({ id: expect.stringMatching(/^1-[0-9a-f]{12}$/), instance_id: 1, status: "ready" });
  const path = { clusterId, nodeId: node.id };
  expect(await api.getClusterNode(admin, { path })).toEqual(node);
  const reader = await user("bob", { scopes: "kube:read_only" });
  expect(await failure(api.getClusterNode(reader, { path }))).toEqual([401, expect.any(String)]);
  expect(await failure(api.getClusterNode(await user("ann", { restricted: true }), { path }))).toEqual([
    403,
    expect.any(String),
  ]);
  expect(await failure(api.deleteClusterNode(await user("joe", { restricted: true }), { path }))).toEqual([
    403,
    expect.any(String),
  ]);
  const stranger = await user("eve", { account: "other" });
  expect(await failure(api.getClusterNode(stranger, { path }))).toEqual(notFound);
  expect(await failure(api.deleteClusterNode(stranger, { path }))).toEqual(notFound);
  expect(await failure(api.getClusterNode(admin, { path: { clusterId, nodeId: "1-000000000000" } }))).toEqual(notFound);
  const { id: other } = await api.createCluster(admin, {
    body: { label: "db", region: "us-east", k8s_version: "1.30", node_pools: [] },
  });
  expect(await failure(api.getClusterNode(admin, { path: { clusterId: other, nodeId: node.id } }))).toEqual(notFound);
});

test("deleting a node deletes its instance and shrinks the pool, whose bounds stay", async () => {
  const { admin, clusterId, nodes, settle } = await withNodes({ autoscaler: { enabled: true, min: 2, max: 3 } });
  const [first, second] = await nodes();
  const path = { clusterId, poolId: 1 };
  expect(await api.deleteClusterNode(admin, { path: { clusterId, nodeId: first?.id ?? "" } })).toEqual({});
  expect(await api.getClusterPool(admin, { path })).toMatchObject({
    count: 1,
    nodes: [second],
    autoscaler: { enabled: true, min: 2, max: 3 },
  });
  expect(await failure(api.getClusterNode(admin, { path: { clusterId, nodeId: first?.id ?? "" } }))).toEqual(notFound);
  expect((await api.getInstance(admin, { path: { computeId: 1 } })).status).toBe("deleting");
  await settle();
  expect((await api.listInstances(admin)).data.map(({ id }) => id)).toEqual([2]);
});

// The generated server validates the complete pool, also if neither the count nor the autoscaler changes.
test("a pool with fewer nodes than its autoscaler's minimum accepts other changes", async () => {
  const { admin, clusterId, nodes } = await withNodes({ autoscaler: { enabled: true, min: 2, max: 3 } });
  await api.deleteClusterNode(admin, { path: { clusterId, nodeId: nodeAt(await nodes()).id } });
  const path = { clusterId, poolId: 1 };
  expect((await api.updateClusterPool(admin, { path, body: { tags: ["small"] } })).tags).toEqual(["small"]);
});

test("a pool without nodes remains, and can grow again", async () => {
  const { admin, clusterId, nodes, settle } = await withNodes({ count: 1 });
  await api.deleteClusterNode(admin, { path: { clusterId, nodeId: nodeAt(await nodes()).id } });
  await settle();
  const path = { clusterId, poolId: 1 };
  const empty = await api.getClusterPool(admin, { path });
  expect(empty).toMatchObject({ count: 0, nodes: [], autoscaler: { enabled: false, min: 1, max: 1 } });
  expect(await api.updateClusterPool(admin, { path, body: empty })).toEqual(empty);
  expect((await api.updateClusterPool(admin, { path, body: { count: 2 } })).nodes).toHaveLength(2);
});

test("deleting an instance deletes its node", async () => {
  const { admin, nodes, count, settle } = await withNodes();
  const [first, second] = await nodes();
  await api.deleteInstance(admin, { path: { computeId: first?.instance_id ?? 0 } });
  await settle();
  expect(await nodes()).toEqual([second]);
  expect(await count()).toBe(1);
});

test("a node can be deleted while its instance is the source of a copy, or is being deleted", async () => {
  const { admin, clusterId, nodes, count, settle, controls: client } = await withNodes({ count: 3 });
  const [cloned, restored, deleted] = await nodes();
  await api.cloneInstance(admin, {
    path: { computeId: cloned?.instance_id ?? 0 },
    body: { region: "us-east", type: "g6-standard-1", label: "copy" },
  });
  await controls.setInstanceStatus(client, {
    path: { id: restored?.instance_id ?? 0 },
    body: { status: "restoring" },
  });
  await api.deleteInstance(admin, { path: { computeId: deleted?.instance_id ?? 0 } });
  for (const node of [cloned, restored, deleted])
    await api.deleteClusterNode(admin, { path: { clusterId, nodeId: node?.id ?? "" } });
  expect(await count()).toBe(0);
  await settle();
  expect((await api.listInstances(admin)).data.map(({ label, status }) => [label, status])).toEqual([
    ["copy", "offline"],
  ]);
});

test("deleting a node during its creation removes everything", async () => {
  const { admin, clusterId, nodes, advance, settle } = await withNodes();
  const path = { clusterId, poolId: 1 };
  await api.updateClusterPool(admin, { path, body: { count: 4 } });
  const [, , early, late] = await nodes();
  await api.deleteClusterNode(admin, { path: { clusterId, nodeId: early?.id ?? "" } });
  await advance("PT20S");
  await api.deleteClusterNode(admin, { path: { clusterId, nodeId: late?.id ?? "" } });
  await settle();
  expect((await api.listInstances(admin)).results).toBe(2);
  expect((await nodes()).map(({ status }) => status)).toEqual(["ready", "ready"]);
  const { data } = await api.listEvents(admin, {
    headers: { "X-Filter": { action: "kube_node_create", "+order_by": "id" } },
  });
  expect(data.map(({ status }) => status)).toEqual(["finished", "finished", "failed", "failed"]);
});

test("a node joins when its instance runs, and not before", async () => {
  const { admin, clusterId, nodes, advance, settle, controls: client } = await withNodes();
  await api.updateClusterPool(admin, { path: { clusterId, poolId: 1 }, body: { count: 3 } });
  await advance("PT1M");
  const { instance_id } = nodeAt(await nodes(), 2);
  await controls.setInstanceStatus(client, { path: { id: instance_id ?? 0 }, body: { status: "suspended" } });
  await settle();
  await advance("PT5M");
  expect(nodeAt(await nodes(), 2).status).toBe("not_ready");
  await controls.setInstanceStatus(client, { path: { id: instance_id ?? 0 }, body: { status: "running" } });
  await advance("PT1M");
  expect(nodeAt(await nodes(), 2).status).toBe("ready");
});
