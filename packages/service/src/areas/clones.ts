import { errors, instanceStatus } from "@cloud-compute/server";
import type { CloneInstanceRequest } from "@cloud-compute/server";
import type { Area } from "../context.js";
import { grantCreator } from "../grants.js";
import { clonesOf } from "../limits.js";
import { typesById } from "../platform/catalogue.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { Stored } from "../resources.js";
import type { ConfigRow, DiskRow, InstanceRow, JobRow } from "../store/rows.js";
import { callerOf, type Work } from "../work.js";
import { backupsEnabled } from "./backup-service.js";
import { addDisk, freeSpace, hasVlan, movedDevices, sizeOf, slots } from "./disks.js";
import { newInstance } from "./instances.js";
import { enter, entityOf, isIdle } from "./states.js";

type Request = CloneInstanceRequest<Stored>;

export const clones: Area<"cloneInstance"> = {
  cloneInstance: async (request, context) => {
    const { work } = context;
    const caller = callerOf(context);
    const { target: source, refs } = request;
    const copied = await whatToCopy(work, request);
    await judgeCopy(work, request, copied);
    const existing = refs.compute_id;
    const target =
      existing === undefined ? await cloneMakesInstance(work, request) : await becomesTarget(work, existing, source);
    const disks = await cloneCopiesDisks(work, target, copied.disks);
    await cloneCopiesConfigs(work, target, { configs: copied.configs, disks });
    await enter(work, source, instanceStatus.transition(source.state as "running", "cloneInstance", "cloning"), {
      before: source.state === "cloning" ? source.before : source.state,
    });
    // clone-event
    const event = await work.tell({
      account: source.account,
      action: "compute_clone",
      username: caller.user,
      entity: entityOf(source),
      secondary: entityOf(target),
      status: "started",
    });
    await work.begin({
      account: source.account,
      kind: "clone",
      subject: clonesOf(source.id),
      takes: "clone",
      event: event.id,
      data: { source: source.id, target: target.id, disks: [...disks.values()] },
    });
    if (existing === undefined)
      await grantCreator(caller, work, { kind: "compute", id: target.id, label: target.label });
    return { status: 200, body: target };
  },
};

export const cloneJobs: JobHandlers = {
  clone: async (work, job) => {
    const { tx } = work;
    const { disks } = dataOf(job);
    for (const disk of await tx.disks.among("id", disks))
      await tx.disks.change(disk, { status: "ready", updated: work.date });
    const target = await tx.instances.get(dataOf(job).target);
    // A new one is offline, an existing one what it was before, unless the platform has done something else with it.
    if (target?.state === "provisioning" || target?.state === "rebuilding")
      await enter(work, target, target.before ?? "offline", { before: null });
    await work.finish(job.event);
    await sourceIsDone(work, job);
  },
};

/** Clones to an instance that is being deleted come to nothing. */
export async function forgetClonesTo(work: Work, { id, account }: InstanceRow): Promise<void> {
  const found = (await work.tx.jobs.find({ account, kind: "clone" })).filter((job) => dataOf(job).target === id);
  for (const job of found) {
    await work.tx.jobs.remove([job.id]);
    await work.finish(job.event, "failed");
    await sourceIsDone(work, job);
  }
}

/** With its last clone done, the source is what it was before. */
async function sourceIsDone(work: Work, job: JobRow): Promise<void> {
  const source = await work.tx.instances.get(dataOf(job).source);
  if (source?.state !== "cloning" || (await work.tx.jobs.count({ kind: "clone", subject: job.subject })) > 0) return;
  await enter(work, source, source.before ?? "offline", { before: null });
}

interface CloneData {
  readonly source: number;
  readonly target: number;
  readonly disks: readonly number[];
}

/** What `cloneInstance` planned. */
function dataOf({ data }: JobRow): CloneData {
  return data as unknown as CloneData;
}

interface Copied {
  readonly configs: readonly ConfigRow[];
  readonly disks: readonly DiskRow[];
}

