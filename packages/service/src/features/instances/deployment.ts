import { errors, type CreateInstanceHandlerInput, type InstanceCreate } from "@cloud-compute/server";
import type { StoredRows } from "../../context.js";
import { addDisk, sizeOf } from "../../platform/disks.js";
import type { ConfigRow, DiskRow, ImageRow, InstanceRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { devicesOf, interfacesOf, plainConfig } from "../configs/lifecycle.js";

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
  options: {
    readonly image: ImageRow;
    readonly disks: readonly DiskRow[];
    readonly interfaces: NonNullable<InstanceCreate["interfaces"]>;
  },
): Promise<ConfigRow> {
  return work.tx.configs.add({
    ...plainConfig(specs.memory),
    instance: id,
    label: `My ${options.image.label.slice(0, 37)} Profile`,
    devices: devicesOf(options.disks),
    interfaces: interfacesOf(options.interfaces),
    created: work.date,
    updated: work.date,
  });
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
