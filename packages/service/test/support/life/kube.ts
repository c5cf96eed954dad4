import * as api from "@cloud-compute/client";
import { regionOf, tagOf } from "./instances.js";
import type { Act, Walk } from "./walk.js";

/** Actions on clusters. */
export const kube: readonly Act[] = [
  createCluster,
  createCluster,
  inCluster(async (walk, path) => {
    const { random } = walk;
    const high = { control_plane: { high_availability: true } };
    const body = random.one([{ tags: [tagOf(walk)] }, { label: labelOf(walk) }, { k8s_version: "1.30" }, high]);
    await walk.ask(api.updateCluster, { path, body });
  }),
  inCluster(async (walk, path) => {
    if (walk.chance(30)) await walk.ask(api.deleteCluster, { path });
  }),
  inCluster(async (walk, path) => {
    await walk.ask(api.getCluster, { path });
    await walk.ask(api.listClusterApiEndpoints, { path });
    await walk.ask(api.getClusterDashboard, { path });
    await walk.ask(api.getClusterKubeconfig, { path });
    if (walk.chance(30)) await walk.ask(api.deleteClusterKubeconfig, { path });
  }),
  inCluster((walk, path) => walk.ask(api.recycleCluster, { path })),
  inCluster(async (walk, path) => {
    const listed = await walk.ask(api.listClusterPools, { path });
    if (listed === undefined || listed.results >= 3) return;
    const partition = { size: 2000, type: walk.random.one(["ext4", "raw"] as const) };
    await walk.ask(api.createClusterPool, {
      path,
      body: {
        type: "g6-standard-1",
        count: 1 + walk.random.below(2),
        disks: walk.chance(50) ? [partition] : [],
        tags: [tagOf(walk)],
      },
    });
  }),
  inPool((walk, path) => walk.ask(api.getClusterPool, { path })),
  inPool((walk, path) => {
    const count = 1 + walk.random.below(4);
    const autoscaler = { enabled: true, min: 1, max: 4 };
    const body = walk.random.one([{ count }, { count, autoscaler }, { tags: [tagOf(walk)] }]);
    return walk.ask(api.updateClusterPool, { path, body });
  }),
  inPool((walk, path) => walk.ask(walk.chance(40) ? api.deleteClusterPool : api.recycleClusterPool, { path })),
  inNode((walk, path) => walk.ask(api.getClusterNode, { path })),
  inNode((walk, path) => walk.ask(walk.chance(50) ? api.deleteClusterNode : api.recycleClusterNode, { path })),
  async (walk) => {
    const { data = [] } = (await walk.ask(api.listKubeVersions, {})) ?? {};
    await walk.ask(api.getKubeVersion, { path: { version: walk.some(data)?.id ?? "1.29" } });
  },
];

const most = 2;

function labelOf({ random }: Walk): string {
  return `cluster-${random.below(20)}`;
}

async function createCluster(walk: Walk): Promise<void> {
  if ((await walk.clusters()).length >= most) return;
  await walk.ask(api.createCluster, {
    body: {
      label: labelOf(walk),
      region: regionOf(walk),
      k8s_version: walk.random.one(["1.28", "1.29"]),
      node_pools: [{ type: "g6-standard-1", count: 1 + walk.random.below(3) }],
      tags: [tagOf(walk)],
    },
  });
}

function inCluster(act: (walk: Walk, path: { readonly clusterId: number }) => Promise<unknown>): Act {
  return async (walk) => {
    const cluster = walk.some(await walk.clusters());
    if (cluster !== undefined) await act(walk, { clusterId: cluster.id });
  };
}

function inPool(
  act: (walk: Walk, path: { readonly clusterId: number; readonly poolId: number }) => Promise<unknown>,
): Act {
  return inCluster(async (walk, path) => {
    const { data = [] } = (await walk.ask(api.listClusterPools, { path })) ?? {};
    const pool = walk.some(data);
    if (pool !== undefined) await act(walk, { ...path, poolId: pool.id });
  });
}

function inNode(
  act: (walk: Walk, path: { readonly clusterId: number; readonly nodeId: string }) => Promise<unknown>,
): Act {
  return inCluster(async (walk, path) => {
    const { data = [] } = (await walk.ask(api.listClusterPools, { path })) ?? {};
    const node = walk.some(data.flatMap(({ nodes }) => nodes));
    if (node !== undefined) await act(walk, { ...path, nodeId: node.id });
  });
}
