import type { Instance, InstanceBackupSchedule } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { InstanceRow, JobRow } from "../../store/rows.js";
import { callerOf, type UnitOfWork } from "../../unit-of-work.js";
import { deleteBackups, takeBackup } from "./lifecycle.js";
import { entityOf, isIdle } from "../../platform/instance-state.js";

export const backupServiceHandlers: TagHandlers<"enableInstanceBackups" | "cancelInstanceBackups"> = {
  enableInstanceBackups: async ({ target }, context) => {
    const { work } = context;
    await enableBackups(work, target);
    // enable-event
    await work.recordEvent({
      account: target.account,
      action: "backups_enable",
      username: callerOf(context).user,
      entity: entityOf(target),
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
      entity: entityOf(target),
    });
    return { status: 200, body: {} };
  },
};

export const backupServiceJobs: JobHandlers = {
  /** The platform chooses the missing parts of a schedule. */
  backupSchedule: async (work, job) => {
    const instance = await instanceOf(work, job);
    if (instance === undefined) return;
    const schedule = chosen(instance);
    const scheduled = await changeBackups(work, instance, { schedule });
    await planBackups(work, scheduled);
  },

  /** The weekly backup. A busy instance is tried again as long as the window lasts. */
  weeklyBackup: async (work, job) => {
    const instance = await instanceOf(work, job);
    if (instance === undefined) return;
    const again = work.now + patience;
    const until = Number(job.data["until"]);
    if (isIdle(instance.state)) await takeBackup(work, instance, { trigger: "platform:weekly-backup" });
    else if (again < until) return planBackup(work, instance, { due: again, until });
    await planBackups(work, instance, until);
  },
};

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
  await work.cancel(scheduleOf(instance));
}

async function backupsDisabled(work: UnitOfWork, instance: InstanceRow): Promise<void> {
  await stopBackups(work, instance);
  if (JSON.stringify(instance.backups) !== JSON.stringify(noBackups)) await changeBackups(work, instance, noBackups);
}

/** The subject of the backup service's jobs for an instance. */
function scheduleOf({ id }: { readonly id: number }): string {
  return `backups of ${id}`;
}

async function instanceOf({ tx }: UnitOfWork, { subject }: JobRow): Promise<InstanceRow | undefined> {
  const instance = await tx.instances.get(Number(subject.split(" ")[2]));
  return instance?.backups.enabled === true ? instance : undefined;
}

function changeBackups(
  work: UnitOfWork,
  instance: InstanceRow,
  fields: Partial<Instance["backups"]>,
): Promise<InstanceRow> {
  return work.tx.instances.patch(instance, { backups: { ...instance.backups, ...fields }, updated: work.date });
}

/** Plans the next backup after a time, or the choice of its schedule. */
async function planBackups(work: UnitOfWork, instance: InstanceRow, after: number = work.now): Promise<void> {
  const { day, window } = instance.backups.schedule;
  if (day !== "Scheduling" && window !== "Scheduling" && day !== null && window !== null)
    return planBackup(work, instance, nextBackup({ day, window, id: instance.id }, after));
  await work.startJob({
    account: instance.account,
    kind: "backupSchedule",
    subject: scheduleOf(instance),
    takes: "backupScheduling",
  });
}

async function planBackup(work: UnitOfWork, instance: InstanceRow, when: When): Promise<void> {
  await work.scheduleJob({
    account: instance.account,
    kind: "weeklyBackup",
    subject: scheduleOf(instance),
    nature: "recurring",
    due: when.due,
    data: { until: when.until },
  });
}

/** The start of a backup, and the end of its window, in milliseconds since 1970. */
interface When {
  readonly due: number;
  readonly until: number;
}

type Day = Exclude<InstanceBackupSchedule["day"], "Scheduling" | null>;
type Window = Exclude<InstanceBackupSchedule["window"], "Scheduling" | null>;

const days: readonly Day[] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const windows: readonly Window[] = ["W0", "W2", "W4", "W6", "W8", "W10", "W12", "W14", "W16", "W18", "W20", "W22"];

/** The choices of the platform spread the instances over the week. */
function chosen({ id, backups: { schedule } }: InstanceRow): InstanceBackupSchedule {
  const isOpen = (part: string | null): boolean => part === null || part === "Scheduling";
  return {
    day: isOpen(schedule.day) ? (days[id % days.length] ?? "Sunday") : schedule.day,
    window: isOpen(schedule.window) ? (windows[(id * 5) % windows.length] ?? "W0") : schedule.window,
  };
}

/** The next backup of an instance after a time: within the window of its day, spread over the instances. */
function nextBackup({ day, window, id }: { day: Day; window: Window; id: number }, after: number): When {
  const date = new Date(after);
  const ahead = (days.indexOf(day) - date.getUTCDay() + days.length) % days.length;
  const hour = Number(window.slice(1));
  const opens = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + ahead, hour);
  const due = opens + ((id * 7) % minutesToBegin) * minute;
  return due > after ? { due, until: opens + windowLength } : { due: due + week, until: opens + week + windowLength };
}

/** Milliseconds. */
const minute = 60_000;
const windowLength = 120 * minute;
const week = 7 * 24 * 60 * minute;
const patience = 5 * minute;

/** A backup starts early enough to end before its window closes. */
const minutesToBegin = 110;
