import { filterable, nodeStatus, page, type Pool, type PoolCreate } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import type { ClusterRow, NodeRow, PoolRow } from "../../store/rows.js";
import { callerOf, type UnitOfWork } from "../../unit-of-work.js";
import { assertDisksFit } from "./node-instances.js";
import { addNodes, removeNodes, type BeginNode } from "./nodes.js";
import { rollOn } from "./recycle.js";
import { ensureTags } from "../tags/lifecycle.js";

export const poolHandlers: TagHandlers<
  "listClusterPools" | "createClusterPool" | "getClusterPool" | "updateClusterPool" | "deleteClusterPool"
> = {
  listClusterPools: async ({ query, headers, target }, { work }) => {
    const listQuery = { query, filter: headers["X-Filter"], filterable: filterable.listClusterPools };
    const { items, total } = await work.tx.pools.list({ cluster: target.id }, listQuery);
    return { status: 200, body: page(query, await poolResponses(work, items), total) };
  },

  createClusterPool: async ({ target, body }, context) => {
    const { work } = context;
    const begins = nodeStatus.initial("createClusterPool", { body, target });
    const pool = await addPool(work, target, { pool: body, field: "", username: callerOf(context).user, begins });
    return { status: 200, body: await poolResponse(work, pool) };
  },

  getClusterPool: ({ target }) => ({ status: 200, body: target }),

  updateClusterPool: async ({ target, body, refs }, context) => {
    const { work } = context;
    const { nodes, ...before } = target;
    const pool: PoolRow = {
      ...before,
      count: body.count ?? before.count,
      autoscaler: { ...before.autoscaler, ...body.autoscaler },
      tags: body.tags === undefined ? before.tags : await ensureTags(work, before.account, body.tags),
    };
    await work.tx.pools.update(pool);
    const username = callerOf(context).user;
    const more = pool.count - nodes.length;
    if (more > 0) {
      const begins = nodeStatus.initial("updateClusterPool", { body, target });
      // pool-grows
      await addNodes(work, refs.clusterId, { pool, count: more, username, begins });
    }
    if (more < 0) await poolShrinks(work, pool, { count: -more, username });
    return { status: 200, body: await poolResponse(work, pool) };
  },

  deleteClusterPool: async ({ target }, context) => {
    const { work } = context;
    await poolInstancesDeleted(work, target, callerOf(context).user);
    await work.tx.pools.remove([target.id]);
    await rollOn(work, target.cluster);
    return { status: 200, body: {} };
  },
};

/** Adds a pool to a cluster, and starts the creation of its nodes. The pool is the complete request, or the value of `field` in it. */
export async function addPool(
  work: UnitOfWork,
  cluster: ClusterRow,
  of: { readonly pool: PoolCreate; readonly field: string; readonly username: string; readonly begins: BeginNode },
): Promise<PoolRow> {
  const { type, count, autoscaler, disks = [], tags = [] } = of.pool;
  assertDisksFit(type, { disks, field: of.field === "" ? "disks" : `${of.field}.disks` });
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
  await addNodes(work, cluster, { ...of, pool, count });
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
async function poolShrinks(
  work: UnitOfWork,
  { id, cluster }: PoolRow,
  { count, username }: { readonly count: number; readonly username: string },
): Promise<void> {
  const nodes = oldestFirst(await work.tx.nodes.find({ pool: id }));
  await removeNodes(work, nodes.slice(-count), username);
  await rollOn(work, cluster);
}

async function poolInstancesDeleted(work: UnitOfWork, { id }: PoolRow, username: string): Promise<void> {
  await removeNodes(work, await work.tx.nodes.find({ pool: id }), username);
}

async function poolResponse(work: UnitOfWork, pool: PoolRow): Promise<PoolRow & Pool> {
  const [response] = await poolResponses(work, [pool]);
  return response ?? { ...pool, nodes: [] };
}

function oldestFirst(nodes: readonly NodeRow[]): NodeRow[] {
  return nodes.toSorted((a, b) => a.position - b.position);
}
