import { clusterStatus, filterable, nodeStatus, page } from "@cloud-compute/server";
import { callerOf } from "../../access/caller.js";
import type { TagHandlers } from "../../context.js";
import { kubeVersions } from "../../platform/catalogue.js";
import { initialState } from "../../platform/initial-state.js";
import { jobSubject } from "../../platform/job-subjects.js";
import type { ClusterRow, PoolRow } from "../../store/rows.js";
import { isSameRow } from "../../store/same-row.js";
import { ensureTags } from "../tags/lifecycle.js";
import { apiServerAddress, apiServerHost, kubeconfigOf, kubeconfigReplaced, apiServerPorts } from "./kubeconfig.js";
import { highAvailabilityReplacesNodes, removeCluster } from "./lifecycle.js";
import { addNodes, nodeLeavesPool, nodeReplaced, recycleNodes, removeNodes, continueRecycling } from "./nodes.js";
import { addPool, poolInstancesDeleted, poolResponse, poolResponses, poolShrinks } from "./pools.js";

export const kubeHandlers: TagHandlers<
  | "listClusters"
  | "createCluster"
  | "getCluster"
  | "updateCluster"
  | "deleteCluster"
  | "listClusterApiEndpoints"
  | "getClusterDashboard"
  | "getClusterKubeconfig"
  | "deleteClusterKubeconfig"
  | "listClusterPools"
  | "createClusterPool"
  | "getClusterPool"
  | "updateClusterPool"
  | "deleteClusterPool"
  | "getClusterNode"
  | "deleteClusterNode"
  | "recycleCluster"
  | "recycleClusterPool"
  | "recycleClusterNode"
  | "listKubeVersions"
  | "getKubeVersion"
> = {
  listClusters: async ({ query, headers, listScope }, { work }) => {
    const listQuery = { query, listScope, filter: headers["X-Filter"], filterable: filterable.listClusters };
    const { items, total } = await work.tx.clusters.list({}, listQuery);
    return { status: 200, body: page(query, items, total) };
  },

  createCluster: async ({ body }, context) => {
    const { work } = context;
    const { user: username, account } = callerOf(context);
    const begins = initialState(clusterStatus, "createCluster", { body });
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
    // cluster-pools-created, cluster-nodes-created, cluster-instances-created, cluster-events
    const nodesBegin = initialState(nodeStatus, "createCluster", { body });
    for (const [index, pool] of body.node_pools.entries())
      await addPool(work, cluster, { pool, field: `node_pools.${index}`, username, begins: nodesBegin });
    await work.startJob({
      account: account.id,
      kind: "cluster",
      subject: jobSubject("cluster", cluster.id),
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
    if (isSameRow(changed, target)) return { status: 200, body: target };
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

  listClusterApiEndpoints: ({ query, target }) => {
    const all = [apiServerHost(target), apiServerAddress(target)].flatMap((host) =>
      apiServerPorts.map((port) => ({ endpoint: `https://${host}:${port}` })),
    );
    return { status: 200, body: pageOf(query, all) };
  },

  getClusterDashboard: ({ target: { id } }) => ({
    status: 200,
    body: { url: `https://${id}.dashboard.kube.cloud-compute.example` },
  }),

  getClusterKubeconfig: async ({ target }) => ({
    status: 200,
    body: { kubeconfig: Buffer.from(await kubeconfigOf(target)).toString("base64") },
  }),

  deleteClusterKubeconfig: async ({ target }, { work }) => {
    await kubeconfigReplaced(work, target);
    return { status: 200, body: {} };
  },

  listClusterPools: async ({ query, headers, target }, { work }) => {
    const listQuery = { query, filter: headers["X-Filter"], filterable: filterable.listClusterPools };
    const { items, total } = await work.tx.pools.list({ cluster: target.id }, listQuery);
    return { status: 200, body: page(query, await poolResponses(work, items), total) };
  },

  createClusterPool: async ({ target, body }, context) => {
    const { work } = context;
    const begins = initialState(nodeStatus, "createClusterPool", { body, target });
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
      const begins = initialState(nodeStatus, "updateClusterPool", { body, target });
      // pool-grows
      await addNodes(work, refs.clusterId, { pool, count: more, username, begins });
    }
    // pool-shrinks, pool-shrinks-instances
    if (more < 0) await poolShrinks(work, pool, { count: -more, username });
    return { status: 200, body: await poolResponse(work, pool) };
  },

  deleteClusterPool: async ({ target }, context) => {
    const { work } = context;
    await poolInstancesDeleted(work, target, callerOf(context).user);
    await work.tx.pools.remove([target.id]);
    await continueRecycling(work, target.cluster);
    return { status: 200, body: {} };
  },

  getClusterNode: ({ target }) => ({ status: 200, body: target }),

  deleteClusterNode: async ({ target }, context) => {
    const { work } = context;
    nodeStatus.transition(target.status, "deleteClusterNode", "$deleted");
    await removeNodes(work, [target], callerOf(context).user);
    await nodeLeavesPool(work, target);
    return { status: 200, body: {} };
  },

  recycleCluster: async ({ target }, context) => {
    const nodes = await context.work.tx.nodes.find({ cluster: target.id });
    // cluster-nodes-recycled, cluster-node-instances-deleted
    await recycleNodes(context.work, { cluster: target.id, nodes, username: callerOf(context).user });
    return { status: 200, body: {} };
  },

  recycleClusterPool: async ({ target }, context) => {
    const nodes = await context.work.tx.nodes.find({ pool: target.id });
    // pool-nodes-recycled, pool-node-instances-deleted
    await recycleNodes(context.work, { cluster: target.cluster, nodes, username: callerOf(context).user });
    return { status: 200, body: {} };
  },

  /** Recycling a single node happens at once. */
  recycleClusterNode: async ({ target }, context) => {
    await nodeReplaced(context.work, target, callerOf(context).user);
    return { status: 200, body: {} };
  },

  listKubeVersions: ({ query }) => ({ status: 200, body: pageOf(query, kubeVersions) }),
  getKubeVersion: ({ target }) => ({ status: 200, body: target }),
};

/** A page of a complete list. */
function pageOf<Item>(query: Parameters<typeof page>[0], all: readonly Item[]): ReturnType<typeof page<Item>> {
  const first = (query.page - 1) * query.page_size;
  return page(query, all.slice(first, first + query.page_size), all.length);
}
