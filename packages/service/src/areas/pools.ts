import { filterable, nodeStatus, page, type Pool, type PoolCreate } from "@cloud-compute/server";
import type { Area } from "../context.js";
import type { ClusterRow, NodeRow, PoolRow } from "../store/rows.js";
import { callerOf, type Work } from "../work.js";
import { judgeDisks } from "./node-instances.js";
import { addNodes, removeNodes, type Begins } from "./nodes.js";
import { rollOn } from "./recycling.js";
import { ensureTags } from "./tagging.js";

export const pools: Area<
  "listClusterPools" | "createClusterPool" | "getClusterPool" | "updateClusterPool" | "deleteClusterPool"
> = {
  listClusterPools: async ({ query, headers, target }, { work }) => {
    const wish = { query, filter: headers["X-Filter"], filterable: filterable.listClusterPools };
    const { items, total } = await work.tx.pools.list({ cluster: target.id }, wish);
    return { status: 200, body: page(query, await poolsShown(work, items), total) };
  },

  createClusterPool: async ({ target, body }, context) => {
    const { work } = context;
    const begins = nodeStatus.initial("createClusterPool", { body, target });
    const pool = await addPool(work, target, { pool: body, field: "", username: callerOf(context).user, begins });
    return { status: 200, body: await poolShown(work, pool) };
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
    await work.tx.pools.put(pool);
    const username = callerOf(context).user;
    const more = pool.count - nodes.length;
    if (more > 0) {
      const begins = nodeStatus.initial("updateClusterPool", { body, target });
      // pool-grows
      await addNodes(work, refs.clusterId, { pool, count: more, username, begins });
    }
    if (more < 0) await poolShrinks(work, pool, { count: -more, username });
    return { status: 200, body: await poolShown(work, pool) };
  },

  deleteClusterPool: async ({ target }, context) => {
    const { work } = context;
    await poolInstancesDeleted(work, target, callerOf(context).user);
    await work.tx.pools.remove([target.id]);
    await rollOn(work, target.cluster);
    return { status: 200, body: {} };
  },
};

/** A new pool of a cluster, whose nodes are made from now on. It stands in a field of the request, or is the whole of it. */
export async function addPool(
  work: Work,
  cluster: ClusterRow,
  of: { readonly pool: PoolCreate; readonly field: string; readonly username: string; readonly begins: Begins },
): Promise<PoolRow> {
  const { type, count, autoscaler, disks = [], tags = [] } = of.pool;
  judgeDisks(type, { disks, field: of.field === "" ? "disks" : `${of.field}.disks` });
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

/** Pools with their nodes, in the order in which those were made. */
export async function poolsShown({ tx }: Work, rows: readonly PoolRow[]): Promise<(PoolRow & Pool)[]> {
  const nodes = await tx.nodes.among(
    "pool",
    rows.map(({ id }) => id),
  );
  const ordered = oldestFirst(nodes);
  return rows.map((pool) => ({ ...pool, nodes: ordered.filter((node) => node.pool === pool.id) }));
}

/** The newest nodes go first, which had the least time to be filled. */
async function poolShrinks(
  work: Work,
  { id, cluster }: PoolRow,
  { count, username }: { readonly count: number; readonly username: string },
): Promise<void> {
  const nodes = oldestFirst(await work.tx.nodes.find({ pool: id }));
  await removeNodes(work, nodes.slice(-count), username);
  await rollOn(work, cluster);
}

async function poolInstancesDeleted(work: Work, { id }: PoolRow, username: string): Promise<void> {
  await removeNodes(work, await work.tx.nodes.find({ pool: id }), username);
}

async function poolShown(work: Work, pool: PoolRow): Promise<PoolRow & Pool> {
  const [shown] = await poolsShown(work, [pool]);
  return shown ?? { ...pool, nodes: [] };
}

function oldestFirst(nodes: readonly NodeRow[]): NodeRow[] {
  return nodes.toSorted((a, b) => a.position - b.position);
}
