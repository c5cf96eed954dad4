import { errors, type CreateInstanceRequest, type InstanceCreate } from "@cloud-compute/server";
import type { Stored } from "../resources.js";
import type { BackupRow, ConfigRow, DiskRow, ImageRow, InstanceRow } from "../store/rows.js";
import type { Work } from "../work.js";
import { addDisk, devicesOf, interfacesOf, movedDevices, plainConfig, sizeOf } from "./disks.js";

type Refs = CreateInstanceRequest<Stored>["refs"];

/** Deploys an image to a new instance: a disk for it, one for swap, and a config that boots them. */
export async function deployImage(
  work: Work,
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
  work: Work,
  { id }: InstanceRow,
  { image, size }: { readonly image: ImageRow; readonly size: number },
): Promise<DiskRow> {
  const label = `${image.label.slice(0, 43)} Disk`;
  return addDisk(work, { instance: id, label, size, filesystem: image.filesystem ?? "ext4", image: image.id });
}

function swapDisk(work: Work, { id }: InstanceRow, size: number): Promise<DiskRow> {
  return addDisk(work, { instance: id, label: `${size} MB Swap Image`, size, filesystem: "swap", image: null });
}

function defaultConfig(
  work: Work,
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

/** Gives an instance the disks of a backup, and its configs on them. While it is restoring, the disks are not ready. */
export async function copyBackup(work: Work, instance: InstanceRow, backup: BackupRow): Promise<readonly ConfigRow[]> {
  const disks = await disksFromBackup(work, instance, backup);
  return configsFromBackup(work, instance, { backup, disks });
}

/** Gives the new disks by the ids that they had when the backup was taken. */
async function disksFromBackup(
  work: Work,
  { id, state }: InstanceRow,
  { copies }: BackupRow,
): Promise<ReadonlyMap<number, number>> {
  const status = state === "restoring" ? "not ready" : "ready";
  const made = new Map<number, number>();
  for (const { id: before, ...copy } of copies.disks)
    made.set(before, (await addDisk(work, { ...copy, instance: id, status })).id);
  return made;
}

/** The image that the disks of a backup were deployed from. */
export function imageOf({ copies }: BackupRow): string | null {
  return copies.disks.find(({ image }) => image !== null)?.image ?? null;
}

async function configsFromBackup(
  work: Work,
  { id }: InstanceRow,
  from: { readonly backup: BackupRow; readonly disks: ReadonlyMap<number, number> },
): Promise<readonly ConfigRow[]> {
  const made: ConfigRow[] = [];
  for (const config of from.backup.copies.configs) {
    const devices = movedDevices(config.devices, from.disks);
    made.push(await work.tx.configs.add({ ...config, devices, instance: id, created: work.date, updated: work.date }));
  }
  return made;
}

/** What only the store can tell of a new instance. Throws the refusal. */
export async function judgeDeployment(work: Work, body: InstanceCreate, refs: Refs): Promise<void> {
  const { type, stackscript_id: stackScript, backup_id: backup } = refs;
  for (const [index, user] of (body.authorized_users ?? []).entries())
    if ((await work.tx.sshkeys.count({ user })) === 0)
      throw errors.userWithoutSshKey({ field: `authorized_users.${index}` });
  if (stackScript !== undefined) {
    // stackscript-image-not-compatible is rejected before.
    const data = body.stackscript_data ?? {};
    const isAnswered = (field: (typeof stackScript)["user_defined_fields"][number]): boolean =>
      field.default !== undefined ||
      (Object.hasOwn(data, field.name) && data[field.name] !== null && data[field.name] !== "");
    if (!stackScript.user_defined_fields.every(isAnswered)) throw errors.stackscriptDataMissing();
  }
  if (backup !== undefined && type !== undefined && sizeOf(backup.disks) > type.disk) throw errors.backupDoesNotFit();
}
