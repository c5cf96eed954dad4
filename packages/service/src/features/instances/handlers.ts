import { errors, filterable, instanceStatus, page } from "@cloud-compute/server";
import { callerOf } from "../../access/caller.js";
import { grantCreator } from "../../access/grants.js";
import type { TagHandlers } from "../../context.js";
import { initialState } from "../../platform/initial-state.js";
import { setInstanceState } from "../../platform/instance-state.js";
import { jobSubject } from "../../platform/job-subjects.js";
import type { InstanceRow } from "../../store/rows.js";
import { isSameRow } from "../../store/same-row.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { copyBackup, enableBackups, imageOf, rescheduleBackups } from "../backups/lifecycle.js";
import { instanceEntity } from "../events/lifecycle.js";
import { ensureTags } from "../tags/lifecycle.js";
import {
  assertCopyFits,
  becomesTarget,
  cloneCopiesConfigs,
  cloneCopiesDisks,
  cloneMakesInstance,
  copiesFor,
} from "./clones.js";
import { assertDeployable, deployImage } from "./deployment.js";
import { deleteInstance } from "./lifecycle.js";
import { newInstance, startProvisioning } from "./new-instance.js";
import { startBoot, configToBoot } from "./power.js";

export const instanceHandlers: TagHandlers<
  | "listInstances"
  | "createInstance"
  | "getInstance"
  | "updateInstance"
  | "deleteInstance"
  | "bootInstance"
  | "cloneInstance"
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
    const begins = initialState(instanceStatus, "createInstance", { body });
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
      rootPassHash: backup?.rootPassHash ?? context.rootPassHash,
      authorizedKeys: [...(body.authorized_keys ?? []), ...(await keysOf(work, [...authorized_users.keys()]))],
    };
    // nothing-deployed, nothing-configured: without an image or a backup there are neither disks nor configs.
    if (image !== undefined) {
      const config = await deployImage(work, instance, image, body);
      instance = { ...instance, lastBooted: body.booted ? config.id : null };
    }
    if (backup !== undefined) {
      const [config] = await copyBackup(work, instance, backup);
      instance = { ...instance, lastBooted: body.booted ? (config?.id ?? null) : null };
    }
    await work.tx.instances.add(instance);
    if (body.backups_enabled) instance = await enableBackups(work, instance);
    await startProvisioning(work, instance, { username: caller.user, ends: begins.then[0] });
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
    if (isSameRow(changed, target)) return { status: 200, body: target };
    const instance = { ...changed, updated: work.date };
    await work.tx.instances.update(instance);
    if (instance.label !== target.label) await labelChanged(work, instance);
    if (!isSameRow(instance.backups, target.backups)) await rescheduleBackups(work, instance);
    // update-event
    await work.recordEvent({
      account: target.account,
      action: "compute_update",
      username: callerOf(context).user,
      entity: instanceEntity(instance),
    });
    return { status: 200, body: instance };
  },

  deleteInstance: async ({ target }, context) => {
    await deleteInstance(context.work, target, callerOf(context).user);
    return { status: 200, body: {} };
  },

  bootInstance: async ({ target, refs }, context) => {
    const { work } = context;
    const lastBooted = refs.config_id?.id ?? (await configToBoot(work, target));
    await startBoot(work, { ...target, lastBooted }, callerOf(context).user);
    return { status: 200, body: {} };
  },

  cloneInstance: async (request, context) => {
    const { work } = context;
    const caller = callerOf(context);
    const { target: source, refs } = request;
    const copied = await copiesFor(work, request);
    await assertCopyFits(work, request, copied);
    const existing = refs.compute_id;
    const target =
      existing === undefined ? await cloneMakesInstance(work, request) : await becomesTarget(work, existing, source);
    const disks = await cloneCopiesDisks(work, target, copied.disks);
    await cloneCopiesConfigs(work, target, { configs: copied.configs, disks });
    await setInstanceState(
      work,
      source,
      instanceStatus.transition(source.state as "running", "cloneInstance", "cloning"),
      {
        before: source.state === "cloning" ? source.before : source.state,
      },
    );
    // clone-event
    const event = await work.recordEvent({
      account: source.account,
      action: "compute_clone",
      username: caller.user,
      entity: instanceEntity(source),
      secondary: instanceEntity(target),
      status: "started",
    });
    await work.startJob({
      account: source.account,
      kind: "clone",
      subject: jobSubject("clones of", source.id),
      event: event.id,
      data: { source: source.id, target: target.id, disks: [...disks.values()] },
    });
    if (existing === undefined)
      await grantCreator(caller, work, { kind: "compute", id: target.id, label: target.label });
    return { status: 200, body: target };
  },
};

/** Volumes have the label of their instance. */
async function labelChanged({ tx, date }: UnitOfWork, { id, label }: InstanceRow): Promise<void> {
  for (const volume of await tx.volumes.find({ compute_id: id }))
    await tx.volumes.patch(volume, { compute_label: label, updated: date });
}

/** The SSH keys of users. */
async function keysOf({ tx }: UnitOfWork, users: readonly string[]): Promise<string[]> {
  return (await tx.sshkeys.findIn("user", users)).map(({ ssh_key }) => ssh_key);
}
