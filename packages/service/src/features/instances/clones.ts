import { errors, instanceStatus } from "@cloud-compute/server";
import type { CloneInstanceHandlerInput } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import { grantCreator } from "../../access/grants.js";
import { clonesOf } from "../../server/limits.js";
import { typesById } from "../../platform/catalogue.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { StoredRows } from "../../server/resources.js";
import type { ConfigRow, DiskRow, InstanceRow, JobRow } from "../../store/rows.js";
import { callerOf, type UnitOfWork } from "../../unit-of-work.js";
import { enableBackups } from "../backups/schedule.js";
import { addDisk, freeSpace, hasVlan, moveDevices, sizeOf, slots } from "../../platform/disks.js";
import { newInstance } from "./lifecycle.js";
import { setState, entityOf, isIdle } from "../../platform/instance-state.js";

type Request = CloneInstanceHandlerInput<StoredRows>;

export const cloneHandlers: TagHandlers<"cloneInstance"> = {
  cloneInstance: async (request, context) => {
    const { work } = context;
    const caller = callerOf(context);
    const { target: source, refs } = request;
    const copied = await copiesFor(work, request);
    await assertCopyFits(work, request, copied);
    const existing = refs.compute_id;
    const target =
      existing === undefined ? await cloneMakesInstance(work, request) : await becomesTarget(work, existing, source);
    const disks = await cloneCopiesDisks(work, target, copied.disks);
    await cloneCopiesConfigs(work, target, { configs: copied.configs, disks });
    await setState(work, source, instanceStatus.transition(source.state as "running", "cloneInstance", "cloning"), {
      before: source.state === "cloning" ? source.before : source.state,
    });
    // clone-event
    const event = await work.recordEvent({
      account: source.account,
      action: "compute_clone",
      username: caller.user,
      entity: entityOf(source),
      secondary: entityOf(target),
      status: "started",
    });
    await work.startJob({
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
    for (const disk of await tx.disks.findIn("id", disks))
      await tx.disks.patch(disk, { status: "ready", updated: work.date });
    const target = await tx.instances.get(dataOf(job).target);
    // A new target becomes offline, an existing one returns to its previous state, unless the platform has changed its state.
    if (target?.state === "provisioning" || target?.state === "rebuilding")
      await setState(work, target, target.before ?? "offline", { before: null });
    await work.finishEvent(job.event);
    await sourceIsDone(work, job);
  },
};

/** Cancels clones to an instance that is being deleted. */
export async function cancelClonesTo(work: UnitOfWork, { id, account }: InstanceRow): Promise<void> {
  const found = (await work.tx.jobs.find({ account, kind: "clone" })).filter((job) => dataOf(job).target === id);
  for (const job of found) {
    await work.tx.jobs.remove([job.id]);
    await work.finishEvent(job.event, "failed");
    await sourceIsDone(work, job);
  }
}

/** After its last clone, the source returns to its previous state. */
async function sourceIsDone(work: UnitOfWork, job: JobRow): Promise<void> {
  const source = await work.tx.instances.get(dataOf(job).source);
  if (source?.state !== "cloning" || (await work.tx.jobs.count({ kind: "clone", subject: job.subject })) > 0) return;
  await setState(work, source, source.before ?? "offline", { before: null });
}

interface CloneData {
  readonly source: number;
  readonly target: number;
  readonly disks: readonly number[];
}

/** The data that `cloneInstance` planned. */
function dataOf({ data }: JobRow): CloneData {
  return data as unknown as CloneData;
}

interface Copied {
  readonly configs: readonly ConfigRow[];
  readonly disks: readonly DiskRow[];
}

/** The selected configs, or all, with their disks, and the selected other disks. */
async function copiesFor({ tx }: UnitOfWork, { target: source, body, refs }: Request): Promise<Copied> {
  const all = await tx.configs.find({ instance: source.id });
  const configs = body?.configs === undefined ? all : all.filter(({ id }) => refs.configs.has(id));
  const named = new Set([...refs.disks.keys(), ...configs.flatMap(disksOf)]);
  const disks = (await tx.disks.find({ instance: source.id })).filter(({ id }) => named.has(id));
  return { configs, disks };
}

function disksOf({ devices }: ConfigRow): readonly number[] {
  return slots.flatMap((slot) => devices[slot]?.disk_id ?? []);
}

/**
 * Checks that the copies fit, and that no VLAN goes to a region without VLANs.
 *
 * @throws when they do not
 */
async function assertCopyFits(
  work: UnitOfWork,
  { target: source, refs }: Request,
  { configs, disks }: Copied,
): Promise<void> {
  const { compute_id: target, type, region } = refs;
  if (target === undefined) {
    const { disk } = type ?? typesById.get(source.type ?? "") ?? source.specs;
    if (sizeOf(disks) > disk) throw errors.cloneDoesNotFit();
  } else if (sizeOf(disks) > (await freeSpace(work, target))) throw errors.targetDoesNotFit();
  const place = target === undefined ? (region?.id ?? source.region) : target.region;
  const { capabilities } = await work.tx.regions.getOrThrow(place);
  if (!hasVlan(configs) || capabilities.includes("Vlans")) return;
  throw target === undefined ? errors.noVlansInRegion() : errors.noVlansInTargetRegion();
}

async function cloneMakesInstance(work: UnitOfWork, { target: source, body, refs }: Request): Promise<InstanceRow> {
  const type = refs.type ?? typesById.get(source.type ?? "");
  if (type === undefined) throw errors.noSuchType();
  const id = await work.tx.instances.nextId();
  const draft = await newInstance(work, {
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
    ...draft,
    tags: source.tags,
    image: source.image,
    rootPassHash: source.rootPassHash,
    authorizedKeys: source.authorizedKeys,
  };
  await work.tx.instances.add(copy);
  return body?.backups_enabled === true ? enableBackups(work, copy) : copy;
}

/** Rebuilds an existing target, which gets the tags of the source. */
function becomesTarget(work: UnitOfWork, target: InstanceRow, { tags }: InstanceRow): Promise<InstanceRow> {
  const { state } = target;
  if (!isIdle(state)) throw errors.targetBusy();
  const rebuilding = instanceStatus.transition(state, "cloneInstance:compute_id", "rebuilding");
  return setState(work, target, rebuilding, { before: state, tags });
}

/** Copies the disks. They take their space at once, and become ready when the clone is done. Returns the copies by the ids of the originals. */
async function cloneCopiesDisks(
  work: UnitOfWork,
  { id }: InstanceRow,
  disks: readonly DiskRow[],
): Promise<ReadonlyMap<number, number>> {
  const copies = new Map<number, number>();
  for (const { id: from, label, size, filesystem, image } of disks)
    copies.set(from, (await addDisk(work, { instance: id, label, size, filesystem, image, status: "not ready" })).id);
  return copies;
}

async function cloneCopiesConfigs(
  work: UnitOfWork,
  { id }: InstanceRow,
  { configs, disks }: { readonly configs: readonly ConfigRow[]; readonly disks: ReadonlyMap<number, number> },
): Promise<void> {
  for (const { id: _from, ...config } of configs)
    await work.tx.configs.add({
      ...config,
      devices: moveDevices(config.devices, disks),
      instance: id,
      created: work.date,
      updated: work.date,
    });
}
