import { clusterStatus, filterable, nodeStatus, page } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import { newToken } from "../../access/credentials.js";
import { grantsEnd } from "../../access/grants.js";
import { newAuthority } from "../../platform/certificate.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { ClusterRow } from "../../store/rows.js";
import { callerOf, type UnitOfWork } from "../../unit-of-work.js";
import { addNodeBalancer } from "./nodebalancers.js";
import { clusterSubject, removeNodes } from "./nodes.js";
import { addPool } from "./pools.js";
import { recycleNodes } from "./recycle.js";
import { ensureTags } from "../tags/lifecycle.js";

export const clusterHandlers: TagHandlers<
  "listClusters" | "createCluster" | "getCluster" | "updateCluster" | "deleteCluster"
> = {
  listClusters: async ({ query, headers, listScope }, { work }) => {
    const listQuery = { query, listScope, filter: headers["X-Filter"], filterable: filterable.listClusters };
    const { items, total } = await work.tx.clusters.list({}, listQuery);
    return { status: 200, body: page(query, items, total) };
  },

  createCluster: async ({ body }, context) => {
    const { work } = context;
    const { user: username, account } = callerOf(context);
    const begins = clusterStatus.initial("createCluster", { body });
    if (begins === undefined) throw new TypeError("a cluster begins in no state");
    const cluster = await work.tx.clusters.add({
      account: account.id,
      status: begins.to,
      created: work.date,
      updated: work.date,
      label: body.label,
      region: body.region,
      k8s_version: body.k8s_version,
      control_plane: { high_availability: body.control_plane?.high_availability ?? false },
      tags: await ensureTags(work, account.id, body.tags ?? []),
      kubeconfigToken: null,
      certificate: null,
      isRolling: false,
    });
    // cluster-pools-created, cluster-nodes-created, cluster-events
    const nodesBegin = nodeStatus.initial("createCluster", { body });
    for (const [index, pool] of body.node_pools.entries())
      await addPool(work, cluster, { pool, field: `node_pools.${index}`, username, begins: nodesBegin });
    await work.startJob({
      account: account.id,
      kind: "cluster",
      subject: clusterSubject(cluster),
      takes: "cluster",
      data: { ends: begins.then[0] },
    });
    return { status: 200, body: cluster };
  },

  getCluster: ({ target }) => ({ status: 200, body: target }),

  updateCluster: async ({ target, body }, context) => {
    const { work } = context;
    const { high_availability } = target.control_plane;
    const changed: ClusterRow = {
      ...target,
      label: body.label ?? target.label,
      // Existing nodes keep their version until they are recycled.
      k8s_version: body.k8s_version ?? target.k8s_version,
      control_plane: { high_availability: body.control_plane?.high_availability ?? high_availability },
      tags: body.tags === undefined ? target.tags : await ensureTags(work, target.account, body.tags),
    };
    if (JSON.stringify(changed) === JSON.stringify(target)) return { status: 200, body: target };
    const cluster = { ...changed, updated: work.date };
    await work.tx.clusters.update(cluster);
    if (cluster.control_plane.high_availability && !high_availability)
      await highAvailabilityReplacesNodes(work, cluster, callerOf(context).user);
    return { status: 200, body: cluster };
  },

  deleteCluster: async ({ target }, context) => {
    clusterStatus.transition(target.status, "deleteCluster", "$deleted");
    await removeCluster(context.work, target, callerOf(context).user);
    return { status: 200, body: {} };
  },
};

export const clusterJobs: JobHandlers = {
  /** The API server runs from now on, and the dashboard is reachable through a NodeBalancer. */
  cluster: async (work, { subject, data }) => {
    const cluster = await work.tx.clusters.get(Number(subject.split(" ")[1]));
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
};

/** Deletes a cluster with its content and the services that it created. */
async function removeCluster(work: UnitOfWork, cluster: ClusterRow, username: string): Promise<void> {
  const { tx } = work;
  const { id } = cluster;
  // cluster-instances-deleted
  await removeNodes(work, await tx.nodes.find({ cluster: id }), username);
  await tx.pools.deleteReturning({ cluster: id });
  // cluster-nodebalancers-deleted
  for (const balancer of await tx.nodebalancers.deleteReturning({ cluster: id }))
    await grantsEnd(work, { account: cluster.account, kind: "nodebalancer", id: balancer.id });
  // cluster-volumes-stay
  for (const volume of await tx.volumes.find({ cluster: id })) await tx.volumes.patch(volume, { cluster: null });
  // cluster-services-deleted
  await work.cancel(clusterSubject(cluster));
  await tx.clusters.remove([id]);
}

async function highAvailabilityReplacesNodes(work: UnitOfWork, { id }: ClusterRow, username: string): Promise<void> {
  await recycleNodes(work, { cluster: id, nodes: await work.tx.nodes.find({ cluster: id }), username });
}

/** An unused label for the NodeBalancer of a cluster. */
async function freeLabel({ tx }: UnitOfWork, { id, account }: ClusterRow): Promise<string> {
  const existing = await tx.nodebalancers.first({ account, label: `kube${id}` });
  return existing === undefined ? `kube${id}` : `kube${id}-${newToken().slice(0, 12)}`;
}
