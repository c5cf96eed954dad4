import { backupStatus, limits, type BackupStatusState, type EventEntity } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import type { Duration } from "../../platform/durations.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { BackupRow, InstanceRow } from "../../store/rows.js";
import { callerOf, type UnitOfWork } from "../../unit-of-work.js";
import { cancelJobs, entityOf } from "../../platform/instance-state.js";

export const backupHandlers: TagHandlers<"listInstanceBackups" | "createInstanceSnapshot" | "getInstanceBackup"> = {
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
  /** Moves a backup to its next state. */
  backup: async (work, { data, event }) => {
    const backup = await work.tx.backups.get(Number(data["backup"]));
    // The states that `goOn` planned.
    const [status, ...then] = data["then"] as readonly BackupStatusState[];
    if (backup === undefined || status === undefined) return;
    if (status === "successful") {
      await succeed(work, backup);
      await work.finishEvent(event);
      return;
    }
    await goOn(work, await work.tx.backups.patch(backup, { status, updated: work.date }), { then, event });
  },
};

/** The start of a backup. An automatic one has neither a label nor an event. */
type BackupTask =
  | { readonly trigger: "platform:weekly-backup" }
  | { readonly trigger: "createInstanceSnapshot"; readonly label: string; readonly event: number };

/** Starts a backup of an instance. It contains the current disks and configs. */
export async function takeBackup(work: UnitOfWork, instance: InstanceRow, taking: BackupTask): Promise<BackupRow> {
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
  // A backup goes through each of these states in turn, and never back.
  const then = begins.then as readonly BackupStatusState[];
  await goOn(work, backup, { then, event: isSnapshot ? taking.event : null });
  return backup;
}

async function copiesOf({ tx }: UnitOfWork, { id }: InstanceRow): Promise<BackupRow["copies"]> {
  const configs = await tx.configs.find({ instance: id });
  const disks = await tx.disks.find({ instance: id });
  return {
    configs: configs.map(({ id: _id, instance: _instance, created: _created, updated: _updated, ...rest }) => rest),
    disks: disks.map(({ id: disk, label, size, filesystem, image }) => ({ id: disk, label, size, filesystem, image })),
  };
}

/** The duration of each transient state of a backup. */
const takes: Readonly<Record<string, Duration>> = {
  pending: "backupPending",
  running: "backupRunning",
  needsPostProcessing: "backupPostProcessing",
};

async function goOn(
  work: UnitOfWork,
  { id, account, status }: BackupRow,
  { then, event }: { readonly then: readonly BackupStatusState[]; readonly event: number | null },
): Promise<void> {
  await work.startJob({
    account,
    kind: "backup",
    subject: subjectOf(id),
    takes: takes[status] ?? "backupRunning",
    event,
    data: { backup: id, then },
  });
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
  const known = { ...instance.backups, ...fields, available: isAny };
  if (JSON.stringify(known) === JSON.stringify(instance.backups)) return instance;
  return tx.instances.patch(instance, { backups: known, updated: date });
}

/** Deletes backups and their jobs. */
export async function deleteBackups(
  work: UnitOfWork,
  which: { readonly instance: number; readonly type?: BackupRow["type"] },
): Promise<void> {
  for (const { id } of await work.tx.backups.deleteReturning({ ...which })) await cancelJobs(work, subjectOf(id));
}

function subjectOf(backup: number): string {
  return `backup ${backup}`;
}

/** A backup in the format of events. */
export function backupEntity({ id, label, instance }: BackupRow): EventEntity {
  return { id, label, type: "backups", url: `/v4/compute/instances/${instance}/backups/${id}` };
}
