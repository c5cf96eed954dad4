import { backupStatus, type BackupStatus, type Instance } from "@cloud-compute/server";
import type { Duration } from "../../platform/durations.js";
import { initialState } from "../../platform/initial-state.js";
import { jobSubject } from "../../platform/job-subjects.js";
import type { BackupRow, InstanceRow } from "../../store/rows.js";
import { isSameRow } from "../../store/same-row.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { copiesOf } from "./contents.js";
import { nextBackup, type BackupTime } from "./schedule.js";

export { copyBackup, imageOf } from "./contents.js";

/** The start of a backup. An automatic one has neither a label nor an event. */
type BackupTask =
  | { readonly trigger: "platform:weekly-backup" }
  | { readonly trigger: "createInstanceSnapshot"; readonly label: string; readonly event: number };

/** Starts a backup of an instance. It contains the current disks and configs. */
export async function takeBackup(work: UnitOfWork, instance: InstanceRow, taking: BackupTask): Promise<BackupRow> {
  const { tx, date } = work;
  const begins = initialState(backupStatus, taking.trigger);
  const isSnapshot = taking.trigger === "createInstanceSnapshot";
  const backup = await tx.backups.add({
    account: instance.account,
    instance: instance.id,
    region: instance.region,
    type: isSnapshot ? "snapshot" : "auto",
    status: begins.to,
    available: false,
    label: isSnapshot ? taking.label : null,
    configs: [],
    disks: [],
    created: date,
    finished: null,
    updated: date,
    copies: await copiesOf(work, instance),
    rootPassHash: instance.rootPassHash,
  });
  // A backup goes through each of these states in turn, and never back.
  const then = begins.then as readonly BackupStatus[];
  await advanceBackup(work, backup, { then, event: isSnapshot ? taking.event : null });
  return backup;
}

/** The duration of each transient state of a backup. */
const takes: Readonly<Record<string, Duration>> = {
  pending: "backupPending",
  running: "backupRunning",
  needsPostProcessing: "backupPostProcessing",
};

/** Plans the next state of a backup, and the states `then` after it. */
export async function advanceBackup(
  work: UnitOfWork,
  { id, account, status }: BackupRow,
  { then, event }: { readonly then: readonly BackupStatus[]; readonly event: number | null },
): Promise<void> {
  await work.startJob({
    account,
    kind: "backup",
    subject: jobSubject("backup", id),
    takes: takes[status] ?? "backupRunning",
    event,
    data: { backup: id, then },
  });
}

/**
 * Updates whether the backups of an instance can be restored, and the summary in the instance. Successful backups can be restored, except while the
 * platform has the instance in maintenance.
 */
export async function withAvailability(
  work: UnitOfWork,
  instance: InstanceRow,
  fields: Partial<InstanceRow["backups"]> = {},
): Promise<InstanceRow> {
  const { tx, date } = work;
  const isMaintained = instance.state === "stopped";
  let isAny = false;
  for (const backup of await tx.backups.find({ instance: instance.id })) {
    const available = backup.status === "successful" && !isMaintained;
    if (available !== backup.available) await tx.backups.patch(backup, { available, updated: date });
    isAny ||= available;
  }
  const backups = { ...instance.backups, ...fields, available: isAny };
  if (isSameRow(backups, instance.backups)) return instance;
  return tx.instances.patch(instance, { backups, updated: date });
}

/** Deletes backups and their jobs. */
export async function deleteBackups(
  work: UnitOfWork,
  which: { readonly instance: number; readonly type?: BackupRow["type"] },
): Promise<void> {
  for (const { id } of await work.tx.backups.deleteReturning({ ...which }))
    await work.cancelJobs(jobSubject("backup", id));
}

/** The `backups` of an instance without backups and without the backup service. */
export const noBackups: Instance["backups"] = {
  available: false,
  enabled: false,
  last_successful: null,
  schedule: { day: null, window: null },
};

/** Enables the backup service of an instance: backups-enabled. The platform chooses the missing parts of its schedule. */
export async function enableBackups(work: UnitOfWork, instance: InstanceRow): Promise<InstanceRow> {
  if (instance.backups.enabled) return instance;
  const { day, window } = instance.backups.schedule;
  const schedule = { day: day ?? "Scheduling", window: window ?? "Scheduling" } as const;
  const enabled = await changeBackups(work, instance, { enabled: true, schedule });
  await planBackups(work, enabled);
  return enabled;
}

/** Plans the automatic backups of an instance by its current schedule. */
export async function rescheduleBackups(work: UnitOfWork, instance: InstanceRow): Promise<void> {
  if (!instance.backups.enabled) return;
  await stopBackups(work, instance);
  await planBackups(work, instance);
}

/** Stops the automatic backups of an instance. */
export async function stopBackups(work: UnitOfWork, instance: { readonly id: number }): Promise<void> {
  await work.cancelJobs(jobSubject("backups of", instance.id));
}

/** Stops the backup service of an instance, and forgets its schedule. */
export async function backupsDisabled(work: UnitOfWork, instance: InstanceRow): Promise<void> {
  await stopBackups(work, instance);
  if (!isSameRow(instance.backups, noBackups)) await changeBackups(work, instance, noBackups);
}

/** Plans the next backup after a time, or the choice of its schedule. */
export async function planBackups(work: UnitOfWork, instance: InstanceRow, after: number = work.now): Promise<void> {
  const { day, window } = instance.backups.schedule;
  if (day !== "Scheduling" && window !== "Scheduling" && day !== null && window !== null)
    return planBackup(work, instance, nextBackup({ day, window, id: instance.id }, after));
  await work.startJob({
    account: instance.account,
    kind: "backupSchedule",
    subject: jobSubject("backups of", instance.id),
    takes: "backupScheduling",
  });
}

/** Plans a backup for a time. */
export async function planBackup(work: UnitOfWork, instance: InstanceRow, when: BackupTime): Promise<void> {
  await work.scheduleJob({
    account: instance.account,
    kind: "weeklyBackup",
    subject: jobSubject("backups of", instance.id),
    nature: "recurring",
    due: when.due,
    data: { until: when.until },
  });
}

/** Changes the `backups` of an instance. */
export function changeBackups(
  work: UnitOfWork,
  instance: InstanceRow,
  fields: Partial<Instance["backups"]>,
): Promise<InstanceRow> {
  return work.tx.instances.patch(instance, { backups: { ...instance.backups, ...fields }, updated: work.date });
}
