import { errors, instanceStatus, type BackupStatus } from "@cloud-compute/server";
import { callerOf } from "../../access/caller.js";
import type { TagHandlers } from "../../context.js";
import { freeSpace, sizeOf } from "../../platform/disks.js";
import { isIdle, setInstanceState } from "../../platform/instance-state.js";
import { jobSubject } from "../../platform/job-subjects.js";
import { backupEntity, instanceEntity } from "../events/lifecycle.js";
import { copyBackup, overwriteTarget } from "./contents.js";
import { backupsDisabled, deleteBackups, enableBackups, takeBackup, withAvailability } from "./lifecycle.js";

export const backupHandlers: TagHandlers<
  | "listInstanceBackups"
  | "createInstanceSnapshot"
  | "getInstanceBackup"
  | "enableInstanceBackups"
  | "cancelInstanceBackups"
  | "restoreInstanceBackup"
> = {
  listInstanceBackups: async ({ target }, { work }) => {
    const all = await work.tx.backups.find({ instance: target.id });
    const snapshots = all.filter(({ type }) => type === "snapshot");
    return {
      status: 200,
      body: {
        automatic: all.filter(({ type }) => type === "auto"),
        snapshot: {
          current: snapshots.findLast(({ status }) => status === "successful") ?? null,
          in_progress: snapshots.findLast(({ status }) => inProgress.has(status)) ?? null,
        },
      },
    };
  },

  createInstanceSnapshot: async ({ target, body: { label } }, context) => {
    const { work } = context;
    // one-snapshot
    await deleteBackups(work, { instance: target.id, type: "snapshot" });
    const instance = await withAvailability(work, target);
    // snapshot-event
    const event = await work.recordEvent({
      account: target.account,
      action: "compute_snapshot",
      username: callerOf(context).user,
      entity: instanceEntity(target),
      status: "started",
    });
    // snapshot-taken, snapshot-available
    const snapshot = await takeBackup(work, instance, {
      trigger: "createInstanceSnapshot",
      label,
      event: event.id,
    });
    return { status: 200, body: snapshot };
  },

  getInstanceBackup: ({ target }) => ({ status: 200, body: target }),

  enableInstanceBackups: async ({ target }, context) => {
    const { work } = context;
    await enableBackups(work, target);
    // enable-event
    await work.recordEvent({
      account: target.account,
      action: "backups_enable",
      username: callerOf(context).user,
      entity: instanceEntity(target),
    });
    return { status: 200, body: {} };
  },

  cancelInstanceBackups: async ({ target }, context) => {
    const { work } = context;
    // all-backups-deleted
    await deleteBackups(work, { instance: target.id });
    await backupsDisabled(work, target);
    // cancel-event
    await work.recordEvent({
      account: target.account,
      action: "backups_cancel",
      username: callerOf(context).user,
      entity: instanceEntity(target),
    });
    return { status: 200, body: {} };
  },

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
    const restoring = await setInstanceState(
      work,
      target,
      instanceStatus.transition(state, "restoreInstanceBackup:compute_id", "restoring"),
      overwrite ? await overwriteTarget(work, target, backup) : {},
    );
    // disks-restored, configs-restored
    await copyBackup(work, restoring, backup);
    // restore-event
    const event = await work.recordEvent({
      account: target.account,
      action: "backups_restore",
      username: callerOf(context).user,
      entity: instanceEntity(target),
      secondary: backupEntity(backup),
      status: "started",
    });
    await work.startJob({
      account: target.account,
      kind: "restore",
      subject: jobSubject("instance", target.id),
      event: event.id,
    });
    return { status: 200, body: {} };
  },
};

const inProgress: ReadonlySet<BackupStatus> = new Set(["pending", "running", "paused", "needsPostProcessing"]);
