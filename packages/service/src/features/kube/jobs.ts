import { newToken } from "../../access/credentials.js";
import { newAuthority } from "../../platform/certificate.js";
import { jobSubject, subjectId } from "../../platform/job-subjects.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { ClusterRow, JobRow, NodeRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { addNodeBalancer } from "./lifecycle.js";
import { addNodeInstance } from "./node-instances.js";
import { continueRecycling } from "./nodes.js";

export const kubeJobs: JobHandlers = {
  /** The API server runs from now on, and the dashboard is reachable through a NodeBalancer. */
  cluster: async (work, { subject, data }) => {
    const cluster = await work.tx.clusters.get(Number(subjectId(subject)));
    if (cluster === undefined) return;
    await work.tx.clusters.patch(cluster, {
      status: data["ends"] === "ready" ? "ready" : cluster.status,
      updated: work.date,
      kubeconfigToken: newToken(),
      certificate: newAuthority(work.now),
    });
    const { id, account, region } = cluster;
    await addNodeBalancer(work, { account, label: await freeLabel(work, cluster), region, cluster: id, tags: [] });
  },

  /** Creates the instance of a node. The node joins its cluster when the instance runs. */
  nodeInstance: async (work, job) => {
    const node = await nodeOf(work, job);
    if (node === undefined) return;
    const instance = await addNodeInstance(work, node);
    await work.tx.nodes.patch(node, { instance_id: instance.id });
    const { account, subject, event, data } = job;
    await work.startJob({ account, kind: "nodeJoin", subject, event, data });
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
    const opening = await work.tx.jobs.first({ kind: "cluster", subject: jobSubject("cluster", node.cluster) });
    if (opening !== undefined) {
      // Nodes join a running API server, so clients that wait for the nodes can read the kubeconfig then.
      const { account, kind, subject, event, data } = job;
      await work.startJobAfter(opening, { account, kind, subject, event, data });
      return;
    }
    const status = job.data["ends"] === "ready" ? "ready" : node.status;
    await work.tx.nodes.patch(node, { status, replaces: false });
    await work.finishEvent(job.event);
    await continueRecycling(work, node.cluster);
  },
};

async function nodeOf({ tx }: UnitOfWork, { subject }: JobRow): Promise<NodeRow | undefined> {
  return tx.nodes.get(subjectId(subject));
}

/** Milliseconds, at any pace. */
const shortestWait = 60_000;

const longestWait = 3_600_000;

/** An unused label for the NodeBalancer of a cluster. */
async function freeLabel({ tx }: UnitOfWork, { id, account }: ClusterRow): Promise<string> {
  const existing = await tx.nodebalancers.first({ account, label: `kube${id}` });
  return existing === undefined ? `kube${id}` : `kube${id}-${newToken().slice(0, 12)}`;
}
