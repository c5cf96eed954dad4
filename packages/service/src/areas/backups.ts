import { backupStatus, limits, type BackupStatusState, type EventEntity } from "@cloud-compute/server";
import type { Area } from "../context.js";
import type { Duration } from "../platform/durations.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { BackupRow, InstanceRow } from "../store/rows.js";
import { callerOf, type Work } from "../work.js";
import { abandon, entityOf } from "./states.js";

export const backups: Area<"listInstanceBackups" | "createInstanceSnapshot" | "getInstanceBackup"> = {
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
    await backupsDeleted(work, { instance: target.id, type: "snapshot" });
    const instance = await availabilityShown(work, target);
    // snapshot-event
    const event = await work.tell({
      account: target.account,
      action: "compute_snapshot",
      username: callerOf(context).user,
      entity: entityOf(target),
      status: "started",
    });
    // snapshot-taken
    const snapshot = await takeBackup(work, instance, {
      trigger: "createInstanceSnapshot",
      label,
      event: event.id,
    });
    return { status: 200, body: snapshot };
  },

  getInstanceBackup: ({ target }) => ({ status: 200, body: target }),
};

const inProgress: ReadonlySet<BackupStatusState> = new Set(["pending", "running", "paused", "needsPostProcessing"]);

export const backupJobs: JobHandlers = {
  /** A backup goes on to its next state. */
  backup: async (work, { data, event }) => {
    const backup = await work.tx.backups.get(Number(data["backup"]));
    // What `goOn` planned.
    const [status, ...then] = data["then"] as readonly BackupStatusState[];
    if (backup === undefined || status === undefined) return;
    if (status === "successful") {
      await succeed(work, backup);
      await work.finish(event);
      return;
    }
    await goOn(work, await work.tx.backups.change(backup, { status, updated: work.date }), { then, event });
  },
};

/** How a backup begins; an automatic one has neither a label nor an event. */
type Taking =
  | { readonly trigger: "platform:weekly-backup" }
  | { readonly trigger: "createInstanceSnapshot"; readonly label: string; readonly event: number };

/** Begins a backup of an instance, which holds its disks and configs as they are now. */
export async function takeBackup(work: Work, instance: InstanceRow, taking: Taking): Promise<BackupRow> {
  const { tx, date } = work;
  const begins = backupStatus.initial(taking.trigger);
  if (begins === undefined) throw new TypeError("a backup begins in no state");
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
  // A backup is in each of these in turn; it neither goes back nor away by itself.
  const then = begins.then as readonly BackupStatusState[];
  await goOn(work, backup, { then, event: isSnapshot ? taking.event : null });
  return backup;
}

async function copiesOf({ tx }: Work, { id }: InstanceRow): Promise<BackupRow["copies"]> {
  const configs = await tx.configs.find({ instance: id });
  const disks = await tx.disks.find({ instance: id });
  return {
    configs: configs.map(({ id: _id, instance: _instance, created: _created, updated: _updated, ...rest }) => rest),
    disks: disks.map(({ id: disk, label, size, filesystem, image }) => ({ id: disk, label, size, filesystem, image })),
  };
}

/** How long a backup is in the states that it leaves by itself. */
const takes: Readonly<Record<string, Duration>> = {
  pending: "backupPending",
  running: "backupRunning",
  needsPostProcessing: "backupPostProcessing",
};

async function goOn(
  work: Work,
  { id, account, status }: BackupRow,
  { then, event }: { readonly then: readonly BackupStatusState[]; readonly event: number | null },
): Promise<void> {
  await work.begin({
    account,
    kind: "backup",
    subject: subjectOf(id),
    takes: takes[status] ?? "backupRunning",
    event,
    data: { backup: id, then },
  });
}

/** A backup is done: it shows what it holds, and can be restored. */
async function succeed(work: Work, backup: BackupRow): Promise<void> {
  const { tx, date } = work;
  const { configs, disks } = backup.copies;
  await tx.backups.put({
    ...backup,
    status: "successful",
    configs: configs.map(({ label }) => label),
    disks: disks.map(({ label, size, filesystem }) => ({ label, size, filesystem })),
    finished: date,
    updated: date,
  });
  if (backup.type === "auto") await automaticBackupsKept(work, backup.instance);
  const instance = await tx.instances.get(backup.instance);
  if (instance !== undefined) await availabilityShown(work, instance, { last_successful: date });
}

/** Of the automatic backups that succeeded, the newest are kept. */
async function automaticBackupsKept({ tx }: Work, instance: number): Promise<void> {
  const done = await tx.backups.find({ instance, type: "auto", status: "successful" });
  await tx.backups.remove(done.slice(0, -limits.automaticBackupsKept.max).map(({ id }) => id));
}

/**
 * Shows of backups, and of their instance, whether they can be restored: those that succeeded can, but for the time for which the platform has the
 * instance in maintenance.
 */
export async function availabilityShown(
  work: Work,
  instance: InstanceRow,
  fields: Partial<InstanceRow["backups"]> = {},
): Promise<InstanceRow> {
  const { tx, date } = work;
  const isMaintained = instance.state === "stopped";
  let isAny = false;
  for (const backup of await tx.backups.find({ instance: instance.id })) {
    const available = backup.status === "successful" && !isMaintained;
    if (available !== backup.available) await tx.backups.change(backup, { available, updated: date });
    isAny ||= available;
  }
  const known = { ...instance.backups, ...fields, available: isAny };
  if (JSON.stringify(known) === JSON.stringify(instance.backups)) return instance;
  return tx.instances.change(instance, { backups: known, updated: date });
}

/** Deletes backups, and what was still being done for them. */
export async function backupsDeleted(
  work: Work,
  which: { readonly instance: number; readonly type?: BackupRow["type"] },
): Promise<void> {
  for (const { id } of await work.tx.backups.take({ ...which })) await abandon(work, subjectOf(id));
}

function subjectOf(backup: number): string {
  return `backup ${backup}`;
}

/** A backup as events name it. */
export function backupEntity({ id, label, instance }: BackupRow): EventEntity {
  return { id, label, type: "backups", url: `/v4/compute/instances/${instance}/backups/${id}` };
}
