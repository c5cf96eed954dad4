import type { Pool, PoolCreate } from "@cloud-compute/server";
import type { ClusterRow, PoolRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { ensureTags } from "../tags/lifecycle.js";
import { assertDisksFit } from "./node-instances.js";
import { addNodes, removeNodes, continueRecycling, oldestFirst, type BeginNode } from "./nodes.js";

/** Adds a pool to a cluster, and starts the creation of its nodes. The pool is the complete request, or the value of `field` in it. */
export async function addPool(
  work: UnitOfWork,
  cluster: ClusterRow,
  options: { readonly pool: PoolCreate; readonly field: string; readonly username: string; readonly begins: BeginNode },
): Promise<PoolRow> {
  const { type, count, autoscaler, disks = [], tags = [] } = options.pool;
  assertDisksFit(type, { disks, field: options.field === "" ? "disks" : `${options.field}.disks` });
  const pool = await work.tx.pools.add({
    account: cluster.account,
    cluster: cluster.id,
    type,
    count,
    disks: disks.map(({ size, type: format }) => ({ size, type: format })),
    autoscaler: {
      enabled: autoscaler?.enabled ?? false,
      min: autoscaler?.min ?? count,
      max: autoscaler?.max ?? count,
    },
    tags: await ensureTags(work, cluster.account, tags),
  });
  // pool-nodes-created
  await addNodes(work, cluster, { ...options, pool, count });
  return pool;
}

/** Pools with their nodes, in the order of the nodes' creation. */
export async function poolResponses({ tx }: UnitOfWork, rows: readonly PoolRow[]): Promise<(PoolRow & Pool)[]> {
  const nodes = await tx.nodes.findIn(
    "pool",
    rows.map(({ id }) => id),
  );
  const ordered = oldestFirst(nodes);
  return rows.map((pool) => ({ ...pool, nodes: ordered.filter((node) => node.pool === pool.id) }));
}

/** Removes the newest nodes first, since they have had the least time to get work. */
export async function poolShrinks(
  work: UnitOfWork,
  { id, cluster }: PoolRow,
  { count, username }: { readonly count: number; readonly username: string },
): Promise<void> {
  const nodes = oldestFirst(await work.tx.nodes.find({ pool: id }));
  await removeNodes(work, nodes.slice(-count), username);
  await continueRecycling(work, cluster);
}

/** Deletes the nodes of a pool with their instances. */
export async function poolInstancesDeleted(work: UnitOfWork, { id }: PoolRow, username: string): Promise<void> {
  await removeNodes(work, await work.tx.nodes.find({ pool: id }), username);
}

/** A pool with its nodes. */
export async function poolResponse(work: UnitOfWork, pool: PoolRow): Promise<PoolRow & Pool> {
  const [response] = await poolResponses(work, [pool]);
  return response ?? { ...pool, nodes: [] };
}
