import type { Disk } from "@cloud-compute/server";
import type { DiskRow, InstanceRow } from "../store/rows.js";
import type { UnitOfWork } from "../unit-of-work.js";

/** Adds a disk to an instance. */
export function addDisk(
  work: UnitOfWork,
  disk: Pick<DiskRow, "instance" | "label" | "size" | "filesystem" | "image"> & { readonly status?: Disk["status"] },
): Promise<DiskRow> {
  return work.tx.disks.add({ status: "ready", ...disk, created: work.date, updated: work.date });
}

/** The size of disks together, in MB. */
export function sizeOf(disks: readonly { readonly size: number }[]): number {
  return disks.reduce((sum, { size }) => sum + size, 0);
}

/** Marks the disks of an instance as ready after a copy. */
export async function markDisksReady({ tx, date }: UnitOfWork, { id }: InstanceRow): Promise<void> {
  for (const disk of await tx.disks.find({ instance: id }))
    if (disk.status === "not ready") await tx.disks.patch(disk, { status: "ready", updated: date });
}

/** The space of the plan that the disks of an instance leave, in MB. */
export async function freeSpace({ tx }: UnitOfWork, instance: InstanceRow): Promise<number> {
  return instance.specs.disk - sizeOf(await tx.disks.find({ instance: instance.id }));
}
