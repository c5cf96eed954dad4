import { errors, instanceStatus } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { BackupRow, InstanceRow } from "../../store/rows.js";
import { callerOf, type UnitOfWork } from "../../unit-of-work.js";
import { backupEntity } from "./lifecycle.js";
import { copyBackup, imageOf } from "../instances/deployment.js";
import { markDisksReady, freeSpace, sizeOf } from "../../platform/disks.js";
import { jobInstance } from "../instances/lifecycle.js";
import { setState, entityOf, isIdle, subjectOf } from "../../platform/instance-state.js";

export const restoreHandlers: TagHandlers<"restoreInstanceBackup"> = {
  restoreInstanceBackup: async ({ target: backup, body, refs: { compute_id: target } }, context) => {
    const { work } = context;
    // The generated server has rejected missing and busy targets.
    if (target === undefined) throw errors.noSuchInstance();
    const { state } = target;
    if (!isIdle(state)) throw errors.targetBusy();
    const { overwrite } = body;
    // Overwriting frees space. If the plan is still too small, the target keeps its disks.
    const needed = sizeOf(backup.disks);
    const free = overwrite ? target.specs.disk : await freeSpace(work, target);
    if (needed > free)
      throw errors.insufficientSpace({
        reason: `Insufficient space on the target: the backup needs ${needed} MB, and ${free} MB are free`,
      });
    const restoring = await setState(
      work,
      target,
      instanceStatus.transition(state, "restoreInstanceBackup:compute_id", "restoring"),
      overwrite ? await overwritten(work, target, backup) : {},
    );
    // disks-restored, configs-restored
    await copyBackup(work, restoring, backup);
    // restore-event
    const event = await work.recordEvent({
      account: target.account,
      action: "backups_restore",
      username: callerOf(context).user,
      entity: entityOf(target),
      secondary: backupEntity(backup),
      status: "started",
    });
    await work.startJob({
      account: target.account,
      kind: "restore",
      subject: subjectOf(target),
      takes: "restore",
      event: event.id,
    });
    return { status: 200, body: {} };
  },
};

export const restoreJobs: JobHandlers = {
  restore: async (work, { subject, event }) => {
    const target = await jobInstance(work, subject);
    if (target === undefined) return;
    await markDisksReady(work, target);
    await setState(work, target, "offline", { before: null });
    await work.finishEvent(event);
  },
};

/** Deletes the disks and configs of the target. Returns the changed fields: the image of the backup and its root password. */
async function overwritten(work: UnitOfWork, { id }: InstanceRow, backup: BackupRow): Promise<Partial<InstanceRow>> {
  // target-disks-deleted
  await work.tx.disks.deleteReturning({ instance: id });
  // target-configs-deleted
  await work.tx.configs.deleteReturning({ instance: id });
  return { image: imageOf(backup), rootPassHash: backup.rootPassHash, lastBooted: null };
}
