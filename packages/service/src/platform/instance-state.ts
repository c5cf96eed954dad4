import { instanceStatus, type InstanceStatus } from "@cloud-compute/server";
import type { InstanceRow } from "../store/rows.js";
import type { UnitOfWork } from "../unit-of-work.js";
import { subjectId } from "./job-subjects.js";

/** Puts an instance into a state. */
export async function setInstanceState(
  work: UnitOfWork,
  instance: InstanceRow,
  to: InstanceStatus,
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
export function isIdle(state: InstanceStatus): state is "running" | "offline" | "unpowered" {
  return state === "running" || state === "offline" || state === "unpowered";
}

/** The instance of a job, if it still exists. */
export async function jobInstance({ tx }: UnitOfWork, subject: string): Promise<InstanceRow | undefined> {
  return tx.instances.get(Number(subjectId(subject)));
}
