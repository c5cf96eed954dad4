// Stored rows, callers, requests and responses: the same for every server.

/** The account has 60 instances, of which its restricted user may read the first 40. */
export const instances = new Map(Array.from({ length: 60 }, (_, index) => [index + 1, instanceOf(index + 1)]));

function instanceOf(id) {
  return {
    id,
    label: `web-${id}`,
    region: "us-east",
    type: "g6-standard-2",
    image: "compute/debian11",
    group: "",
    tags: ["production", "web"],
    ipv4: [`192.0.2.${id}`, `198.51.100.${id}`],
    ipv6: "2001:db8::1/128",
    status: "running",
    hypervisor: "kvm",
    host_uuid: "3a3ddd59-d9a7-4bb8-9e04-1391075df44d",
    created: "2026-01-01T00:00:00Z",
    updated: "2026-01-01T00:00:00Z",
    watchdog_enabled: true,
    specs: { disk: 81_920, memory: 4096, transfer: 4000, vcpus: 2, gpus: 0 },
    alerts: { cpu: 180, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
    backups: { available: false, enabled: true, last_successful: null, schedule: { day: null, window: null } },
    // Stored, but not part of responses.
    account: 7,
    root_pass_hash: "$2b$12$abcdefghijklmnopqrstuv",
  };
}

export const regions = new Map([
  ["us-east", { id: "us-east", country: "us", status: "ok", capabilities: ["Compute Instances", "Vlans"] }],
]);
export const types = new Map([["g6-standard-2", { id: "g6-standard-2", disk: 81_920, memory: 4096, vcpus: 2 }]]);
export const images = new Map([
  ["compute/debian11", { id: "compute/debian11", size: 1300, status: "available", is_public: true, account: 1 }],
]);
export const users = new Map(["joe", "jane"].map((username) => [username, { username, account: 7 }]));

export const token = "a8f1c6d2e3b4958776655443322110ffeeddccbbaa99887766554433221100ff";
export const callers = new Map([
  [token, { user: "joe", account: { id: 7 }, restricted: true, scopes: "computes:read_write,images:read_only" }],
]);
const held = {
  global: { add_computes: true },
  compute: [...instances.keys()].slice(0, 40).map((id) => ({ id, label: `web-${id}`, permissions: "read_only" })),
  image: [],
  domain: [],
  volume: [],
  nodebalancer: [],
  stackscript: [],
};
export const grants = new Map([["joe", held]]);

/** Creates a row from a body without storing it, so that rounds do not become longer. */
export function made(body) {
  const { label = "new", region, type, image } = body;
  return { ...instances.get(1), id: 61, label, region, type, image, status: "provisioning" };
}

/** A page of the rows that a caller may see. */
export function pageOf(account, ids, { page, size }) {
  const seen = [];
  for (const id of ids) {
    const row = instances.get(id);
    if (row?.account === account) seen.push(row);
  }
  const data = seen.slice((page - 1) * size, page * size);
  return { data, page, pages: Math.max(1, Math.ceil(seen.length / size)), results: seen.length };
}

/** Every request is counted, and none is rejected. */
export const most = 1_000_000_000;

function shown({ account: _account, root_pass_hash: _hash, ...others }) {
  return others;
}

const body = {
  region: "us-east",
  type: "g6-standard-2",
  image: "compute/debian11",
  root_pass: "aComplex!Pass1word",
  label: "web-61",
  authorized_keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJxq joe@example"],
  authorized_users: ["joe", "jane"],
  booted: true,
  backups_enabled: true,
  swap_size: 512,
  interfaces: [{ purpose: "public" }, { purpose: "vlan", label: "vlan-1", ipam_address: "10.0.0.1/24" }],
};
const page = pageOf(7, instances.keys(), { page: 1, size: 40 }).data;

export const kinds = {
  createInstance: {
    method: "POST",
    path: "/v4/compute/instances",
    body: JSON.stringify(body),
    reply: shown(made(body)),
  },
  getInstance: { method: "GET", path: "/v4/compute/instances/17", reply: shown(instances.get(17)) },
  listInstances: {
    method: "GET",
    path: "/v4/compute/instances?page=1&page_size=25",
    reply: { data: page.slice(0, 25).map(shown), page: 1, pages: 2, results: 40 },
  },
};
