import { grantsEnd } from "../../access/grants.js";
import { jobSubject } from "../../platform/job-subjects.js";
import type { ClusterRow, Rows } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { recycleNodes, removeNodes } from "./nodes.js";

export { removeNodeOfInstance } from "./nodes.js";
export { poolResponses } from "./pools.js";

/** Deletes a cluster with its content and the services that it created. */
export async function removeCluster(work: UnitOfWork, cluster: ClusterRow, username: string): Promise<void> {
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
  await work.cancelJobs(jobSubject("cluster", cluster.id));
  await tx.clusters.remove([id]);
}

/** Recycles all nodes of a cluster that becomes highly available. */
export async function highAvailabilityReplacesNodes(
  work: UnitOfWork,
  { id }: ClusterRow,
  username: string,
): Promise<void> {
  await recycleNodes(work, { cluster: id, nodes: await work.tx.nodes.find({ cluster: id }), username });
}

/** A new NodeBalancer of an account, with addresses of the ranges that are reserved for documentation. */
export async function addNodeBalancer(
  { tx, date }: UnitOfWork,
  fields: Pick<Rows["nodebalancers"], "account" | "label" | "region" | "cluster" | "tags">,
): Promise<Rows["nodebalancers"]> {
  const id = await tx.nodebalancers.nextId();
  return tx.nodebalancers.add({
    ...fields,
    id,
    hostname: `nb-${id}.${fields.region}.nodebalancer.cloud-compute.example`,
    ipv4: `203.0.113.${1 + ((id - 1) % 254)}`,
    ipv6: `2001:db8:ffff::${id.toString(16)}`,
    client_conn_throttle: 0,
    created: date,
    transfer: { in: 0, out: 0, total: 0 },
  });
}
