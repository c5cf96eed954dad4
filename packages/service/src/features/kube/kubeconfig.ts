import { errors } from "@cloud-compute/server";
import { newToken } from "../../access/credentials.js";
import type { ClusterRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";

/** Creates a new token at once. A cluster that is not ready has no kubeconfig yet, so there is nothing to replace. */
export async function kubeconfigReplaced({ tx }: UnitOfWork, cluster: ClusterRow): Promise<void> {
  if (cluster.kubeconfigToken !== null) await tx.clusters.patch(cluster, { kubeconfigToken: newToken() });
}

/** The file for `kubectl`: the address of the API server, its certificate, and the user's token. */
export async function kubeconfigOf(cluster: ClusterRow): Promise<string> {
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
            server: `https://${apiServerHost(cluster)}:${apiServerPorts[0]}`,
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
export const apiServerPorts = [443, 6443] as const;

/** The host name of the API server of a cluster. */
export function apiServerHost({ id, region }: ClusterRow): string {
  return `kube${id}.${region}.kube.cloud-compute.example`;
}

/** An address of a range that is reserved for documentation. */
export function apiServerAddress({ id }: ClusterRow): string {
  return `198.51.100.${1 + ((id - 1) % 254)}`;
}
