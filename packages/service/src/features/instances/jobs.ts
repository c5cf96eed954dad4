import type { InstanceStatus } from "@cloud-compute/server";
import { jobInstance, setInstanceState } from "../../platform/instance-state.js";
import { jobSubject } from "../../platform/job-subjects.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { InstanceRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { cloneData, releaseSource } from "./clones.js";
import { removeInstance } from "./lifecycle.js";
import { startBoot, recentBoots } from "./power.js";

/** What other features do when an instance changes, in the same transaction. */
export interface InstanceHooks {
  readonly onRemoved: (work: UnitOfWork, instance: InstanceRow) => Promise<void>;
}

/** The jobs of instances. */
export function createInstanceJobs({ onRemoved }: InstanceHooks): JobHandlers {
  return {
    /** Completes a deployment. */
    provision: async (work, { event, data, subject }) => {
      const instance = await jobInstance(work, subject);
      if (instance === undefined) return;
      await setInstanceState(work, instance, data["ends"] === "running" ? "running" : "offline");
      await work.finishEvent(event);
    },
    delete: async (work, { event, subject }) => {
      const instance = await jobInstance(work, subject);
      if (instance !== undefined) {
        await removeInstance(work, instance);
        await onRemoved(work, instance);
      }
      await work.finishEvent(event);
    },

    clone: async (work, job) => {
      const { tx } = work;
      const { disks } = cloneData(job);
      for (const disk of await tx.disks.findIn("id", disks))
        await tx.disks.patch(disk, { status: "ready", updated: work.date });
      const target = await tx.instances.get(cloneData(job).target);
      // A new target becomes offline, an existing one returns to its previous state, unless the platform has changed its state.
      if (target?.state === "provisioning" || target?.state === "rebuilding")
        await setInstanceState(work, target, target.before ?? "offline", { before: null });
      await work.finishEvent(job.event);
      await releaseSource(work, job);
    },

    boot: (work, job) => transientEnds(work, job, "running"),
    /** Ends a transient state that the platform caused, by the state machine. Clones that started meanwhile continue. */
    end: async (work, job) => {
      const instance = await jobInstance(work, job.subject);
      if (
        instance?.state === "cloning" &&
        (await work.tx.jobs.count({ subject: jobSubject("clones of", instance.id) })) > 0
      )
        return;
      await transientEnds(work, job, job.data["to"] as InstanceStatus);
    },
    watchdog: async (work, { subject }) => {
      const instance = await jobInstance(work, subject);
      if (instance?.state !== "unpowered" || !instance.watchdog_enabled) return;
      await startBoot(work, { ...instance, watchdogBoots: [...recentBoots(work, instance), work.now] }, null);
    },
  };
}

async function transientEnds(
  work: UnitOfWork,
  { subject, event }: { readonly subject: string; readonly event: number | null },
  to: InstanceStatus,
): Promise<void> {
  const instance = await jobInstance(work, subject);
  if (instance === undefined) return;
  await setInstanceState(work, instance, to, { before: null });
  await work.finishEvent(event);
}
