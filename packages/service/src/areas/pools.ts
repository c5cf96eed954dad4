import type { Pool } from "@cloud-compute/server";
import type { Rows } from "../store/rows.js";
import type { Work } from "../work.js";

/** Pools with their nodes, in the order in which those were made. */
export async function poolsShown({ tx }: Work, pools: readonly Rows["pools"][]): Promise<(Rows["pools"] & Pool)[]> {
  const nodes = await tx.nodes.among(
    "pool",
    pools.map(({ id }) => id),
  );
  const ordered = nodes.toSorted((a, b) => a.position - b.position);
  return pools.map((pool) => ({ ...pool, nodes: ordered.filter((node) => node.pool === pool.id) }));
}
