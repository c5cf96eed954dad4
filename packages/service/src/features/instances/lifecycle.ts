import { errors, filterable, instanceStatus, page, type InstanceType } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import { newHost, passwordHash } from "../../access/credentials.js";
import { grantCreator, grantsEnd } from "../../access/grants.js";
import type { JobHandlers } from "../../platform/jobs.js";
import type { InstanceRow } from "../../store/rows.js";
import { callerOf, type UnitOfWork } from "../../unit-of-work.js";
import { releaseAddresses, assignAddress, slaacAddress } from "./addresses.js";
import { enableBackups, stopBackups, noBackups, rescheduleBackups } from "../backups/schedule.js";
import { deleteBackups } from "../backups/lifecycle.js";
import { cancelClonesTo } from "./clones.js";
import { copyBackup, deployImage, imageOf, assertDeployable } from "./deployment.js";
import { advanceNode } from "../kube/nodes.js";
import { cancelJobs, setState, entityOf, subjectOf } from "../../platform/instance-state.js";
import { ensureTags } from "../tags/lifecycle.js";

export const instanceHandlers: TagHandlers<
  "listInstances" | "createInstance" | "getInstance" | "updateInstance" | "deleteInstance"
> = {
  listInstances: async ({ query, headers, listScope }, { work }) => {
    const listQuery = { query, listScope, filter: headers["X-Filter"], filterable: filterable.listInstances };
    const { items, total } = await work.tx.instances.list({}, listQuery);
    return { status: 200, body: page(query, items, total) };
  },

  createInstance: async ({ body, refs }, context) => {
    const { work } = context;
    const caller = callerOf(context);
    const account = caller.account.id;
    const { type, image, backup_id: backup, authorized_users } = refs;
    // The generated server has rejected unknown types.
    if (type === undefined) throw errors.noSuchType();
    await assertDeployable(work, body, refs);
    const begins = instanceStatus.initial("createInstance", { body });
    if (begins === undefined) throw new TypeError("an instance begins in no state");
    const id = await work.tx.instances.nextId();
    const draft = await newInstance(work, {
      id,
      account,
      type,
      label: body.label ?? `compute${id}`,
      region: body.region,
      group: body.group ?? "",
      state: begins.to,
      privateIp: body.private_ip,
    });
    let instance: InstanceRow = {
      ...draft,
      image: body.image ?? (backup === undefined ? null : imageOf(backup)),
      tags: await ensureTags(work, account, body.tags ?? []),
      // root-password-from-backup
      rootPassHash: backup?.rootPassHash ?? (body.root_pass === undefined ? null : await passwordHash(body.root_pass)),
      authorizedKeys: [...(body.authorized_keys ?? []), ...(await keysOf(work, [...authorized_users.keys()]))],
    };
    await work.tx.instances.add(instance);
    // nothing-deployed, nothing-configured: without an image or a backup there are neither disks nor configs.
    if (image !== undefined) {
      const config = await deployImage(work, instance, image, body);
      instance = { ...instance, lastBooted: body.booted ? config.id : null };
    }
    if (backup !== undefined) {
      const [config] = await copyBackup(work, instance, backup);
      instance = { ...instance, lastBooted: body.booted ? (config?.id ?? null) : null };
    }
    if (instance.lastBooted !== null) await work.tx.instances.update(instance);
    if (body.backups_enabled) instance = await enableBackups(work, instance);
    const ends = begins.then[0];
    // create-event
    const event = await work.recordEvent({
      account,
      action: "compute_create",
      username: caller.user,
      entity: entityOf(instance),
      status: ends === undefined ? "finished" : "started",
    });
    if (ends !== undefined)
      await work.startJob({
        account,
        kind: "provision",
        subject: subjectOf(instance),
        takes: "provision",
        event: event.id,
        data: { ends },
      });
    await grantCreator(caller, work, { kind: "compute", id, label: instance.label });
    return { status: 200, body: instance };
  },

  getInstance: ({ target }) => ({ status: 200, body: target }),

  updateInstance: async ({ target, body }, context) => {
    const { work } = context;
    const { schedule } = body.backups ?? {};
    const changed: InstanceRow = {
      ...target,
      label: body.label ?? target.label,
      group: body.group ?? target.group,
      watchdog_enabled: body.watchdog_enabled ?? target.watchdog_enabled,
      alerts: { ...target.alerts, ...body.alerts },
      backups: { ...target.backups, schedule: { ...target.backups.schedule, ...schedule } },
      tags: body.tags === undefined ? target.tags : await ensureTags(work, target.account, body.tags),
    };
    if (JSON.stringify(changed) === JSON.stringify(target)) return { status: 200, body: target };
    const instance = { ...changed, updated: work.date };
    await work.tx.instances.update(instance);
    if (instance.label !== target.label) await labelChanged(work, instance);
    if (JSON.stringify(instance.backups) !== JSON.stringify(target.backups)) await rescheduleBackups(work, instance);
    // update-event
    await work.recordEvent({
      account: target.account,
      action: "compute_update",
      username: callerOf(context).user,
      entity: entityOf(instance),
    });
    return { status: 200, body: instance };
  },

  deleteInstance: async ({ target }, context) => {
    await deleteInstance(context.work, target, callerOf(context).user);
    return { status: 200, body: {} };
  },
};

