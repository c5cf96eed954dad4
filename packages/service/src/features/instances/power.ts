import { errors, instanceStatus, limits, type InstanceStatusState } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import { clonesOf } from "../../server/limits.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { InstanceRow } from "../../store/rows.js";
import { callerOf, type UnitOfWork } from "../../unit-of-work.js";
import { withAvailability } from "../backups/lifecycle.js";
import { markDisksReady } from "../../platform/disks.js";
import { jobInstance } from "./lifecycle.js";
import { cancelJobs, setState, entityOf, isIdle, subjectOf } from "../../platform/instance-state.js";

export const powerHandlers: TagHandlers<"bootInstance"> = {
  bootInstance: async ({ target, refs }, context) => {
    const { work } = context;
    const lastBooted = refs.config_id?.id ?? (await configToBoot(work, target));
    await boot(work, { ...target, lastBooted }, callerOf(context).user);
    return { status: 200, body: {} };
  },
};

export const powerJobs: JobHandlers = {
  boot: (work, job) => transientEnds(work, job, "running"),
  /** Ends a transient state that the platform caused, by the state machine. Clones that started meanwhile continue. */
  end: async (work, job) => {
    const instance = await jobInstance(work, job.subject);
    if (instance?.state === "cloning" && (await work.tx.jobs.count({ subject: clonesOf(instance.id) })) > 0) return;
    await transientEnds(work, job, job.data["to"] as InstanceStatusState);
  },
  watchdog: async (work, { subject }) => {
    const instance = await jobInstance(work, subject);
    if (instance?.state !== "unpowered" || !instance.watchdog_enabled) return;
    await boot(work, { ...instance, watchdogBoots: [...recentBoots(work, instance), work.now] }, null);
  },
};

/** The config to boot by default: the only one, else the last booted one. */
async function configToBoot({ tx }: UnitOfWork, { id, lastBooted }: InstanceRow): Promise<number> {
  const configs = await tx.configs.find({ instance: id });
  const [only, ...others] = configs;
  if (only === undefined) throw errors.noConfig();
  if (others.length === 0) return only.id;
  const last = configs.find((config) => config.id === lastBooted);
  if (last === undefined) throw errors.noConfigChosen();
  return last.id;
}

/** Starts booting an instance that is off. Its `lastBooted` becomes the last-booted-config. */
async function boot(work: UnitOfWork, instance: InstanceRow, username: string | null): Promise<void> {
  const { account, state } = instance;
  if (state !== "offline" && state !== "unpowered") throw errors.instanceBusy();
  const booting = await setState(work, instance, instanceStatus.transition(state, "bootInstance", "booting"));
  // boot-event
  const event = await work.recordEvent({
    account,
    action: "compute_boot",
    username,
    entity: entityOf(booting),
    status: "started",
  });
  await work.startJob({ account, kind: "boot", subject: subjectOf(booting), takes: "boot", event: event.id });
}

async function transientEnds(
  work: UnitOfWork,
  { subject, event }: { readonly subject: string; readonly event: number | null },
  to: InstanceStatusState,
): Promise<void> {
  const instance = await jobInstance(work, subject);
  if (instance === undefined) return;
  await setState(work, instance, to, { before: null });
  await work.finishEvent(event);
}

/** The recent boots of the watchdog, within the time for which they count. */
function recentBoots({ now }: UnitOfWork, { watchdogBoots }: InstanceRow): number[] {
  return watchdogBoots.filter((time) => time > now - limits.watchdogBoots.windowSeconds * 1000);
}

/** The duration of states that the platform causes, and the state afterwards. Other states last until a request ends them. */
const transients = {
  booting: { takes: "boot", to: "running" },
  rebooting: { takes: "reboot", to: "running" },
  shutting_down: { takes: "shutDown", to: "offline" },
  provisioning: { takes: "provision", to: "running" },
  rebuilding: { takes: "rebuild", to: "running" },
  migrating: { takes: "migrate", to: "$previous" },
  cloning: { takes: "clone", to: "$previous" },
  restoring: { takes: "restore", to: "offline" },
} as const;

/** Makes the platform put an instance into another state, from which it continues as usual. */
export async function setStatus(
  work: UnitOfWork,
  instance: InstanceRow,
  requested: InstanceStatusState,
): Promise<InstanceRow> {
  const isWatched = (await work.tx.jobs.count({ kind: "watchdog", subject: subjectOf(instance) })) > 0;
  await cancelJobs(work, subjectOf(instance));
  await markDisksReady(work, instance);
  const { account, state, before } = instance;
  const isLoss = requested === "offline" && (hasPower.has(state) || state === "unpowered");
  const to = isLoss ? "unpowered" : requested;
  const entered = await setState(work, instance, to, { before: isIdle(state) ? state : before });
  // After maintenance, backups can be restored again.
  const changed = to === "stopped" || state === "stopped" ? await withAvailability(work, entered) : entered;
  if (isLoss && (hasPower.has(state) || isWatched)) await powerLost(work, changed);
  if (to === "deleting")
    await work.startJob({ account, kind: "delete", subject: subjectOf(changed), takes: "delete", pace: "lifelike" });
  if (to in transients) {
    const { takes, to: next } = transients[to as keyof typeof transients];
    const data = { to: next === "$previous" ? (changed.before ?? "offline") : next };
    await work.startJob({ account, kind: "end", subject: subjectOf(changed), takes, data, pace: "lifelike" });
  }
  return changed;
}

/** States in which an instance is on, and is meant to be. */
const hasPower: ReadonlySet<InstanceStatusState> = new Set(["running", "booting", "rebooting"]);

/** The watchdog boots an instance that powered off without a request, up to a limit. */
async function powerLost(work: UnitOfWork, instance: InstanceRow): Promise<void> {
  if (!instance.watchdog_enabled) return;
  if (recentBoots(work, instance).length >= limits.watchdogBoots.max) return;
  await work.startJob({ account: instance.account, kind: "watchdog", subject: subjectOf(instance), takes: "watchdog" });
}
