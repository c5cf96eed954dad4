// Stored rows and callers: the same for every server.

export const account = "bootstrap";
export const regions = ["us-east", "us-west", "eu-central", "ap-south"];

/** The unrestricted user who reads. */
export const token = "a8f1c6d2e3b4958776655443322110ffeeddccbbaa99887766554433221100ff";

/** A user may create ten instances in half a minute, so many users are necessary. */
export const createsOfUser = 10;

export function tokenOf(user) {
  return user.toString(16).padStart(64, "0");
}

/** An instance as the service stores it. Of however many, a hundred are chosen: filters find these, or many more. */
export function instanceOf(id, count) {
  const isChosen = id % Math.floor(count / 100) === 0;
  return {
    id,
    account,
    label: isChosen ? `chosen-web-${id}` : `web-${id}`,
    region: isChosen ? "us-east" : regions[id % regions.length],
    group: "",
    state: "running",
    type: "g6-standard-2",
    image: "compute/debian11",
    tags: isChosen ? ["production", "web"] : ["web"],
    ipv4: [`198.18.${Math.floor(id / 254) % 256}.${(id % 254) + 1}`],
    ipv6: `2001:db8::${id.toString(16)}/128`,
    status: "running",
    hypervisor: "kvm",
    host_uuid: "3a3ddd59-d9a7-4bb8-9e04-1391075df44d",
    created: "2026-01-01T00:00:00Z",
    updated: "2026-01-01T00:00:00Z",
    watchdog_enabled: true,
    specs: { disk: 81_920, memory: 4096, transfer: 4000, vcpus: 2, gpus: 0 },
    alerts: { cpu: 180, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
    backups: { available: false, enabled: false, last_successful: null, schedule: { day: null, window: null } },
    before: null,
    rootPassHash: "scrypt$2048$8$1$3J6bq0mYV4Yk8v0Zb0nG2w==$1dR0vM0gk7mL8m2m2C0n0l3xVwX5m1yqz5Z0QeJk0fA=",
    authorizedKeys: [],
    lastBooted: id,
    watchdogBoots: [],
    cluster: null,
  };
}
