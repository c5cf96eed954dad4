import { errors, type CreateInstanceHandlerInput, type InstanceCreate } from "@cloud-compute/server";
import type { StoredRows } from "../../server/resources.js";
import type { BackupRow, ConfigRow, DiskRow, ImageRow, InstanceRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { addDisk, devicesOf, interfacesOf, moveDevices, plainConfig, sizeOf } from "../../platform/disks.js";

type Refs = CreateInstanceHandlerInput<StoredRows>["refs"];

/** Deploys an image to a new instance: creates a disk for it, one for swap, and a config that boots them. */
export async function deployImage(
  work: UnitOfWork,
  instance: InstanceRow,
  image: ImageRow,
  body: InstanceCreate,
): Promise<ConfigRow> {
  const { swap_size = 0 } = body;
  const disk = await deploymentDisk(work, instance, { image, size: instance.specs.disk - swap_size });
  const swap = swap_size > 0 ? [await swapDisk(work, instance, swap_size)] : [];
  return defaultConfig(work, instance, { image, disks: [disk, ...swap], interfaces: body.interfaces ?? [] });
}

function deploymentDisk(
  work: UnitOfWork,
  { id }: InstanceRow,
  { image, size }: { readonly image: ImageRow; readonly size: number },
): Promise<DiskRow> {
  const label = `${image.label.slice(0, 43)} Disk`;
  return addDisk(work, { instance: id, label, size, filesystem: image.filesystem ?? "ext4", image: image.id });
}

function swapDisk(work: UnitOfWork, { id }: InstanceRow, size: number): Promise<DiskRow> {
  return addDisk(work, { instance: id, label: `${size} MB Swap Image`, size, filesystem: "swap", image: null });
}

function defaultConfig(
  work: UnitOfWork,
  { id, specs }: InstanceRow,
  of: {
    readonly image: ImageRow;
    readonly disks: readonly DiskRow[];
    readonly interfaces: NonNullable<InstanceCreate["interfaces"]>;
  },
): Promise<ConfigRow> {
  return work.tx.configs.add({
    ...plainConfig(specs.memory),
    instance: id,
    label: `My ${of.image.label.slice(0, 37)} Profile`,
    devices: devicesOf(of.disks),
    interfaces: interfacesOf(of.interfaces),
    created: work.date,
    updated: work.date,
  });
}

/** Gives an instance the disks and configs of a backup. While the instance is restoring, the disks are not ready. */
export async function copyBackup(
  work: UnitOfWork,
  instance: InstanceRow,
  backup: BackupRow,
): Promise<readonly ConfigRow[]> {
  const disks = await disksFromBackup(work, instance, backup);
  return configsFromBackup(work, instance, { backup, disks });
}

/** Creates the disks of a backup. Returns them by the ids of the originals. */
async function disksFromBackup(
  work: UnitOfWork,
  { id, state }: InstanceRow,
  { copies }: BackupRow,
): Promise<ReadonlyMap<number, number>> {
  const status = state === "restoring" ? "not ready" : "ready";
  const newIds = new Map<number, number>();
  for (const { id: before, ...copy } of copies.disks)
    newIds.set(before, (await addDisk(work, { ...copy, instance: id, status })).id);
  return newIds;
}

/** The image of a backup's disks. */
export function imageOf({ copies }: BackupRow): string | null {
  return copies.disks.find(({ image }) => image !== null)?.image ?? null;
}

async function configsFromBackup(
  work: UnitOfWork,
  { id }: InstanceRow,
  from: { readonly backup: BackupRow; readonly disks: ReadonlyMap<number, number> },
): Promise<readonly ConfigRow[]> {
  const copied: ConfigRow[] = [];
  for (const config of from.backup.copies.configs) {
    const devices = moveDevices(config.devices, from.disks);
    copied.push(
      await work.tx.configs.add({ ...config, devices, instance: id, created: work.date, updated: work.date }),
    );
  }
  return copied;
}

/**
 * The checks of a new instance that need the store.
 *
 * @throws when one fails
 */
export async function assertDeployable(work: UnitOfWork, body: InstanceCreate, refs: Refs): Promise<void> {
  const { type, stackscript_id: stackScript, backup_id: backup } = refs;
  for (const [index, user] of (body.authorized_users ?? []).entries())
    if ((await work.tx.sshkeys.count({ user })) === 0)
      throw errors.userWithoutSshKey({ field: `authorized_users.${index}` });
  if (stackScript !== undefined) {
    // stackscript-image-not-compatible: the generated server has checked it.
    const data = body.stackscript_data ?? {};
    const isAnswered = (field: (typeof stackScript)["user_defined_fields"][number]): boolean =>
      field.default !== undefined ||
      (Object.hasOwn(data, field.name) && data[field.name] !== null && data[field.name] !== "");
    if (!stackScript.user_defined_fields.every(isAnswered)) throw errors.stackscriptDataMissing();
  }
  if (backup !== undefined && type !== undefined && sizeOf(backup.disks) > type.disk) throw errors.backupDoesNotFit();
}
