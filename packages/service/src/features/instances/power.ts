import { errors, instanceStatus, limits, type InstanceStatus } from "@cloud-compute/server";
import { markDisksReady } from "../../platform/disks.js";
import { isIdle, setInstanceState } from "../../platform/instance-state.js";
import { jobSubject } from "../../platform/job-subjects.js";
import type { InstanceRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { withAvailability } from "../backups/lifecycle.js";
import { instanceEntity } from "../events/lifecycle.js";

/** The config to boot by default: the only one, else the last booted one. */
export async function configToBoot({ tx }: UnitOfWork, { id, lastBooted }: InstanceRow): Promise<number> {
  const configs = await tx.configs.find({ instance: id });
  const [only, ...others] = configs;
  if (only === undefined) throw errors.noConfig();
  if (others.length === 0) return only.id;
  const last = configs.find((config) => config.id === lastBooted);
  if (last === undefined) throw errors.noConfigChosen();
  return last.id;
}

/** Starts booting an instance that is off. Its `lastBooted` becomes the last-booted-config. */
export async function startBoot(work: UnitOfWork, instance: InstanceRow, username: string | null): Promise<void> {
  const { account, state } = instance;
  if (state !== "offline" && state !== "unpowered") throw errors.instanceBusy();
  const booting = await setInstanceState(work, instance, instanceStatus.transition(state, "bootInstance", "booting"));
  // boot-event
  const event = await work.recordEvent({
    account,
    action: "compute_boot",
    username,
    entity: instanceEntity(booting),
    status: "started",
  });
  await work.startJob({ account, kind: "boot", subject: jobSubject("instance", booting.id), event: event.id });
}

/** The recent boots of the watchdog, within the time for which they count. */
export function recentBoots({ now }: UnitOfWork, { watchdogBoots }: InstanceRow): number[] {
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
  requested: InstanceStatus,
): Promise<InstanceRow> {
  const isWatched = (await work.tx.jobs.count({ kind: "watchdog", subject: jobSubject("instance", instance.id) })) > 0;
  await work.cancelJobs(jobSubject("instance", instance.id));
  await markDisksReady(work, instance);
  const { account, state, before } = instance;
  const isLoss = requested === "offline" && (hasPower.has(state) || state === "unpowered");
  const to = isLoss ? "unpowered" : requested;
  const entered = await setInstanceState(work, instance, to, { before: isIdle(state) ? state : before });
  // After maintenance, backups can be restored again.
  const changed = to === "stopped" || state === "stopped" ? await withAvailability(work, entered) : entered;
  if (isLoss && (hasPower.has(state) || isWatched)) await powerLost(work, changed);
  if (to === "deleting")
    await work.startJob({
      account,
      kind: "delete",
      subject: jobSubject("instance", changed.id),
      pace: "lifelike",
    });
  if (to in transients) {
    const { takes, to: next } = transients[to as keyof typeof transients];
    const data = { to: next === "$previous" ? (changed.before ?? "offline") : next };
    await work.startJob({
      account,
      kind: "end",
      subject: jobSubject("instance", changed.id),
      takes,
      data,
      pace: "lifelike",
    });
  }
  return changed;
}

/** States in which an instance is on, and is meant to be. */
const hasPower: ReadonlySet<InstanceStatus> = new Set(["running", "booting", "rebooting"]);

/** The watchdog boots an instance that powered off without a request, up to a limit. */
async function powerLost(work: UnitOfWork, instance: InstanceRow): Promise<void> {
  if (!instance.watchdog_enabled) return;
  if (recentBoots(work, instance).length >= limits.watchdogBoots.max) return;
  await work.startJob({
    account: instance.account,
    kind: "watchdog",
    subject: jobSubject("instance", instance.id),
  });
}
