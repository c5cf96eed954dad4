import type { InstanceBackupSchedule } from "@cloud-compute/server";
import type { InstanceRow } from "../../store/rows.js";

/** The start of a backup, and the end of its window, in milliseconds since 1970. */
export interface BackupTime {
  readonly due: number;
  readonly until: number;
}

type Day = Exclude<InstanceBackupSchedule["day"], "Scheduling" | null>;

type Window = Exclude<InstanceBackupSchedule["window"], "Scheduling" | null>;

const days: readonly Day[] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const windows: readonly Window[] = ["W0", "W2", "W4", "W6", "W8", "W10", "W12", "W14", "W16", "W18", "W20", "W22"];

/** The choices of the platform spread the instances over the week. */
export function chooseSchedule({ id, backups: { schedule } }: InstanceRow): InstanceBackupSchedule {
  const isOpen = (part: string | null): boolean => part === null || part === "Scheduling";
  return {
    day: isOpen(schedule.day) ? (days[id % days.length] ?? "Sunday") : schedule.day,
    window: isOpen(schedule.window) ? (windows[(id * 5) % windows.length] ?? "W0") : schedule.window,
  };
}

/** The next backup of an instance after a time: within the window of its day, spread over the instances. */
export function nextBackup({ day, window, id }: { day: Day; window: Window; id: number }, after: number): BackupTime {
  const date = new Date(after);
  const ahead = (days.indexOf(day) - date.getUTCDay() + days.length) % days.length;
  const hour = Number(window.slice(1));
  const opens = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + ahead, hour);
  const due = opens + ((id * 7) % minutesToBegin) * minuteMs;
  return due > after ? { due, until: opens + windowLength } : { due: due + week, until: opens + week + windowLength };
}

/** Milliseconds. */
export const minuteMs = 60_000;

const windowLength = 120 * minuteMs;

const week = 7 * 24 * 60 * minuteMs;

/** A backup starts early enough to end before its window closes. */
const minutesToBegin = 110;
