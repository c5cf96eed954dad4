import { Secret, TOTP } from "otpauth";
import { bodyOf, type WitnessApi } from "./witness-api.js";

/** What has to stay the same, and the requests that change it with a fault. */
export interface Witness {
  readonly read: () => Promise<unknown>;
  readonly act: () => Promise<unknown>;
}

/** Prepares objects on a new service. */
type PrepareWitness = (api: WitnessApi) => Promise<Witness>;

/** For each fault of `frame-faults.ts`, by the end of its id, requests that show it without the suite. */
export const frameWitnesses: Readonly<Record<string, PrepareWitness>> = {
  ...instances(),
  ...backups(),
  ...configsAndImages(),
  ...tags(),
  ...clusters(),
  ...profiles(),
  ...credentials(),
  ...domains(),
};

function instances(): Record<string, PrepareWitness> {
  return {
    "updateInstance/alerts": async (api) => {
      const { path } = await instance(api);
      await api.put(path, { alerts: { transfer_quota: 50 } });
      return { read: async () => (await api.get(path))["alerts"], act: () => api.put(path, { label: "renamed" }) };
    },
    "updateInstance/group": async (api) => {
      const { path } = await instance(api, { group: "web" });
      return { read: async () => (await api.get(path))["group"], act: () => api.put(path, { tags: ["blue"] }) };
    },
    "updateInstance/other-instances": async (api) => {
      const [{ path }, other] = [await instance(api), await instance(api)];
      return { read: () => api.get(other.path), act: () => api.put(path, { watchdog_enabled: false }) };
    },
    "deleteInstance/tags": async (api) => {
      const { path } = await instance(api, { tags: ["blue"] });
      return { read: () => api.get("/tags"), act: () => api.remove(path) };
    },
    "deleteInstance/volume-grants": async (api) => {
      const { id, path } = await instance(api);
      const volume = await api.control("/volumes", { label: "data", size: 20, region: "us-east", compute_id: id });
      const user = await api.user("limited", { restricted: true });
      await api.controlPut("/users/limited/grants", { volume: [{ id: volume["id"], permissions: "read_write" }] });
      return { read: () => user.get("/profile/grants"), act: () => api.remove(path) };
    },
    "bootInstance/config": async (api) => {
      const { path } = await instance(api);
      await api.post(`${path}/configs`, { label: "plain", devices: {} });
      return { read: () => api.get(`${path}/configs`), act: () => api.post(`${path}/boot`) };
    },
    "cloneInstance/source-group": async (api) => {
      const { path } = await instance(api, { group: "web" });
      return { read: async () => (await api.get(path))["group"], act: () => clone(api, path) };
    },
    "cloneInstance/volumes": async (api) => {
      const { id, path } = await instance(api);
      const volume = await api.control("/volumes", { label: "data", size: 20, region: "us-east", compute_id: id });
      await api.post("/tags", { label: "blue", volumes: [volume["id"]] });
      return { read: () => api.get("/tags/blue"), act: () => clone(api, path) };
    },
  };
}

function backups(): Record<string, PrepareWitness> {
  return {
    "createInstanceSnapshot/schedule": async (api) => {
      const { path } = await instance(api, { backups_enabled: true });
      await api.put(path, { backups: { schedule: { day: "Monday", window: "W4" } } });
      const schedule = async () => bodyOf((await api.get(path))["backups"])["schedule"];
      return { read: schedule, act: () => api.post(`${path}/backups`, { label: "now" }) };
    },
    "cancelInstanceBackups/watchdog": async (api) => {
      const { path } = await instance(api, { backups_enabled: true });
      const watchdog = async () => (await api.get(path))["watchdog_enabled"];
      return { read: watchdog, act: () => api.post(`${path}/backups/cancel`) };
    },
    "enableInstanceBackups/other-instances": async (api) => {
      const [{ path }, other] = [await instance(api), await instance(api)];
      return { read: () => api.get(other.path), act: () => api.post(`${path}/backups/enable`) };
    },
    "restoreInstanceBackup/backup": async (api) => {
      const { path, backup } = await backedUp(api);
      const target = await instance(api);
      const restored = `${path}/backups/${backup}`;
      return { read: () => api.get(restored), act: () => api.post(`${restored}/restore`, { compute_id: target.id }) };
    },
    "restoreInstanceBackup/tags": async (api) => {
      const { path, backup } = await backedUp(api);
      const target = await instance(api, { tags: ["blue"] });
      return {
        read: async () => (await api.get(target.path))["tags"],
        act: () => api.post(`${path}/backups/${backup}/restore`, { compute_id: target.id }),
      };
    },
  };
}

