/** Identifiers of objects that do not exist. */
export const missing: Readonly<Record<string, string>> = {
  computeId: "987654",
  backupId: "987654",
  imageId: "private/987654",
  label: "no-such-tag",
  clusterId: "987654",
  nodeId: "987654-0123456789ab",
  poolId: "987654",
  appId: "987654",
  deviceId: "987654",
  loginId: "987654",
  sshKeyId: "987654",
  tokenId: "987654",
  domainId: "987654",
  recordId: "987654",
  eventId: "987654",
};

/** Valid bodies for the existing object, so that only the caller can be the cause of an error. */
export const bodies: Readonly<Record<string, object>> = {
  "PUT /compute/instances/{computeId}": { label: "taken-over" },
  "POST /compute/instances/{computeId}/backups": { label: "stolen" },
  "POST /compute/instances/{computeId}/backups/{backupId}/restore": { compute_id: 1 },
  "POST /compute/instances/{computeId}/clone": { region: "us-east", type: "g6-standard-2" },
  "POST /compute/instances/{computeId}/configs": { label: "mine", devices: {} },
  "PUT /images/{imageId}": { label: "taken-over" },
  "PUT /kube/clusters/{clusterId}": { label: "taken-over" },
  "POST /kube/clusters/{clusterId}/pools": { type: "g6-standard-2", count: 1 },
  "PUT /kube/clusters/{clusterId}/pools/{poolId}": { count: 2 },
  "PUT /profile/sshkeys/{sshKeyId}": { label: "taken-over" },
  "PUT /profile/tokens/{tokenId}": { label: "taken-over" },
  "PUT /domains/{domainId}": { description: "taken over" },
  "POST /domains/{domainId}/clone": { domain: "taken-over.example.com" },
  "POST /domains/{domainId}/records": { type: "A", name: "www", target: "192.0.2.7" },
  "PUT /domains/{domainId}/records/{recordId}": { name: "taken-over" },
};
