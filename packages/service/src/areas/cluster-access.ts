import { errors, page } from "@cloud-compute/server";
import type { Area } from "../context.js";
import { newToken } from "../credentials.js";
import type { ClusterRow } from "../store/rows.js";
import type { Work } from "../work.js";

export const clusterAccess: Area<
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

/** The new one is there at once. A cluster that is not ready has none yet, and so none to replace. */
async function kubeconfigReplaced({ tx }: Work, cluster: ClusterRow): Promise<void> {
  if (cluster.kubeconfigToken !== null) await tx.clusters.change(cluster, { kubeconfigToken: newToken() });
}

/** What `kubectl` reads: where the API server is, what it is known by, and who asks. */
async function kubeconfigOf(cluster: ClusterRow): Promise<string> {
  const { id, certificate, kubeconfigToken: token } = cluster;
  if (certificate === null || token === null) throw errors.kubeconfigNotReady();
  // Loaded when it is needed.
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

/** Where the API server answers. */
const ports = [443, 6443] as const;

function hostOf({ id, region }: ClusterRow): string {
  return `kube${id}.${region}.kube.cloud-compute.example`;
}

/** An address of a range that is kept for documentation. */
function addressOf({ id }: ClusterRow): string {
  return `198.51.100.${1 + ((id - 1) % 254)}`;
}
