import { randomBytes } from "node:crypto";
import { nodeStatus } from "@cloud-compute/server";
import { latestPatch } from "../../platform/catalogue.js";
import { initialState } from "../../platform/initial-state.js";
import { jobSubject } from "../../platform/job-subjects.js";
import type { ClusterRow, InstanceRow, NodeRow, PoolRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { clusterEntity, nodeEntity } from "../events/lifecycle.js";
import { deleteNodeInstance } from "./node-instances.js";

/** The initial state of a node, from the state machine. */
export type BeginNode = NonNullable<ReturnType<typeof nodeStatus.initial>>;

/** Starts the creation of nodes for a pool. */
export async function addNodes(
  work: UnitOfWork,
  cluster: ClusterRow,
  options: {
    readonly pool: PoolRow;
    readonly count: number;
    readonly username: string;
    readonly begins: BeginNode;
    /** Whether they replace recycled nodes. */
    readonly replaces?: true;
  },
): Promise<void> {
  const { pool, count, username, begins, replaces = false } = options;
  for (let index = 0; index < count; index += 1) {
    const node = await work.tx.nodes.add({
      id: `${pool.id}-${randomBytes(6).toString("hex")}`,
      instance_id: null,
      status: begins.to,
      account: cluster.account,
      pool: pool.id,
      cluster: cluster.id,
      position: await work.tx.nextId("nodes"),
      patch: latestPatch.get(cluster.k8s_version) ?? cluster.k8s_version,
      replaces,
      recycleFor: null,
    });
    const { account } = cluster;
    const event = await work.recordEvent({
      account,
      action: "kube_node_create",
      username,
      entity: nodeEntity(node),
      secondary: clusterEntity(cluster),
      status: "started",
    });
    await work.startJob({
      account,
      kind: "nodeInstance",
      subject: jobSubject("node", node.id),
      event: event.id,
      data: { ends: begins.then[0] },
    });
  }
}

/** Deletes nodes, and starts deleting their instances. The caller updates the counts of the pools. */
export async function removeNodes(work: UnitOfWork, removed: readonly NodeRow[], username: string): Promise<void> {
  for (const node of removed) {
    await deleteNodeRow(work, node);
    await deleteNodeInstance(work, node, username);
  }
}

/** Deletes the node of an instance that was deleted directly. Does nothing for an instance without a cluster. */
export async function removeNodeOfInstance(work: UnitOfWork, { id, cluster }: InstanceRow): Promise<void> {
  if (cluster === null) return;
  const node = await work.tx.nodes.first({ instance_id: id });
  if (node === undefined) return;
  await deleteNodeRow(work, node);
  await nodeLeavesPool(work, node);
}

async function deleteNodeRow(work: UnitOfWork, node: NodeRow): Promise<void> {
  await work.cancelJobs(jobSubject("node", node.id));
  await work.tx.nodes.remove([node.id]);
}

/** Shrinks the pool of a deleted node, and continues a recycling that waited for the node. */
export async function nodeLeavesPool(work: UnitOfWork, { pool: id, cluster }: NodeRow): Promise<void> {
  const pool = await work.tx.pools.get(id);
  if (pool !== undefined) await work.tx.pools.patch(pool, { count: await work.tx.nodes.count({ pool: id }) });
  await continueRecycling(work, cluster);
}

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
  await continueRecycling(work, cluster);
}

/** Replaces the oldest node of a cluster that waits for recycling, unless a replacement is not ready yet. */
export async function continueRecycling(work: UnitOfWork, id: number): Promise<void> {
  const cluster = await work.tx.clusters.get(id);
  if (cluster === undefined || !cluster.isRolling) return;
  const nodes = oldestFirst(await work.tx.nodes.find({ cluster: id }));
  if (nodes.some(({ replaces }) => replaces)) return;
  const next = nodes.find(({ recycleFor }) => recycleFor !== null);
  if (next === undefined) await work.tx.clusters.patch(cluster, { isRolling: false });
  else await nodeReplaced(work, next, next.recycleFor ?? "");
}

/** Deletes a node, and creates a new one with another id. */
export async function nodeReplaced(work: UnitOfWork, node: NodeRow, username: string): Promise<void> {
  const { tx } = work;
  nodeStatus.transition(node.status, "recycleClusterNode", "$deleted");
  // node-instance-recycled
  await removeNodes(work, [node], username);
  await addNodes(work, await tx.clusters.getOrThrow(node.cluster), {
    pool: await tx.pools.getOrThrow(node.pool),
    count: 1,
    username,
    begins: initialState(nodeStatus, "recycleClusterNode"),
    replaces: true,
  });
}

/** Nodes in the order of their creation. */
export function oldestFirst(nodes: readonly NodeRow[]): NodeRow[] {
  return nodes.toSorted((a, b) => a.position - b.position);
}