function configsAndImages(): Record<string, PrepareWitness> {
  return {
    "createInstanceConfig/other-configs": async (api) => {
      const { path } = await instance(api);
      const { id } = await api.post(`${path}/configs`, { label: "first", devices: {} });
      return {
        read: async () => (await api.list(`${path}/configs`)).find((each) => each["id"] === id),
        act: () => api.post(`${path}/configs`, { label: "second", devices: {}, memory_limit: 256 }),
      };
    },
    "createInstanceConfig/instance": async (api) => {
      const { path } = await instance(api);
      return { read: () => api.get(path), act: () => api.post(`${path}/configs`, { label: "plain", devices: {} }) };
    },
    "updateImage/other-images": async (api) => {
      const first = await api.post("/images/upload", { label: "base", region: "us-east" });
      const second = await api.post("/images/upload", { label: "base", region: "us-east" });
      const [changed, other] = [bodyOf(first["image"])["id"], bodyOf(second["image"])["id"]].map(String);
      return {
        read: () => api.get(`/images/${other}`),
        act: () => api.put(`/images/${changed}`, { description: "the newest" }),
      };
    },
    "createImage/instance": async (api) => {
      const { id, path } = await instance(api, deployed);
      return {
        read: async () => (await api.get(path))["image"],
        act: async () => api.post("/images", { disk_id: await firstDisk(api, id) }),
      };
    },
    "deleteImage/instances": async (api) => {
      const { id } = await instance(api, deployed);
      const image = await api.post("/images", { disk_id: await firstDisk(api, id) });
      await api.settle();
      const { path } = await instance(api, { ...deployed, image: image["id"] });
      return { read: () => api.get(path), act: () => api.remove(`/images/${String(image["id"])}`) };
    },
  };
}

function tags(): Record<string, PrepareWitness> {
  return {
    "createTag/updated": async (api) => {
      const { id, path } = await instance(api, { tags: ["blue"] });
      await api.post("/tags", { label: "blue" });
      return { read: () => api.get(path), act: () => api.post("/tags", { label: "blue", computes: [id] }) };
    },
    "deleteTag/longer-tags": async (api) => {
      const { path } = await instance(api, { tags: ["blue", "blue-green"] });
      const longer = async () => JSON.stringify((await api.get(path))["tags"]).includes("blue-green");
      return { read: longer, act: () => api.remove("/tags/blue") };
    },
    "deleteTag/other-accounts": async (api) => {
      const other = await api.user("stranger", { account: "elsewhere" });
      const { path } = await instance(other, { tags: ["blue"] });
      await api.post("/tags", { label: "blue" });
      return { read: () => other.get(path), act: () => api.remove("/tags/blue") };
    },
  };
}

/** The id of the first node of a pool. */
function firstNode(pool: object = {}): unknown {
  const { nodes } = pool as { readonly nodes?: readonly { readonly id: string }[] };
  return nodes?.[0]?.id;
}

function clusters(): Record<string, PrepareWitness> {
  const pools = async (api: WitnessApi, path: string) => api.list(`${path}/pools`);
  return {
    "updateCluster/pools": async (api) => {
      const path = await cluster(api, { tags: ["pooled"] });
      return { read: () => pools(api, path), act: () => api.put(path, { tags: ["blue"] }) };
    },
    "updateClusterPool/other-pools": async (api) => {
      const path = await cluster(api, {}, { type: "g6-standard-2", count: 1 });
      const [first, other] = await pools(api, path);
      return {
        read: () => api.get(`${path}/pools/${String(other?.["id"])}`),
        act: () => api.put(`${path}/pools/${String(first?.["id"])}`, { autoscaler: { enabled: true, min: 1, max: 3 } }),
      };
    },
    "updateClusterPool/nodes": async (api) => {
      const path = await cluster(api, {});
      const [pool] = await pools(api, path);
      const node = firstNode(pool);
      return {
        read: () => api.statusOf(`${path}/nodes/${String(node)}`),
        act: () => api.put(`${path}/pools/${String(pool?.["id"])}`, { count: 3 }),
      };
    },
    "deleteClusterKubeconfig/high-availability": async (api) => {
      const path = await cluster(api, {});
      await api.put(path, { control_plane: { high_availability: true } });
      return { read: () => api.get(path), act: () => api.remove(`${path}/kubeconfig`) };
    },
    "deleteClusterNode/autoscaler": async (api) => {
      const path = await cluster(api, {});
      const [pool] = await pools(api, path);
      const node = firstNode(pool);
      return {
        read: async () => (await pools(api, path)).map(({ autoscaler }) => autoscaler),
        act: () => api.remove(`${path}/nodes/${String(node)}`),
      };
    },
    "deleteClusterPool/cluster-tags": async (api) => {
      const path = await cluster(api, { tags: ["blue"] }, { type: "g6-standard-2", count: 1 });
      await api.put(path, { tags: ["blue"] });
      const [pool] = await pools(api, path);
      return { read: () => api.get(path), act: () => api.remove(`${path}/pools/${String(pool?.["id"])}`) };
    },
  };
}

