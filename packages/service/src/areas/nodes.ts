import { randomBytes } from "node:crypto";
import { nodeStatus, type EventEntity } from "@cloud-compute/server";
import type { Area } from "../context.js";
import { latestPatch } from "../platform/catalogue.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { ClusterRow, InstanceRow, JobRow, NodeRow, PoolRow } from "../store/rows.js";
import { callerOf, type Work } from "../work.js";
import { addNodeInstance, nodeInstanceDeleted } from "./node-instances.js";
import { rollOn } from "./recycling.js";

export const nodes: Area<"getClusterNode" | "deleteClusterNode"> = {
  getClusterNode: ({ target }) => ({ status: 200, body: target }),

  deleteClusterNode: async ({ target }, context) => {
    const { work } = context;
    nodeStatus.transition(target.status, "deleteClusterNode", "$gone");
    await removeNodes(work, [target], callerOf(context).user);
    await nodeLeavesPool(work, target);
    return { status: 200, body: {} };
  },
};

export const nodeJobs: JobHandlers = {
  /** The machine of a node is made; the node joins its cluster when that runs. */
  nodeInstance: async (work, job) => {
    const node = await nodeOf(work, job);
    if (node === undefined) return;
    const instance = await addNodeInstance(work, node);
    await work.tx.nodes.change(node, { instance_id: instance.id });
    const { account, subject, event, data } = job;
    await work.begin({ account, kind: "nodeJoin", subject, takes: "nodeJoin", event, data });
  },

  nodeJoin: async (work, job) => {
    const node = await nodeOf(work, job);
    if (node === undefined) return;
    const instance = await work.tx.instances.get(node.instance_id ?? 0);
    if (instance?.state !== "running") {
      // Nobody knows when it runs, so that this is nothing to wait for. The longer it takes, the less often it is looked at.
      const { account, kind, subject, event, data } = job;
      const since = Number(data["since"] ?? work.now);
      const wait = Math.min(Math.max((work.now - since) / 10, shortestWait), longestWait);
      const later = { account, kind, subject, event, data: { ...data, since } };
      await work.plan({ ...later, nature: "recurring", due: work.now + wait });
      return;
    }
    const opening = await work.tx.jobs.first({ kind: "cluster", subject: clusterSubject({ id: node.cluster }) });
    if (opening !== undefined) {
      // There is nothing to join before the API server answers; who waits for the nodes can have the kubeconfig then.
      const { account, kind, subject, event, data } = job;
      await work.beginAfter(opening, { account, kind, subject, event, data });
      return;
    }
    const status = job.data["ends"] === "ready" ? "ready" : node.status;
    await work.tx.nodes.change(node, { status, replaces: false });
    await work.finish(job.event);
    await rollOn(work, node.cluster);
  },
};

/** How a node begins, by the table of states. */
export type Begins = ReturnType<typeof nodeStatus.initial>;

/** Has nodes made for a pool. */
export async function addNodes(
  work: Work,
  cluster: ClusterRow,
  of: {
    readonly pool: PoolRow;
    readonly count: number;
    readonly username: string;
    readonly begins: Begins;
    /** Whether they take the place of nodes that were recycled. */
    readonly replaces?: true;
  },
): Promise<void> {
  const { pool, count, username, begins, replaces = false } = of;
  if (begins === undefined) throw new TypeError("a node begins in no state");
  for (let made = 0; made < count; made += 1) {
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
    const event = await work.tell({
      account,
      action: "kube_node_create",
      username,
      entity: nodeEntity(node),
      secondary: clusterEntity(cluster),
      status: "started",
    });
    await work.begin({
      account,
      kind: "nodeInstance",
      subject: subjectOf(node),
      takes: "nodeInstance",
      event: event.id,
      data: { ends: begins.then[0] },
    });
  }
}

/** Takes nodes away, and begins to delete their instances. What their pools count is left to the caller. */
export async function removeNodes(work: Work, removed: readonly NodeRow[], username: string): Promise<void> {
  for (const node of removed) {
    await forgetNode(work, node);
    await nodeInstanceDeleted(work, node, username);
  }
}

/** The node of an instance that was deleted by itself goes with it. */
export async function nodeFollows(work: Work, { id }: InstanceRow): Promise<void> {
  const node = await work.tx.nodes.first({ instance_id: id });
  if (node === undefined) return;
  await forgetNode(work, node);
  await nodeLeavesPool(work, node);
}

async function forgetNode(work: Work, node: NodeRow): Promise<void> {
  for (const { event } of await work.cancel(subjectOf(node))) await work.finish(event, "failed");
  await work.tx.nodes.remove([node.id]);
}

/** The pool of a node that is gone is smaller; what waited for that node goes on. */
async function nodeLeavesPool(work: Work, { pool: id, cluster }: NodeRow): Promise<void> {
  const pool = await work.tx.pools.get(id);
  if (pool !== undefined) await work.tx.pools.change(pool, { count: await work.tx.nodes.count({ pool: id }) });
  await rollOn(work, cluster);
}

async function nodeOf({ tx }: Work, { subject }: JobRow): Promise<NodeRow | undefined> {
  return tx.nodes.get(subject.split(" ")[1] ?? "");
}

/** What jobs of a node are about. */
function subjectOf({ id }: NodeRow): string {
  return `node ${id}`;
}

/** What jobs of a cluster are about. */
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
