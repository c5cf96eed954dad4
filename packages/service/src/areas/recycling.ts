import { nodeStatus } from "@cloud-compute/server";
import type { Area } from "../context.js";
import type { NodeRow } from "../store/rows.js";
import { callerOf, type Work } from "../work.js";
import { addNodes, removeNodes } from "./nodes.js";

export const recycling: Area<"recycleCluster" | "recycleClusterPool" | "recycleClusterNode"> = {
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

  /** One node does not wait for its turn. */
  recycleClusterNode: async ({ target }, context) => {
    await nodeReplaced(context.work, target, callerOf(context).user);
    return { status: 200, body: {} };
  },
};

/**
 * Has nodes replaced, one after another. Those that wait already are replaced once, and those that were just made are replaced again: a recycling is of
 * the nodes that are there when it is asked for.
 */
export async function recycleNodes(
  work: Work,
  {
    cluster,
    nodes,
    username,
  }: { readonly cluster: number; readonly nodes: readonly NodeRow[]; readonly username: string },
): Promise<void> {
  if (nodes.length === 0) return;
  for (const node of nodes) await work.tx.nodes.change(node, { recycleFor: node.recycleFor ?? username });
  await work.tx.clusters.change(await work.tx.clusters.only(cluster), { isRolling: true });
  await rollOn(work, cluster);
}

/** Replaces the next node of a cluster that is to be recycled, the oldest first, unless one that was replaced is not ready yet. */
export async function rollOn(work: Work, id: number): Promise<void> {
  const cluster = await work.tx.clusters.get(id);
  if (cluster === undefined || !cluster.isRolling) return;
  const nodes = (await work.tx.nodes.find({ cluster: id })).toSorted((a, b) => a.position - b.position);
  if (nodes.some(({ replaces }) => replaces)) return;
  const next = nodes.find(({ recycleFor }) => recycleFor !== null);
  if (next === undefined) await work.tx.clusters.change(cluster, { isRolling: false });
  else await nodeReplaced(work, next, next.recycleFor ?? "");
}

/** A node is deleted, and a new one with another id takes its place. */
async function nodeReplaced(work: Work, node: NodeRow, username: string): Promise<void> {
  const { tx } = work;
  nodeStatus.transition(node.status, "recycleClusterNode", "$gone");
  // node-instance-recycled
  await removeNodes(work, [node], username);
  await addNodes(work, await tx.clusters.only(node.cluster), {
    pool: await tx.pools.only(node.pool),
    count: 1,
    username,
    begins: nodeStatus.initial("recycleClusterNode"),
    replaces: true,
  });
}
