import { limits, type BackupStatus } from "@cloud-compute/server";
import { markDisksReady } from "../../platform/disks.js";
import { isIdle, jobInstance, setInstanceState } from "../../platform/instance-state.js";
import { subjectId } from "../../platform/job-subjects.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { BackupRow, InstanceRow, JobRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { changeBackups, advanceBackup, planBackup, planBackups, takeBackup, withAvailability } from "./lifecycle.js";
import { chooseSchedule, minuteMs } from "./schedule.js";

export const backupJobs: JobHandlers = {
  /** Moves a backup to its next state. */
  backup: async (work, { data, event }) => {
    const backup = await work.tx.backups.get(Number(data["backup"]));
    // The states that `goOn` planned.
    const [status, ...then] = data["then"] as readonly BackupStatus[];
    if (backup === undefined || status === undefined) return;
    if (status === "successful") {
      await succeed(work, backup);
      await work.finishEvent(event);
      return;
    }
    await advanceBackup(work, await work.tx.backups.patch(backup, { status, updated: work.date }), { then, event });
  },

  /** The platform chooses the missing parts of a schedule. */
  backupSchedule: async (work, job) => {
    const instance = await backedUpInstance(work, job);
    if (instance === undefined) return;
    const schedule = chooseSchedule(instance);
    const scheduled = await changeBackups(work, instance, { schedule });
    await planBackups(work, scheduled);
  },

  /** The weekly backup. A busy instance is tried again as long as the window lasts. */
  weeklyBackup: async (work, job) => {
    const instance = await backedUpInstance(work, job);
    if (instance === undefined) return;
    const again = work.now + patience;
    const until = Number(job.data["until"]);
    if (isIdle(instance.state)) await takeBackup(work, instance, { trigger: "platform:weekly-backup" });
    else if (again < until) return planBackup(work, instance, { due: again, until });
    await planBackups(work, instance, until);
  },

  restore: async (work, { subject, event }) => {
    const target = await jobInstance(work, subject);
    if (target === undefined) return;
    await markDisksReady(work, target);
    await setInstanceState(work, target, "offline", { before: null });
    await work.finishEvent(event);
  },
};

async function backedUpInstance({ tx }: UnitOfWork, { subject }: JobRow): Promise<InstanceRow | undefined> {
  const instance = await tx.instances.get(Number(subjectId(subject)));
  return instance?.backups.enabled === true ? instance : undefined;
}

/** Completes a backup: it lists its content and can be restored. */
async function succeed(work: UnitOfWork, backup: BackupRow): Promise<void> {
  const { tx, date } = work;
  const { configs, disks } = backup.copies;
  await tx.backups.update({
    ...backup,
    status: "successful",
    configs: configs.map(({ label }) => label),
    disks: disks.map(({ label, size, filesystem }) => ({ label, size, filesystem })),
    finished: date,
    updated: date,
  });
  if (backup.type === "auto") await automaticBackupsKept(work, backup.instance);
  const instance = await tx.instances.get(backup.instance);
  if (instance !== undefined) await withAvailability(work, instance, { last_successful: date });
}

/** Deletes all but the newest successful automatic backups. */
async function automaticBackupsKept({ tx }: UnitOfWork, instance: number): Promise<void> {
  const done = await tx.backups.find({ instance, type: "auto", status: "successful" });
  await tx.backups.remove(done.slice(0, -limits.automaticBackupsKept.max).map(({ id }) => id));
}

const patience = 5 * minuteMs;