function profiles(): Record<string, PrepareWitness> {
  return {
    "updatePreferences/other-clients": async (api) => {
      const other = await api.token({ client: "mobile" });
      await other.put("/profile/preferences", { theme: "dark" });
      return {
        read: () => other.get("/profile/preferences"),
        act: () => api.put("/profile/preferences", { theme: "light" }),
      };
    },
    "updateProfile/authorized-keys": async (api) => {
      await api.put("/profile", { authorized_keys: [publicKey] });
      return {
        read: async () => (await api.get("/profile"))["authorized_keys"],
        act: () => api.put("/profile", { lish_auth_method: "disabled" }),
      };
    },
    "updateProfile/other-users": async (api) => {
      const other = await api.user("colleague", {});
      return { read: () => other.get("/profile"), act: () => api.put("/profile", { timezone: "Europe/Berlin" }) };
    },
    "deletePhoneNumber/two-factor": async (api) => {
      await enableTwoFactor(api);
      return {
        read: async () => (await api.get("/profile"))["two_factor_auth"],
        act: () => api.remove("/profile/phone-number"),
      };
    },
    "answerSecurityQuestions/devices": async (api) => {
      await api.control("/devices", { user_agent: "browser" });
      return { read: () => api.get("/profile/devices"), act: () => api.post("/profile/security-questions", answers) };
    },
    "disableTwoFactor/answers": async (api) => {
      await enableTwoFactor(api);
      return { read: () => api.get("/profile/security-questions"), act: () => api.post("/profile/tfa-disable") };
    },
  };
}

function credentials(): Record<string, PrepareWitness> {
  const key = (api: WitnessApi, label: string) => api.post("/profile/sshkeys", { label, ssh_key: publicKey });
  return {
    "createSSHKey/authorized-keys": async (api) => ({
      read: () => api.get("/profile"),
      act: () => key(api, "laptop"),
    }),
    "deleteSSHKey/same-key": async (api) => {
      const [first, second] = [await key(api, "laptop"), await key(api, "desk")];
      return {
        read: () => api.statusOf(`/profile/sshkeys/${String(second["id"])}`),
        act: () => api.remove(`/profile/sshkeys/${String(first["id"])}`),
      };
    },
    "updateToken/expiry": async (api) => {
      const { id } = await api.post("/profile/tokens", { label: "brief", expiry: "2099-01-01T00:00:00Z" });
      const path = `/profile/tokens/${String(id)}`;
      return { read: async () => (await api.get(path))["expiry"], act: () => api.put(path, { label: "long" }) };
    },
    "deleteToken/same-label": async (api) => {
      const [first, second] = [
        await api.post("/profile/tokens", { label: "build" }),
        await api.post("/profile/tokens", { label: "build" }),
      ];
      return {
        read: () => api.statusOf(`/profile/tokens/${String(second["id"])}`),
        act: () => api.remove(`/profile/tokens/${String(first["id"])}`),
      };
    },
    "deleteDevice/logins": async (api) => {
      await api.control("/logins", { ip: "203.0.113.7" });
      const { id } = await api.control("/devices", { user_agent: "browser" });
      return { read: () => api.get("/profile/logins"), act: () => api.remove(`/profile/devices/${String(id)}`) };
    },
  };
}

