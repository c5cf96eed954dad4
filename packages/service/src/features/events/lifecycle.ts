import type { EventEntity } from "@cloud-compute/server";
import type { BackupRow, ClusterRow, DomainRow, NodeRow, Rows, TokenRow, UserRow } from "../../store/rows.js";

/** An instance in the format of events. */
export function instanceEntity({ id, label }: { readonly id: number; readonly label: string }): EventEntity {
  return { id, label, type: "compute", url: `/v4/compute/instances/${id}` };
}

/** A backup in the format of events. */
export function backupEntity({ id, label, instance }: BackupRow): EventEntity {
  return { id, label, type: "backups", url: `/v4/compute/instances/${instance}/backups/${id}` };
}

/** An image in the format of events. */
export function imageEntity({ id, label }: { readonly id: string; readonly label: string }): EventEntity {
  return { id, label, type: "image", url: `/v4/images/${id}` };
}

/** A cluster in the format of events. */
export function clusterEntity({ id, label }: ClusterRow): EventEntity {
  return { id, label, type: "kube", url: `/v4/kube/clusters/${id}` };
}

/** A node in the format of events. */
export function nodeEntity({ id, cluster }: NodeRow): EventEntity {
  return { id, label: null, type: "kube_node", url: `/v4/kube/clusters/${cluster}/nodes/${id}` };
}

/** A domain in the format of events. */
export function domainEntity({ id, domain }: DomainRow): EventEntity {
  return { id, label: domain, type: "domain", url: `/v4/domains/${id}` };
}

/** A tag in the format of events. */
export function tagEntity(label: string): EventEntity {
  return { id: label, label, type: "tag", url: `/v4/tags/${encodeURIComponent(label)}` };
}

/** A profile in the format of events. */
export function profileEntity({ id, profile }: UserRow): EventEntity {
  return { id: profile.uid, label: id, type: "profile", url: "/v4/profile" };
}

/** A token in the format of events. */
export function tokenEntity({ id, label }: TokenRow): EventEntity {
  return { id, label, type: "token", url: `/v4/profile/tokens/${id}` };
}

/** An SSH key in the format of events. */
export function sshKeyEntity({ id, label }: Rows["sshkeys"]): EventEntity {
  return { id, label, type: "user_ssh_key", url: `/v4/profile/sshkeys/${id}` };
}
