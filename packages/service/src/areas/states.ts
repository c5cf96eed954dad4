import { instanceStatus, type EventEntity, type InstanceStatusState } from "@cloud-compute/server";
import type { InstanceRow } from "../store/rows.js";
import type { Work } from "../work.js";

/** Puts an instance into a state. What it was before is kept where it is to go back to it. */
export async function enter(
  work: Work,
  instance: InstanceRow,
  to: InstanceStatusState,
  fields: Partial<InstanceRow> = {},
): Promise<InstanceRow> {
  return work.tx.instances.change(instance, {
    ...fields,
    state: to,
    status: instanceStatus.shown(to),
    updated: work.date,
  });
}

/** Whether an instance in this state has nothing running or queued. */
export function isIdle(state: InstanceStatusState): state is "running" | "offline" | "unpowered" {
  return state === "running" || state === "offline" || state === "unpowered";
}

/** What was to be done about something is not done, and what told of it tells that it failed. */
export async function abandon(work: Work, subject: string): Promise<void> {
  for (const { event } of await work.cancel(subject)) await work.finish(event, "failed");
}

/** What jobs of an instance are about. */
export function subjectOf({ id }: { readonly id: number }): string {
  return `instance ${id}`;
}

/** An instance as events name it. */
export function entityOf({ id, label }: { readonly id: number; readonly label: string }): EventEntity {
  return { id, label, type: "compute", url: `/v4/compute/instances/${id}` };
}
