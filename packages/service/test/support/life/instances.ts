import * as api from "@cloud-compute/client";
import type { Act, Walk } from "./walk.js";

/** Actions on instances, their backups and their configs. */
export const instances: readonly Act[] = [
  createInstance,
  createInstance,
  deleteInstance,
  async (walk) => {
    const computeId = await walk.instance();
    if (computeId !== undefined) await walk.ask(api.getInstance, { path: { computeId } });
  },
  updateInstance,
  async (walk) => {
    const computeId = await walk.instance();
    if (computeId === undefined) return;
    const { data = [] } = (await walk.ask(api.listInstanceConfigs, { path: { computeId } })) ?? {};
    const config = walk.chance(50) ? walk.some(data) : undefined;
    const body = config === undefined ? {} : { body: { config_id: config.id } };
    await walk.ask(api.bootInstance, { path: { computeId }, ...body });
  },
  cloneInstance,
  createInstanceConfig,
  async (walk) => {
    const filter = walk.random.one<api.ListInstancesFilter>([
      { label: { "+contains": "compute" } },
      { tags: tagOf(walk) },
      { "+or": [{ region: "us-east" }, { group: "a" }] },
      { "+order_by": "label", "+order": "desc" },
      // @ts-expect-error -- the list has no such filter
      { created: "2020" },
    ]);
    await walk.ask(api.listInstances, { query: { page: 1 + walk.random.below(2) }, headers: { "X-Filter": filter } });
  },
  takeSnapshot,
  takeSnapshot,
  async (walk) => {
    const computeId = await walk.instance();
    if (computeId === undefined) return;
    await walk.ask(walk.chance(25) ? api.cancelInstanceBackups : api.enableInstanceBackups, { path: { computeId } });
  },
  restoreBackup,
];

/** Maximum number of objects of a kind. */
const most = 10;

export function tagOf({ random }: Pick<Walk, "random">): string {
  return `tag-${random.below(6)}`;
}

export function regionOf({ random }: Pick<Walk, "random">): string {
  return random.one(["us-east", "us-west", "eu-central", "ap-south"]);
}

function typeOf({ random }: Walk): string {
  return random.one(["g6-nanode-1", "g6-nanode-1", "g6-standard-1", "g6-standard-2"]);
}

async function createInstance(walk: Walk): Promise<void> {
  const there = await walk.instances();
  if (there.length >= most) return deleteInstance(walk);
  const { random } = walk;
  const tags = walk.person.restricted && walk.chance(80) ? {} : { tags: [tagOf(walk), tagOf(walk)] };
  const body = { region: regionOf(walk), type: typeOf(walk), ...tags, private_ip: walk.chance(40) };
  switch (random.below(4)) {
    case 0:
      await walk.ask(api.createInstance, { body });
      return;
    case 1: {
      const source = walk.some(there);
      const backup = source === undefined ? undefined : await backupOf(walk, source.id);
      if (source === undefined || backup === undefined) return;
      const from = { region: source.region, backup_id: backup.id, type: "g6-standard-2" };
      await walk.ask(api.createInstance, { body: { ...body, ...from, booted: walk.chance(70) } });
      return;
    }
    default: {
      const own = walk.some(await walk.images())?.id;
      const image = own !== undefined && walk.chance(40) ? own : random.one(["compute/debian12", "compute/alpine3.19"]);
      await walk.ask(api.createInstance, {
        body: {
          ...body,
          image,
          root_pass: "correct Horse 7 battery",
          label: `compute-${random.below(1000)}`,
          group: random.one(["", "a", "b"]),
          booted: walk.chance(70),
          backups_enabled: walk.chance(50),
          authorized_users: [walk.person.username],
          ...(walk.chance(50) ? { swap_size: 512 } : {}),
          ...(walk.chance(20) ? { interfaces: [{ purpose: "vlan", label: "lan" } as const] } : {}),
        },
      });
    }
  }
}

async function deleteInstance(walk: Walk): Promise<void> {
  const computeId = await walk.instance();
  if (computeId !== undefined) await walk.ask(api.deleteInstance, { path: { computeId } });
}

async function updateInstance(walk: Walk): Promise<void> {
  const computeId = await walk.instance();
  if (computeId === undefined) return;
  const { random } = walk;
  const body = random.one<api.InstanceUpdate>([
    { label: `renamed-${random.below(100)}` },
    { tags: [tagOf(walk)] },
    { group: random.one(["", "a", "b"]), watchdog_enabled: walk.chance(50) },
    { alerts: { cpu: 50 } },
    { backups: { schedule: { day: random.one(["Scheduling", "Sunday", "Friday"] as const), window: "W10" } } },
  ]);
  await walk.ask(api.updateInstance, { path: { computeId }, body });
}

async function cloneInstance(walk: Walk): Promise<void> {
  const there = await walk.instances();
  const source = walk.some(there);
  if (source === undefined) return;
  const path = { computeId: source.id };
  const target = walk.some(there);
  if (target !== undefined && (there.length >= most || walk.chance(30))) {
    await walk.ask(api.cloneInstance, { path, body: { compute_id: target.id } });
    return;
  }
  const { data: configs = [] } = (await walk.ask(api.listInstanceConfigs, { path })) ?? {};
  const config = walk.chance(30) ? walk.some(configs) : undefined;
  await walk.ask(api.cloneInstance, {
    path,
    body: {
      region: regionOf(walk),
      type: "g6-standard-2",
      private_ip: walk.chance(30),
      backups_enabled: walk.chance(30),
      ...(config === undefined ? {} : { configs: [config.id] }),
    },
  });
}

async function createInstanceConfig(walk: Walk): Promise<void> {
  const computeId = await walk.instance();
  if (computeId === undefined) return;
  const path = { computeId };
  const listed = await walk.ask(api.listInstanceConfigs, { path, headers: { "X-Filter": { "+order_by": "label" } } });
  if (listed === undefined || listed.results > 8) return;
  const devices = walk.some(listed.data)?.devices ?? {};
  await walk.ask(api.createInstanceConfig, {
    path,
    body: { label: `config ${walk.random.below(100)}`, devices, interfaces: [{ purpose: "public" }] },
  });
}

async function takeSnapshot(walk: Walk): Promise<void> {
  const computeId = await walk.instance();
  if (computeId === undefined) return;
  await walk.ask(api.createInstanceSnapshot, { path: { computeId }, body: { label: `s ${walk.random.below(100)}` } });
}

async function backupOf(walk: Walk, computeId: number): Promise<api.Backup | undefined> {
  const listed = await walk.ask(api.listInstanceBackups, { path: { computeId } });
  if (listed === undefined) return undefined;
  const { current, in_progress: inProgress } = listed.snapshot;
  return walk.some([...listed.automatic, current, inProgress].filter((each) => each !== null));
}

async function restoreBackup(walk: Walk): Promise<void> {
  const there = await walk.instances();
  const source = walk.some(there);
  const target = walk.some(there);
  if (source === undefined || target === undefined) return;
  const backup = await backupOf(walk, source.id);
  if (backup === undefined) return;
  const path = { computeId: source.id, backupId: backup.id };
  await walk.ask(api.getInstanceBackup, { path });
  const to = walk.chance(50) ? source : target;
  await walk.ask(api.restoreInstanceBackup, { path, body: { compute_id: to.id, overwrite: walk.chance(60) } });
}
