import { errors, instanceStatus, limits, type InstanceStatusState } from "@cloud-compute/server";
import type { Area } from "../context.js";
import { clonesOf } from "../limits.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { InstanceRow } from "../store/rows.js";
import { callerOf, type Work } from "../work.js";
import { availabilityShown } from "./backups.js";
import { disksReady } from "./disks.js";
import { jobInstance } from "./instances.js";
import { abandon, enter, entityOf, isIdle, subjectOf } from "./states.js";

export const power: Area<"bootInstance"> = {
  bootInstance: async ({ target, refs }, context) => {
    const { work } = context;
    const lastBooted = refs.config_id?.id ?? (await configToBoot(work, target));
    await boot(work, { ...target, lastBooted }, callerOf(context).user);
    return { status: 200, body: {} };
  },
};

export const powerJobs: JobHandlers = {
  boot: (work, job) => ends(work, job, "running"),
  /** What the platform began by itself: it ends as the table of states says. Clones that were begun meanwhile go on. */
  end: async (work, job) => {
    const instance = await jobInstance(work, job.subject);
    if (instance?.state === "cloning" && (await work.tx.jobs.count({ subject: clonesOf(instance.id) })) > 0) return;
    await ends(work, job, job.data["to"] as InstanceStatusState);
  },
  watchdog: async (work, { subject }) => {
    const instance = await jobInstance(work, subject);
    if (instance?.state !== "unpowered" || !instance.watchdog_enabled) return;
    await boot(work, { ...instance, watchdogBoots: [...recentBoots(work, instance), work.now] }, null);
  },
};

/** The config that is booted without being named: the only one, or else the last booted one. */
async function configToBoot({ tx }: Work, { id, lastBooted }: InstanceRow): Promise<number> {
  const configs = await tx.configs.find({ instance: id });
  const [only, ...others] = configs;
  if (only === undefined) throw errors.noConfig();
  if (others.length === 0) return only.id;
  const last = configs.find((config) => config.id === lastBooted);
  if (last === undefined) throw errors.noConfigChosen();
  return last.id;
}

/** Begins to boot an instance that is off, whose `lastBooted` is from now on the last-booted-config. */
async function boot(work: Work, instance: InstanceRow, username: string | null): Promise<void> {
  const { account, state } = instance;
  if (state !== "offline" && state !== "unpowered") throw errors.instanceBusy();
  const booting = await enter(work, instance, instanceStatus.transition(state, "bootInstance", "booting"));
  // boot-event
  const event = await work.tell({
    account,
    action: "compute_boot",
    username,
    entity: entityOf(booting),
    status: "started",
  });
  await work.begin({ account, kind: "boot", subject: subjectOf(booting), takes: "boot", event: event.id });
}

async function ends(
  work: Work,
  { subject, event }: { readonly subject: string; readonly event: number | null },
  to: InstanceStatusState,
): Promise<void> {
  const instance = await jobInstance(work, subject);
  if (instance === undefined) return;
  await enter(work, instance, to, { before: null });
  await work.finish(event);
}

/** When the watchdog booted it, within the time for which it counts. */
function recentBoots({ now }: Work, { watchdogBoots }: InstanceRow): number[] {
  return watchdogBoots.filter((time) => time > now - limits.watchdogBoots.windowSeconds * 1000);
}

/** How long the platform takes for what it begins by itself, and what the instance is then; other states last until they are left. */
const transients = {
  booting: { takes: "boot", to: "running" },
  rebooting: { takes: "reboot", to: "running" },
  shutting_down: { takes: "shutDown", to: "offline" },
  provisioning: { takes: "provision", to: "running" },
  rebuilding: { takes: "rebuild", to: "running" },
  migrating: { takes: "migrate", to: "$before" },
  cloning: { takes: "clone", to: "$before" },
  restoring: { takes: "restore", to: "offline" },
} as const;

/** What the platform does to an instance without being asked: another state, from which it goes on as it would. */
export async function setStatus(work: Work, instance: InstanceRow, asked: InstanceStatusState): Promise<InstanceRow> {
  const isWatched = (await work.tx.jobs.count({ kind: "watchdog", subject: subjectOf(instance) })) > 0;
  await abandon(work, subjectOf(instance));
  await disksReady(work, instance);
  const { account, state, before } = instance;
  const isLoss = asked === "offline" && (hasPower.has(state) || state === "unpowered");
  const to = isLoss ? "unpowered" : asked;
  const entered = await enter(work, instance, to, { before: isIdle(state) ? state : before });
  // With maintenance over, backups can be restored again.
  const changed = to === "stopped" || state === "stopped" ? await availabilityShown(work, entered) : entered;
  if (isLoss && (hasPower.has(state) || isWatched)) await powerLost(work, changed);
  if (to === "deleting")
    await work.begin({ account, kind: "delete", subject: subjectOf(changed), takes: "delete", pace: "lifelike" });
  if (to in transients) {
    const { takes, to: next } = transients[to as keyof typeof transients];
    const data = { to: next === "$before" ? (changed.before ?? "offline") : next };
    await work.begin({ account, kind: "end", subject: subjectOf(changed), takes, data, pace: "lifelike" });
  }
  return changed;
}

/** States in which an instance is on, and meant to be. */
const hasPower: ReadonlySet<InstanceStatusState> = new Set(["running", "booting", "rebooting"]);

/** The watchdog boots an instance that nobody shut down, until it gives up. */
async function powerLost(work: Work, instance: InstanceRow): Promise<void> {
  if (!instance.watchdog_enabled) return;
  if (recentBoots(work, instance).length >= limits.watchdogBoots.max) return;
  await work.begin({ account: instance.account, kind: "watchdog", subject: subjectOf(instance), takes: "watchdog" });
}
