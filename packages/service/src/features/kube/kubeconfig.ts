import { errors, page } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import { newToken } from "../../access/credentials.js";
import type { ClusterRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";

export const clusterAccessHandlers: TagHandlers<
  "listClusterApiEndpoints" | "getClusterDashboard" | "getClusterKubeconfig" | "deleteClusterKubeconfig"
> = {
  listClusterApiEndpoints: ({ query, target }) => {
    const all = [hostOf(target), addressOf(target)].flatMap((host) =>
      ports.map((port) => ({ endpoint: `https://${host}:${port}` })),
    );
    const first = (query.page - 1) * query.page_size;
    return { status: 200, body: page(query, all.slice(first, first + query.page_size), all.length) };
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
};

/** Creates a new token at once. A cluster that is not ready has no kubeconfig yet, so there is nothing to replace. */
async function kubeconfigReplaced({ tx }: UnitOfWork, cluster: ClusterRow): Promise<void> {
  if (cluster.kubeconfigToken !== null) await tx.clusters.patch(cluster, { kubeconfigToken: newToken() });
}

/** The file for `kubectl`: the address of the API server, its certificate, and the user's token. */
async function kubeconfigOf(cluster: ClusterRow): Promise<string> {
  const { id, certificate, kubeconfigToken: token } = cluster;
  if (certificate === null || token === null) throw errors.kubeconfigNotReady();
  // Loaded on demand.
  const { stringify } = await import("yaml");
  const name = `kube${id}`;
  const user = `${name}-admin`;
  const context = `${name}-ctx`;
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      preferences: {},
      clusters: [
        {
          name,
          cluster: {
            "certificate-authority-data": Buffer.from(certificate).toString("base64"),
            server: `https://${hostOf(cluster)}:${ports[0]}`,
          },
        },
      ],
      users: [{ name: user, user: { token } }],
      contexts: [{ name: context, context: { cluster: name, namespace: "default", user } }],
      "current-context": context,
    },
    { lineWidth: 0 },
  );
}

/** The ports of the API server. */
const ports = [443, 6443] as const;

function hostOf({ id, region }: ClusterRow): string {
  return `kube${id}.${region}.kube.cloud-compute.example`;
}

/** An address of a range that is reserved for documentation. */
function addressOf({ id }: ClusterRow): string {
  return `198.51.100.${1 + ((id - 1) % 254)}`;
}
