import { nodeStatus } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import type { NodeRow } from "../../store/rows.js";
import { callerOf, type UnitOfWork } from "../../unit-of-work.js";
import { addNodes, removeNodes } from "./nodes.js";

export const recycleHandlers: TagHandlers<"recycleCluster" | "recycleClusterPool" | "recycleClusterNode"> = {
  recycleCluster: async ({ target }, context) => {
    const nodes = await context.work.tx.nodes.find({ cluster: target.id });
    // cluster-nodes-recycled
    await recycleNodes(context.work, { cluster: target.id, nodes, username: callerOf(context).user });
    return { status: 200, body: {} };
  },

  recycleClusterPool: async ({ target }, context) => {
    const nodes = await context.work.tx.nodes.find({ pool: target.id });
    // pool-nodes-recycled
    await recycleNodes(context.work, { cluster: target.cluster, nodes, username: callerOf(context).user });
    return { status: 200, body: {} };
  },

  /** Recycling a single node happens at once. */
  recycleClusterNode: async ({ target }, context) => {
    await nodeReplaced(context.work, target, callerOf(context).user);
    return { status: 200, body: {} };
  },
};

/**
 * Starts replacing nodes one by one. Waiting nodes are replaced once, and nodes that were just created are replaced again: a recycling covers the
 * nodes that exist at the time of the request.
 */
export async function recycleNodes(
  work: UnitOfWork,
  {
    cluster,
    nodes,
    username,
  }: { readonly cluster: number; readonly nodes: readonly NodeRow[]; readonly username: string },
): Promise<void> {
  if (nodes.length === 0) return;
  for (const node of nodes) await work.tx.nodes.patch(node, { recycleFor: node.recycleFor ?? username });
  await work.tx.clusters.patch(await work.tx.clusters.getOrThrow(cluster), { isRolling: true });
  await rollOn(work, cluster);
}

/** Replaces the oldest node of a cluster that waits for recycling, unless a replacement is not ready yet. */
export async function rollOn(work: UnitOfWork, id: number): Promise<void> {
  const cluster = await work.tx.clusters.get(id);
  if (cluster === undefined || !cluster.isRolling) return;
  const nodes = (await work.tx.nodes.find({ cluster: id })).toSorted((a, b) => a.position - b.position);
  if (nodes.some(({ replaces }) => replaces)) return;
  const next = nodes.find(({ recycleFor }) => recycleFor !== null);
  if (next === undefined) await work.tx.clusters.patch(cluster, { isRolling: false });
  else await nodeReplaced(work, next, next.recycleFor ?? "");
}

/** Deletes a node, and creates a new one with another id. */
async function nodeReplaced(work: UnitOfWork, node: NodeRow, username: string): Promise<void> {
  const { tx } = work;
  nodeStatus.transition(node.status, "recycleClusterNode", "$deleted");
  // node-instance-recycled
  await removeNodes(work, [node], username);
  await addNodes(work, await tx.clusters.getOrThrow(node.cluster), {
    pool: await tx.pools.getOrThrow(node.pool),
    count: 1,
    username,
    begins: nodeStatus.initial("recycleClusterNode"),
    replaces: true,
  });
}
