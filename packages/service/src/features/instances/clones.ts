import { errors, instanceStatus, type CloneInstanceHandlerInput } from "@cloud-compute/server";
import type { StoredRows } from "../../context.js";
import { typesById } from "../../platform/catalogue.js";
import { addDisk, freeSpace, sizeOf } from "../../platform/disks.js";
import { isIdle, setInstanceState } from "../../platform/instance-state.js";
import type { ConfigRow, DiskRow, InstanceRow, JobRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { enableBackups } from "../backups/lifecycle.js";
import { hasVlan, moveDevices, slots } from "../configs/lifecycle.js";
import { newInstance } from "./new-instance.js";

type Request = CloneInstanceHandlerInput<StoredRows>;

/** Cancels clones to an instance that is being deleted. */
export async function cancelClonesTo(work: UnitOfWork, { id, account }: InstanceRow): Promise<void> {
  const clones = (await work.tx.jobs.find({ account, kind: "clone" })).filter((job) => cloneData(job).target === id);
  for (const job of clones) {
    await work.tx.jobs.remove([job.id]);
    await work.finishEvent(job.event, "failed");
    await releaseSource(work, job);
  }
}

/** After its last clone, the source returns to its previous state. */
export async function releaseSource(work: UnitOfWork, job: JobRow): Promise<void> {
  const source = await work.tx.instances.get(cloneData(job).source);
  if (source?.state !== "cloning" || (await work.tx.jobs.count({ kind: "clone", subject: job.subject })) > 0) return;
  await setInstanceState(work, source, source.before ?? "offline", { before: null });
}

interface CloneData {
  readonly source: number;
  readonly target: number;
  readonly disks: readonly number[];
}

/** The data that `cloneInstance` planned. */
export function cloneData({ data }: JobRow): CloneData {
  return data as unknown as CloneData;
}

interface Copied {
  readonly configs: readonly ConfigRow[];
  readonly disks: readonly DiskRow[];
}

/** The selected configs, or all, with their disks, and the selected other disks. */
export async function copiesFor({ tx }: UnitOfWork, { target: source, body, refs }: Request): Promise<Copied> {
  const all = await tx.configs.find({ instance: source.id });
  const configs = body?.configs === undefined ? all : all.filter(({ id }) => refs.configs.has(id));
  const diskIds = new Set([...refs.disks.keys(), ...configs.flatMap(disksOf)]);
  const disks = (await tx.disks.find({ instance: source.id })).filter(({ id }) => diskIds.has(id));
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
export async function assertCopyFits(
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

/** Adds the instance that a clone creates. */
export async function cloneMakesInstance(
  work: UnitOfWork,
  { target: source, body, refs }: Request,
): Promise<InstanceRow> {
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
export function becomesTarget(work: UnitOfWork, target: InstanceRow, { tags }: InstanceRow): Promise<InstanceRow> {
  const { state } = target;
  if (!isIdle(state)) throw errors.targetBusy();
  const rebuilding = instanceStatus.transition(state, "cloneInstance:compute_id", "rebuilding");
  return setInstanceState(work, target, rebuilding, { before: state, tags });
}

/** Copies the disks. They take their space at once, and become ready when the clone is done. Returns the copies by the ids of the originals. */
export async function cloneCopiesDisks(
  work: UnitOfWork,
  { id }: InstanceRow,
  disks: readonly DiskRow[],
): Promise<ReadonlyMap<number, number>> {
  const copies = new Map<number, number>();
  for (const { id: from, label, size, filesystem, image } of disks)
    copies.set(from, (await addDisk(work, { instance: id, label, size, filesystem, image, status: "not ready" })).id);
  return copies;
}

/** Copies configs. Their devices become the copies of the disks. */
export async function cloneCopiesConfigs(
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