/** The configs that are named, or all, with their disks, and the disks that are named besides. */
async function whatToCopy({ tx }: Work, { target: source, body, refs }: Request): Promise<Copied> {
  const all = await tx.configs.find({ instance: source.id });
  const configs = body?.configs === undefined ? all : all.filter(({ id }) => refs.configs.has(id));
  const named = new Set([...refs.disks.keys(), ...configs.flatMap(disksOf)]);
  const disks = (await tx.disks.find({ instance: source.id })).filter(({ id }) => named.has(id));
  return { configs, disks };
}

function disksOf({ devices }: ConfigRow): readonly number[] {
  return slots.flatMap((slot) => devices[slot]?.disk_id ?? []);
}

/** Whether the copy fits, and whether no VLAN gets to where there are none. Throws the refusal. */
async function judgeCopy(work: Work, { target: source, refs }: Request, { configs, disks }: Copied): Promise<void> {
  const { compute_id: target, type, region } = refs;
  if (target === undefined) {
    const { disk } = type ?? typesById.get(source.type ?? "") ?? source.specs;
    if (sizeOf(disks) > disk) throw errors.cloneDoesNotFit();
  } else if (sizeOf(disks) > (await freeSpace(work, target))) throw errors.targetDoesNotFit();
  const place = target === undefined ? (region?.id ?? source.region) : target.region;
  const { capabilities } = await work.tx.regions.only(place);
  if (!hasVlan(configs) || capabilities.includes("Vlans")) return;
  throw target === undefined ? errors.noVlansInRegion() : errors.noVlansInTargetRegion();
}

async function cloneMakesInstance(work: Work, { target: source, body, refs }: Request): Promise<InstanceRow> {
  const type = refs.type ?? typesById.get(source.type ?? "");
  if (type === undefined) throw errors.noSuchType();
  const id = await work.tx.instances.nextId();
  const made = await newInstance(work, {
    id,
    account: source.account,
    type,
    label: body?.label ?? `compute${id}`,
    region: refs.region?.id ?? source.region,
    group: body?.group ?? "",
    state: "provisioning",
    privateIp: body?.private_ip === true,
  });
  // clone-copies-tags, clone-public-address, clone-private-address
  const copy = {
    ...made,
    tags: source.tags,
    image: source.image,
    rootPassHash: source.rootPassHash,
    authorizedKeys: source.authorizedKeys,
  };
  await work.tx.instances.add(copy);
  return body?.backups_enabled === true ? backupsEnabled(work, copy) : copy;
}

/** An instance that is there is rebuilt, and gets the tags of the source. */
function becomesTarget(work: Work, target: InstanceRow, { tags }: InstanceRow): Promise<InstanceRow> {
  const { state } = target;
  if (!isIdle(state)) throw errors.targetBusy();
  const rebuilding = instanceStatus.transition(state, "cloneInstance:compute_id", "rebuilding");
  return enter(work, target, rebuilding, { before: state, tags });
}

/** Gives the copies by the ids of what they are copies of. They take their space at once, and are ready when the clone is done. */
async function cloneCopiesDisks(
  work: Work,
  { id }: InstanceRow,
  disks: readonly DiskRow[],
): Promise<ReadonlyMap<number, number>> {
  const made = new Map<number, number>();
  for (const { id: from, label, size, filesystem, image } of disks)
    made.set(from, (await addDisk(work, { instance: id, label, size, filesystem, image, status: "not ready" })).id);
  return made;
}

async function cloneCopiesConfigs(
  work: Work,
  { id }: InstanceRow,
  { configs, disks }: { readonly configs: readonly ConfigRow[]; readonly disks: ReadonlyMap<number, number> },
): Promise<void> {
  for (const { id: _from, ...config } of configs)
    await work.tx.configs.add({
      ...config,
      devices: movedDevices(config.devices, disks),
      instance: id,
      created: work.date,
      updated: work.date,
    });
}
