import { instanceStatus, type InstanceStatusState } from "@cloud-compute/server";
import type { InstanceRow } from "../store/rows.js";
import type { UnitOfWork } from "../unit-of-work.js";

/** Puts an instance into a state. */
export async function setInstanceState(
  work: UnitOfWork,
  instance: InstanceRow,
  to: InstanceStatusState,
  fields: Partial<InstanceRow> = {},
): Promise<InstanceRow> {
  return work.tx.instances.patch(instance, {
    ...fields,
    state: to,
    status: instanceStatus.clientState(to),
    updated: work.date,
  });
}

/** Whether an instance in this state has nothing running or queued. */
export function isIdle(state: InstanceStatusState): state is "running" | "offline" | "unpowered" {
  return state === "running" || state === "offline" || state === "unpowered";
}

/** Cancels the jobs of a subject, and marks their events as failed. */
export async function cancelJobs(work: UnitOfWork, subject: string): Promise<void> {
  for (const { event } of await work.cancel(subject)) await work.finishEvent(event, "failed");
}

/** The subject of an instance's jobs. */
export function instanceSubject({ id }: { readonly id: number }): string {
  return `instance ${id}`;
}

/** The instance of a job, if it still exists. */
export async function jobInstance({ tx }: UnitOfWork, subject: string): Promise<InstanceRow | undefined> {
  return tx.instances.get(Number(subject.split(" ")[1]));
}