export const instanceJobs: JobHandlers = {
  /** Completes a deployment. */
  provision: async (work, { event, data, subject }) => {
    const instance = await jobInstance(work, subject);
    if (instance === undefined) return;
    await setState(work, instance, data["ends"] === "running" ? "running" : "offline");
    await work.finishEvent(event);
  },
  delete: async (work, { event, subject }) => {
    const instance = await jobInstance(work, subject);
    if (instance !== undefined) await removeInstance(work, instance);
    await work.finishEvent(event);
  },
};

/** Starts deleting an instance: it is `deleting`, and removed soon after. All its other jobs are cancelled. */
export async function deleteInstance(work: UnitOfWork, instance: InstanceRow, username: string | null): Promise<void> {
  // A second request has no further effect.
  if (instance.state === "deleting") return;
  // `transition` throws for a state that forbids it, which types cannot express.
  const state = instanceStatus.transition(instance.state as "running", "deleteInstance", "deleting");
  await cancelJobs(work, subjectOf(instance));
  await cancelClonesTo(work, instance);
  await setState(work, instance, state);
  // delete-event
  const event = await work.recordEvent({
    account: instance.account,
    action: "compute_delete",
    username,
    entity: entityOf(instance),
    status: "started",
  });
  await work.startJob({
    account: instance.account,
    kind: "delete",
    subject: subjectOf(instance),
    takes: "delete",
    event: event.id,
  });
}

/** Removes an instance with all that it contains. Its volumes stay and are detached. */
export async function removeInstance(work: UnitOfWork, instance: InstanceRow): Promise<void> {
  const { tx } = work;
  const { id } = instance;
  await cancelJobs(work, subjectOf(instance));
  await stopBackups(work, instance);
  await releaseAddresses(work, id);
  await tx.disks.deleteReturning({ instance: id });
  await tx.configs.deleteReturning({ instance: id });
  await deleteBackups(work, { instance: id });
  for (const volume of await tx.volumes.find({ compute_id: id }))
    await tx.volumes.patch(volume, { compute_id: null, compute_label: null, updated: work.date });
  await tx.instances.remove([id]);
  await grantsEnd(work, { account: instance.account, kind: "compute", id });
  if (instance.cluster !== null) await advanceNode(work, instance);
}

/** The instance of a job, if it still exists. */
export async function jobInstance({ tx }: UnitOfWork, subject: string): Promise<InstanceRow | undefined> {
  return tx.instances.get(Number(subject.split(" ")[1]));
}

/** A new instance with its addresses, not yet stored. */
export async function newInstance(
  work: UnitOfWork,
  of: Pick<InstanceRow, "id" | "account" | "label" | "region" | "group" | "state"> & {
    readonly type: InstanceType;
    readonly privateIp: boolean;
  },
): Promise<InstanceRow> {
  const { id, account, label, region, group, state, type, privateIp } = of;
  const publicAddress = await assignAddress(work, id, "public");
  const privateAddress = privateIp ? [await assignAddress(work, id, "private")] : [];
  const { disk, memory, transfer, vcpus, gpus } = type;
  return {
    id,
    account,
    label,
    region,
    group,
    state,
    type: type.id,
    image: null,
    tags: [],
    ipv4: [publicAddress, ...privateAddress],
    ipv6: slaacAddress(id),
    status: instanceStatus.clientState(state),
    hypervisor: "kvm",
    host_uuid: newHost(),
    created: work.date,
    updated: work.date,
    watchdog_enabled: true,
    specs: { disk, memory, transfer, vcpus, gpus },
    alerts: { cpu: 90 * vcpus, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
    backups: noBackups,
    before: null,
    rootPassHash: null,
    authorizedKeys: [],
    lastBooted: null,
    watchdogBoots: [],
    cluster: null,
  };
}

/** Volumes have the label of their instance. */
async function labelChanged({ tx, date }: UnitOfWork, { id, label }: InstanceRow): Promise<void> {
  for (const volume of await tx.volumes.find({ compute_id: id }))
    await tx.volumes.patch(volume, { compute_label: label, updated: date });
}

/** The SSH keys of users. */
async function keysOf({ tx }: UnitOfWork, users: readonly string[]): Promise<string[]> {
  return (await tx.sshkeys.findIn("user", users)).map(({ ssh_key }) => ssh_key);
}
