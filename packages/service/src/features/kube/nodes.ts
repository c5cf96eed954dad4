import { randomBytes } from "node:crypto";
import { nodeStatus, type EventEntity } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import { latestPatch } from "../../platform/catalogue.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { ClusterRow, InstanceRow, JobRow, NodeRow, PoolRow } from "../../store/rows.js";
import { callerOf, type UnitOfWork } from "../../unit-of-work.js";
import { addNodeInstance, deleteNodeOfInstance } from "./node-instances.js";
import { rollOn } from "./recycle.js";

export const nodeHandlers: TagHandlers<"getClusterNode" | "deleteClusterNode"> = {
  getClusterNode: ({ target }) => ({ status: 200, body: target }),

  deleteClusterNode: async ({ target }, context) => {
    const { work } = context;
    nodeStatus.transition(target.status, "deleteClusterNode", "$deleted");
    await removeNodes(work, [target], callerOf(context).user);
    await nodeLeavesPool(work, target);
    return { status: 200, body: {} };
  },
};

export const nodeJobs: JobHandlers = {
  /** Creates the instance of a node. The node joins its cluster when the instance runs. */
  nodeInstance: async (work, job) => {
    const node = await nodeOf(work, job);
    if (node === undefined) return;
    const instance = await addNodeInstance(work, node);
    await work.tx.nodes.patch(node, { instance_id: instance.id });
    const { account, subject, event, data } = job;
    await work.startJob({ account, kind: "nodeJoin", subject, takes: "nodeJoin", event, data });
  },

  nodeJoin: async (work, job) => {
    const node = await nodeOf(work, job);
    if (node === undefined) return;
    const instance = await work.tx.instances.get(node.instance_id ?? 0);
    if (instance?.state !== "running") {
      // The instance may start at any time, so this is not a transient state. The checks become less frequent over time.
      const { account, kind, subject, event, data } = job;
      const since = Number(data["since"] ?? work.now);
      const wait = Math.min(Math.max((work.now - since) / 10, shortestWait), longestWait);
      const later = { account, kind, subject, event, data: { ...data, since } };
      await work.scheduleJob({ ...later, nature: "recurring", due: work.now + wait });
      return;
    }
    const opening = await work.tx.jobs.first({ kind: "cluster", subject: clusterSubject({ id: node.cluster }) });
    if (opening !== undefined) {
      // Nodes join a running API server, so clients that wait for the nodes can read the kubeconfig then.
      const { account, kind, subject, event, data } = job;
      await work.startJobAfter(opening, { account, kind, subject, event, data });
      return;
    }
    const status = job.data["ends"] === "ready" ? "ready" : node.status;
    await work.tx.nodes.patch(node, { status, replaces: false });
    await work.finishEvent(job.event);
    await rollOn(work, node.cluster);
  },
};

/** The initial state of a node, from the state machine. */
export type BeginNode = ReturnType<typeof nodeStatus.initial>;

/** Starts the creation of nodes for a pool. */
export async function addNodes(
  work: UnitOfWork,
  cluster: ClusterRow,
  of: {
    readonly pool: PoolRow;
    readonly count: number;
    readonly username: string;
    readonly begins: BeginNode;
    /** Whether they replace recycled nodes. */
    readonly replaces?: true;
  },
): Promise<void> {
  const { pool, count, username, begins, replaces = false } = of;
  if (begins === undefined) throw new TypeError("a node begins in no state");
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
      subject: subjectOf(node),
      takes: "nodeInstance",
      event: event.id,
      data: { ends: begins.then[0] },
    });
  }
}

/** Deletes nodes, and starts deleting their instances. The caller updates the counts of the pools. */
export async function removeNodes(work: UnitOfWork, removed: readonly NodeRow[], username: string): Promise<void> {
  for (const node of removed) {
    await deleteNodeRow(work, node);
    await deleteNodeOfInstance(work, node, username);
  }
}

/** Deletes the node of an instance that was deleted directly. */
export async function advanceNode(work: UnitOfWork, { id }: InstanceRow): Promise<void> {
  const node = await work.tx.nodes.first({ instance_id: id });
  if (node === undefined) return;
  await deleteNodeRow(work, node);
  await nodeLeavesPool(work, node);
}

async function deleteNodeRow(work: UnitOfWork, node: NodeRow): Promise<void> {
  for (const { event } of await work.cancel(subjectOf(node))) await work.finishEvent(event, "failed");
  await work.tx.nodes.remove([node.id]);
}

/** Shrinks the pool of a deleted node, and continues a recycling that waited for the node. */
async function nodeLeavesPool(work: UnitOfWork, { pool: id, cluster }: NodeRow): Promise<void> {
  const pool = await work.tx.pools.get(id);
  if (pool !== undefined) await work.tx.pools.patch(pool, { count: await work.tx.nodes.count({ pool: id }) });
  await rollOn(work, cluster);
}

async function nodeOf({ tx }: UnitOfWork, { subject }: JobRow): Promise<NodeRow | undefined> {
  return tx.nodes.get(subject.split(" ")[1] ?? "");
}

/** The subject of a node's jobs. */
function subjectOf({ id }: NodeRow): string {
  return `node ${id}`;
}

/** The subject of a cluster's jobs. */
export function clusterSubject({ id }: Pick<ClusterRow, "id">): string {
  return `cluster ${id}`;
}

function nodeEntity({ id, cluster }: NodeRow): EventEntity {
  return { id, label: null, type: "kube_node", url: `/v4/kube/clusters/${cluster}/nodes/${id}` };
}

function clusterEntity({ id, label }: ClusterRow): EventEntity {
  return { id, label, type: "kube", url: `/v4/kube/clusters/${id}` };
}

/** Milliseconds, at any pace. */
const shortestWait = 60_000;
const longestWait = 3_600_000;
