import { addDisk } from "../../platform/disks.js";
import type { BackupRow, ConfigRow, InstanceRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { moveDevices } from "../configs/lifecycle.js";

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

/** The image of a backup's disks. */
export function imageOf({ copies }: BackupRow): string | null {
  return copies.disks.find(({ image }) => image !== null)?.image ?? null;
}

/** The current configs and disks of an instance, as a backup stores them. */
export async function copiesOf({ tx }: UnitOfWork, { id }: InstanceRow): Promise<BackupRow["copies"]> {
  const configs = await tx.configs.find({ instance: id });
  const disks = await tx.disks.find({ instance: id });
  return {
    configs: configs.map(({ id: _id, instance: _instance, created: _created, updated: _updated, ...rest }) => rest),
    disks: disks.map(({ id: disk, label, size, filesystem, image }) => ({ id: disk, label, size, filesystem, image })),
  };
}

/** Deletes the disks and configs of the target. Returns the changed fields: the image of the backup and its root password. */
export async function overwriteTarget(
  work: UnitOfWork,
  { id }: InstanceRow,
  backup: BackupRow,
): Promise<Partial<InstanceRow>> {
  // target-disks-deleted
  await work.tx.disks.deleteReturning({ instance: id });
  // target-configs-deleted
  await work.tx.configs.deleteReturning({ instance: id });
  return { image: imageOf(backup), rootPassHash: backup.rootPassHash, lastBooted: null };
}