function domains(): Record<string, PrepareWitness> {
  return {
    "updateDomain/records": async (api) => {
      const path = await domain(api);
      await api.post(`${path}/records`, { type: "TXT", name: "a", target: "x" });
      return { read: () => api.get(`${path}/records`), act: () => api.put(path, { ttl_sec: 3600 }) };
    },
    "updateDomain/axfr-ips": async (api) => {
      const path = await domain(api);
      await api.put(path, { axfr_ips: ["203.0.113.9"] });
      return {
        read: async () => (await api.get(path))["axfr_ips"],
        act: () => api.put(path, { status: "disabled" }),
      };
    },
    "cloneDomain/source": async (api) => {
      const path = await domain(api);
      return { read: () => api.get(path), act: () => api.post(`${path}/clone`, { domain: "copy.example" }) };
    },
    "updateDomainRecord/other-records": async (api) => {
      const { changed, other } = await twoRecords(api);
      return { read: () => api.get(other), act: () => api.put(changed, { ttl_sec: 3600 }) };
    },
    "deleteDomainRecord/other-records": async (api) => {
      const { changed, other } = await twoRecords(api);
      return { read: () => api.statusOf(other), act: () => api.remove(changed) };
    },
    "deleteDomain/events": async (api) => {
      const path = await domain(api);
      const created = async () =>
        (await api.list("/account/events")).filter((each) => each["action"] === "dns_zone_create");
      return { read: created, act: () => api.remove(path) };
    },
  };
}

const deployed = { image: "compute/debian12", root_pass: "a Long pass phrase 42!" };

interface CreatedInstance {
  readonly id: number;
  readonly path: string;
}

async function instance(api: WitnessApi, fields: object = {}): Promise<CreatedInstance> {
  const { id } = await api.post("/compute/instances", { region: "us-east", type: "g6-nanode-1", ...fields });
  await api.settle();
  return { id: Number(id), path: `/compute/instances/${String(id)}` };
}

async function backedUp(api: WitnessApi): Promise<CreatedInstance & { readonly backup: number }> {
  const source = await instance(api, { backups_enabled: true });
  const { id } = await api.post(`${source.path}/backups`, { label: "now" });
  await api.settle();
  return { ...source, backup: Number(id) };
}

async function clone(api: WitnessApi, path: string): Promise<unknown> {
  return api.post(`${path}/clone`, { region: "us-east", type: "g6-nanode-1" });
}

async function firstDisk(api: WitnessApi, id: number): Promise<unknown> {
  const { data } = await api.controlGet(`/instances/${id}/disks`);
  return (data as readonly { readonly id: number }[])[0]?.id;
}

async function cluster(api: WitnessApi, pool: object, ...more: readonly object[]): Promise<string> {
  const { id } = await api.post("/kube/clusters", {
    label: "apps",
    region: "us-east",
    k8s_version: (await api.list("/kube/versions"))[0]?.["id"],
    node_pools: [{ type: "g6-standard-1", count: 2, ...pool }, ...more],
  });
  await api.settle();
  return `/kube/clusters/${String(id)}`;
}

async function domain(api: WitnessApi): Promise<string> {
  const { id } = await api.post("/domains", { domain: "zone.example", type: "master", soa_email: "a@zone.example" });
  return `/domains/${String(id)}`;
}

/** Two records of the same name and type. */
async function twoRecords(api: WitnessApi): Promise<{ readonly changed: string; readonly other: string }> {
  const path = `${await domain(api)}/records`;
  const add = async (target: string) =>
    `${path}/${String((await api.post(path, { type: "A", name: "www", target }))["id"])}`;
  return { changed: await add("203.0.113.1"), other: await add("203.0.113.2") };
}

const answers = {
  security_questions: [1, 2, 3].map((id) => ({ question_id: id, response: `answer ${id}` })),
};

async function enableTwoFactor(api: WitnessApi): Promise<void> {
  await api.post("/profile/security-questions", answers);
  const { secret } = await api.post("/profile/tfa-enable");
  const { now } = await api.controlGet("/clock");
  const totp = new TOTP({ secret: Secret.fromBase32(String(secret)), digits: 6 });
  await api.post("/profile/tfa-enable-confirm", { tfa_code: totp.generate({ timestamp: Date.parse(String(now)) }) });
}

/** An Ed25519 key of zeros, which is no key of anyone. */
const publicKey = `ssh-ed25519 ${Buffer.concat([
  Buffer.from([0, 0, 0, 11]),
  Buffer.from("ssh-ed25519"),
  Buffer.from([0, 0, 0, 32]),
  Buffer.alloc(32),
]).toString("base64")}`;
