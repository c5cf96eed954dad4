import { errors, instanceStatus } from "@cloud-compute/server";
import type { Area } from "../context.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { BackupRow, InstanceRow } from "../store/rows.js";
import { callerOf, type Work } from "../work.js";
import { backupEntity } from "./backups.js";
import { copyBackup, imageOf } from "./deployment.js";
import { disksReady, freeSpace, sizeOf } from "./disks.js";
import { jobInstance } from "./instances.js";
import { enter, entityOf, isIdle, subjectOf } from "./states.js";

export const restore: Area<"restoreInstanceBackup"> = {
  restoreInstanceBackup: async ({ target: backup, body, refs: { compute_id: target } }, context) => {
    const { work } = context;
    // The stubs have refused a target that there is not, and one that is busy.
    if (target === undefined) throw errors.noSuchInstance();
    const { state } = target;
    if (!isIdle(state)) throw errors.targetBusy();
    const { overwrite } = body;
    // What is overwritten makes room; a plan that is too small even so keeps what it has.
    const needed = sizeOf(backup.disks);
    const free = overwrite ? target.specs.disk : await freeSpace(work, target);
    if (needed > free)
      throw errors.insufficientSpace({
        reason: `Insufficient space on the target: the backup needs ${needed} MB, and ${free} MB are free`,
      });
    const restoring = await enter(
      work,
      target,
      instanceStatus.transition(state, "restoreInstanceBackup:compute_id", "restoring"),
      overwrite ? await overwritten(work, target, backup) : {},
    );
    // disks-restored, configs-restored
    await copyBackup(work, restoring, backup);
    // restore-event
    const event = await work.tell({
      account: target.account,
      action: "backups_restore",
      username: callerOf(context).user,
      entity: entityOf(target),
      secondary: backupEntity(backup),
      status: "started",
    });
    await work.begin({
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
    await disksReady(work, target);
    await enter(work, target, "offline", { before: null });
    await work.finish(event);
  },
};

/** Deletes what is on the target. Gives what is another from now on: there is the image of the backup, and its root user. */
async function overwritten(work: Work, { id }: InstanceRow, backup: BackupRow): Promise<Partial<InstanceRow>> {
  // target-disks-deleted
  await work.tx.disks.take({ instance: id });
  // target-configs-deleted
  await work.tx.configs.take({ instance: id });
  return { image: imageOf(backup), rootPassHash: backup.rootPassHash, lastBooted: null };
}
