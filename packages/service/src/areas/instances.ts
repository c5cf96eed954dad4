import { errors, filterable, instanceStatus, page, type InstanceType } from "@cloud-compute/server";
import type { Area } from "../context.js";
import { newHost, passwordHash } from "../credentials.js";
import { grantCreator, grantsEnd } from "../grants.js";
import type { JobHandlers } from "../platform/jobs.js";
import type { InstanceRow } from "../store/rows.js";
import { callerOf, type Work } from "../work.js";
import { addressesReleased, assignAddress, slaacAddress } from "./addresses.js";
import { backupsEnabled, backupsStopped, noBackups, scheduleChanged } from "./backup-service.js";
import { backupsDeleted } from "./backups.js";
import { forgetClonesTo } from "./clones.js";
import { copyBackup, deployImage, imageOf, judgeDeployment } from "./deployment.js";
import { nodeFollows } from "./nodes.js";
import { abandon, enter, entityOf, subjectOf } from "./states.js";
import { ensureTags } from "./tagging.js";

export const instances: Area<"listInstances" | "createInstance" | "getInstance" | "updateInstance" | "deleteInstance"> =
  {
    listInstances: async ({ query, headers, visible }, { work }) => {
      const wish = { query, visible, filter: headers["X-Filter"], filterable: filterable.listInstances };
      const { items, total } = await work.tx.instances.list({}, wish);
      return { status: 200, body: page(query, items, total) };
    },

    createInstance: async ({ body, refs }, context) => {
      const { work } = context;
      const caller = callerOf(context);
      const account = caller.account.id;
      const { type, image, backup_id: backup, authorized_users } = refs;
      // The stubs have refused a type that there is not.
      if (type === undefined) throw errors.noSuchType();
      await judgeDeployment(work, body, refs);
      const begins = instanceStatus.initial("createInstance", { body });
      if (begins === undefined) throw new TypeError("an instance begins in no state");
      const id = await work.tx.instances.nextId();
      const made = await newInstance(work, {
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
        ...made,
        image: body.image ?? (backup === undefined ? null : imageOf(backup)),
        tags: await ensureTags(work, account, body.tags ?? []),
        // root-password-from-backup
        rootPassHash:
          backup?.rootPassHash ?? (body.root_pass === undefined ? null : await passwordHash(body.root_pass)),
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
      if (instance.lastBooted !== null) await work.tx.instances.put(instance);
      if (body.backups_enabled) instance = await backupsEnabled(work, instance);
      const ends = begins.then[0];
      // create-event
      const event = await work.tell({
        account,
        action: "compute_create",
        username: caller.user,
        entity: entityOf(instance),
        status: ends === undefined ? "finished" : "started",
      });
      if (ends !== undefined)
        await work.begin({
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
      await work.tx.instances.put(instance);
      if (instance.label !== target.label) await labelChanged(work, instance);
      if (JSON.stringify(instance.backups) !== JSON.stringify(target.backups)) await scheduleChanged(work, instance);
      // update-event
      await work.tell({
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
  /** A deployment ends as it was asked for. */
  provision: async (work, { event, data, subject }) => {
    const instance = await jobInstance(work, subject);
    if (instance === undefined) return;
    await enter(work, instance, data["ends"] === "running" ? "running" : "offline");
    await work.finish(event);
  },
  delete: async (work, { event, subject }) => {
    const instance = await jobInstance(work, subject);
    if (instance !== undefined) await removeInstance(work, instance);
    await work.finish(event);
  },
};

/** Begins to delete an instance: it is `deleting`, and gone soon after. What else was to be done with it is not. */
export async function deleteInstance(work: Work, instance: InstanceRow, username: string | null): Promise<void> {
  // It goes on being deleted.
  if (instance.state === "deleting") return;
  // From a state that forbids it, `transition` throws; types cannot tell.
  const state = instanceStatus.transition(instance.state as "running", "deleteInstance", "deleting");
  await abandon(work, subjectOf(instance));
  await forgetClonesTo(work, instance);
  await enter(work, instance, state);
  // delete-event
  const event = await work.tell({
    account: instance.account,
    action: "compute_delete",
    username,
    entity: entityOf(instance),
    status: "started",
  });
  await work.begin({
    account: instance.account,
    kind: "delete",
    subject: subjectOf(instance),
    takes: "delete",
    event: event.id,
  });
}

/** Takes an instance away, with all that is within it; volumes stay, and are attached to nothing. */
export async function removeInstance(work: Work, instance: InstanceRow): Promise<void> {
  const { tx } = work;
  const { id } = instance;
  await abandon(work, subjectOf(instance));
  await backupsStopped(work, instance);
  await addressesReleased(work, id);
  await tx.disks.take({ instance: id });
  await tx.configs.take({ instance: id });
  await backupsDeleted(work, { instance: id });
  for (const volume of await tx.volumes.find({ compute_id: id }))
    await tx.volumes.change(volume, { compute_id: null, compute_label: null, updated: work.date });
  await tx.instances.remove([id]);
  await grantsEnd(work, { account: instance.account, kind: "compute", id });
  if (instance.cluster !== null) await nodeFollows(work, instance);
}

/** The instance that a job is about, while it is there. */
export async function jobInstance({ tx }: Work, subject: string): Promise<InstanceRow | undefined> {
  return tx.instances.get(Number(subject.split(" ")[1]));
}

/** An instance as every one begins, with its addresses, not yet stored. */
export async function newInstance(
  work: Work,
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
    status: instanceStatus.shown(state),
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

/** Volumes show the label of the instance that they are attached to. */
async function labelChanged({ tx, date }: Work, { id, label }: InstanceRow): Promise<void> {
  for (const volume of await tx.volumes.find({ compute_id: id }))
    await tx.volumes.change(volume, { compute_label: label, updated: date });
}

/** The SSH keys that users have on their profiles. */
async function keysOf({ tx }: Work, users: readonly string[]): Promise<string[]> {
  return (await tx.sshkeys.among("user", users)).map(({ ssh_key }) => ssh_key);
}
