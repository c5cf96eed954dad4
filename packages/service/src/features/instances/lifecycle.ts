import { instanceStatus } from "@cloud-compute/server";
import { grantsEnd } from "../../access/grants.js";
import { setInstanceState } from "../../platform/instance-state.js";
import { jobSubject } from "../../platform/job-subjects.js";
import type { InstanceRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { deleteBackups, stopBackups } from "../backups/lifecycle.js";
import { instanceEntity } from "../events/lifecycle.js";
import { releaseAddresses } from "./addresses.js";
import { cancelClonesTo } from "./clones.js";

export { newInstance, startProvisioning } from "./new-instance.js";
export { setStatus } from "./power.js";

/** Starts deleting an instance: it is `deleting`, and removed soon after. All its other jobs are cancelled. */
export async function deleteInstance(work: UnitOfWork, instance: InstanceRow, username: string | null): Promise<void> {
  // A second request has no further effect.
  if (instance.state === "deleting") return;
  // `transition` throws for a state that forbids it, which types cannot express.
  const state = instanceStatus.transition(instance.state as "running", "deleteInstance", "deleting");
  await work.cancelJobs(jobSubject("instance", instance.id));
  await cancelClonesTo(work, instance);
  await setInstanceState(work, instance, state);
  // delete-event
  const event = await work.recordEvent({
    account: instance.account,
    action: "compute_delete",
    username,
    entity: instanceEntity(instance),
    status: "started",
  });
  await work.startJob({
    account: instance.account,
    kind: "delete",
    subject: jobSubject("instance", instance.id),
    event: event.id,
  });
}

/** Removes an instance with all that it contains. Its volumes stay and are detached. */
export async function removeInstance(work: UnitOfWork, instance: InstanceRow): Promise<void> {
  const { tx } = work;
  const { id } = instance;
  await work.cancelJobs(jobSubject("instance", instance.id));
  await stopBackups(work, instance);
  await releaseAddresses(work, id);
  await tx.disks.deleteReturning({ instance: id });
  await tx.configs.deleteReturning({ instance: id });
  await deleteBackups(work, { instance: id });
  for (const volume of await tx.volumes.find({ compute_id: id }))
    await tx.volumes.patch(volume, { compute_id: null, compute_label: null, updated: work.date });
  await tx.instances.remove([id]);
  await grantsEnd(work, { account: instance.account, kind: "compute", id });
}
