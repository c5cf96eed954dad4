import { createFaults, type FaultRow } from "./create-faults.js";
import { editFeature } from "./edited-files.js";
import type { Fault } from "./fault.js";

/** Faults of operations that do what they should, and something else besides. `frame-witnesses.ts` has requests that show each of them. */
export const frameFaults: readonly Fault[] = createFaults("also-changed", 64, [
  ...instances(),
  ...backups(),
  ...configsAndImages(),
  ...tags(),
  ...clusters(),
  ...profiles(),
  ...credentials(),
  ...domains(),
]);

function instances(): readonly FaultRow[] {
  const edit = editFeature("instances/handlers");
  return [
    [
      "updateInstance/alerts",
      "a new label resets an alert",
      ["instance.update.optional", "instance.update.alerts"],
      edit(
        "updateInstance: async",
        "...body.alerts }",
        "...(body.label === undefined ? {} : { transfer_quota: 80 }), ...body.alerts }",
      ),
    ],
    [
      "updateInstance/group",
      "new tags clear the group",
      ["instance.update.optional", "instance.update.group"],
      edit(
        "updateInstance: async",
        "body.group ?? target.group",
        'body.group ?? (body.tags === undefined ? target.group : "")',
      ),
    ],
    [
      "updateInstance/other-instances",
      "the watchdog is set for all instances of the region",
      ["instance.update.operation", "instance.update.watchdog"],
      edit(
        "updateInstance: async",
        "await work.tx.instances.update(instance);",
        `await work.tx.instances.update(instance);
        for (const other of await work.tx.instances.find({ account: target.account, region: target.region }))
            await work.tx.instances.patch(other, { watchdog_enabled: instance.watchdog_enabled });`,
      ),
    ],
    [
      "deleteInstance/tags",
      "the tags of a deleted instance are deleted",
      ["instance.delete.operation", "tag.delete.operation"],
      editFeature("instances/lifecycle")(
        "export async function removeInstance(",
        "await tx.instances.remove([id]);",
        `await tx.instances.remove([id]);
    for (const label of instance.tags) await tx.tags.deleteReturning({ account: instance.account, label });`,
      ),
    ],
    [
      "deleteInstance/volume-grants",
      "the grants on attached volumes end",
      ["instance.delete.operation", "grants.volume"],
      editFeature("instances/lifecycle")(
        "export async function removeInstance(",
        "for (const volume of await tx.volumes.find({ compute_id: id }))",
        `for (const volume of await tx.volumes.find({ compute_id: id }))
        await grantsEnd(work, { account: instance.account, kind: "volume", id: volume.id });
    for (const volume of await tx.volumes.find({ compute_id: id }))`,
      ),
    ],
    [
      "bootInstance/config",
      "the booted config counts as updated",
      ["instance.boot.operation", "instance.boot.config-id"],
      edit(
        "bootInstance: async",
        "await startBoot(",
        `await work.tx.configs.patch(await work.tx.configs.getOrThrow(lastBooted), { updated: work.date });
        await startBoot(`,
      ),
    ],
    [
      "cloneInstance/source-group",
      "the source loses its group",
      ["instance.clone.operation", "instance.clone.group"],
      edit(
        "cloneInstance: async",
        'before: source.state === "cloning"',
        'group: "", before: source.state === "cloning"',
      ),
    ],
    [
      "cloneInstance/volumes",
      "the volumes of the source move to the clone",
      ["instance.clone.operation", "instance.clone.copies-disks"],
      edit(
        "cloneInstance: async",
        "await cloneCopiesConfigs(",
        `for (const volume of await work.tx.volumes.find({ compute_id: source.id }))
            await work.tx.volumes.patch(volume, { compute_id: target.id, compute_label: target.label });
        await cloneCopiesConfigs(`,
      ),
    ],
  ];
}

function backups(): readonly FaultRow[] {
  const edit = editFeature("backups/handlers");
  return [
    [
      "createInstanceSnapshot/schedule",
      "a snapshot changes the day of the weekly backup",
      ["backup.snapshot.operation", "instance.schedule.day"],
      edit(
        "createInstanceSnapshot: async",
        "withAvailability(work, target)",
        'withAvailability(work, target, { schedule: { ...target.backups.schedule, day: "Sunday" } })',
      ),
    ],
    [
      "cancelInstanceBackups/watchdog",
      "the watchdog is turned off with the backups",
      ["backup.cancel.operation"],
      edit(
        "cancelInstanceBackups: async",
        "backupsDisabled(work, target)",
        "backupsDisabled(work, await work.tx.instances.patch(target, { watchdog_enabled: false }))",
      ),
    ],
    [
      "enableInstanceBackups/other-instances",
      "the backups of all instances of the region are enabled",
      ["backup.enable.operation"],
      edit(
        "enableInstanceBackups: async",
        "await enableBackups(work, target);",
        `for (const each of await work.tx.instances.find({ account: target.account, region: target.region }))
            await enableBackups(work, each);`,
      ),
    ],
    [
      "restoreInstanceBackup/backup",
      "a restored backup counts as updated",
      ["backup.restore.operation", "backup.updated"],
      edit(
        "restoreInstanceBackup: async",
        "await copyBackup(work, restoring, backup);",
        "await copyBackup(work, restoring, await work.tx.backups.patch(backup, { updated: work.date }));",
      ),
    ],
    [
      "restoreInstanceBackup/tags",
      "the target of a restore loses its tags, unless it is overwritten",
      ["backup.restore.operation", "backup.restore.overwrite"],
      edit(
        "restoreInstanceBackup: async",
        "await overwriteTarget(work, target, backup) : {}",
        "await overwriteTarget(work, target, backup) : { tags: [] }",
      ),
    ],
  ];
}

function configsAndImages(): readonly FaultRow[] {
  const edit = editFeature("configs/handlers");
  const editImages = editFeature("images/handlers");
  return [
    [
      "createInstanceConfig/other-configs",
      "the memory limit is set in all configs of the instance",
      ["config.create.operation", "config.create.memory-limit"],
      edit(
        "createInstanceConfig: async",
        "// config-event",
        `for (const each of await work.tx.configs.find({ instance: target.id }))
            await work.tx.configs.patch(each, { memory_limit: config.memory_limit });`,
      ),
    ],
    [
      "createInstanceConfig/instance",
      "the instance of a new config counts as updated",
      ["config.create.operation", "instance.updated.type"],
      edit(
        "createInstanceConfig: async",
        "// config-event",
        "await work.tx.instances.patch(target, { updated: work.date });",
      ),
    ],
    [
      "updateImage/other-images",
      "the description is set on all images of the label",
      ["image.update.operation", "image.update.description"],
      editImages(
        "updateImage: async",
        "// image-update-event",
        `for (const other of await work.tx.images.find({ account: image.account, label: image.label }))
            await work.tx.images.patch(other, { description });`,
      ),
    ],
    [
      "createImage/instance",
      "the instance shows the image that its disk became",
      ["image.create.operation", "instance.image.type"],
      editImages(
        "createImage: async",
        "await copyDisk(",
        `await work.tx.instances.patch(instance, { image: image.id });
        await copyDisk(`,
      ),
    ],
    [
      "deleteImage/instances",
      "instances that were deployed from the image lose it",
      ["image.delete.operation", "instance.image.type"],
      editImages(
        "deleteImage: async",
        "await removeImage(work, target);",
        `await removeImage(work, target);
        for (const instance of await work.tx.instances.find({ account: target.account, image: target.id }))
            await work.tx.instances.patch(instance, { image: null });`,
      ),
    ],
  ];
}

function tags(): readonly FaultRow[] {
  const edit = editFeature("tags/handlers");
  const inLifecycle = editFeature("tags/lifecycle");
  return [
    [
      "createTag/updated",
      "an object that has the tag already counts as updated",
      ["tag.create.operation", "tag.create.computes"],
      edit("async function addTo(", "return;", "return void (await collection.update(withTags(work, row, row.tags)));"),
    ],
    [
      "deleteTag/longer-tags",
      "tags that begin with its label are removed with it",
      ["tag.delete.operation", "tag.delete.everywhere"],
      inLifecycle("async function takeFrom(", "each !== label", "!each.startsWith(label)"),
    ],
    [
      "deleteTag/other-accounts",
      "the instances of other accounts lose the tag",
      ["tag.delete.operation", "tag.delete.everywhere"],
      inLifecycle(
        "async function takeFrom(",
        "return rows.length;",
        // A transaction reaches rows of its account only.
        `for (const [doc] of await work.tx.database.run("select doc from instances", [])) {
            const other = JSON.parse(doc);
            const there = Object.create(work.tx, { account: { value: other.account } });
            if (other.account !== account) await there.instances.patch(other, { tags: other.tags.filter((each) => each !== label) });
        }
        return rows.length;`,
      ),
    ],
  ];
}

function clusters(): readonly FaultRow[] {
  const edit = editFeature("kube/handlers");
  return [
    [
      "updateCluster/pools",
      "the tags of a cluster replace those of its pools",
      ["cluster.update.operation", "pool.tags.type"],
      edit(
        "updateCluster: async",
        "await work.tx.clusters.update(cluster);",
        `await work.tx.clusters.update(cluster);
        for (const pool of body.tags === undefined ? [] : await work.tx.pools.find({ cluster: cluster.id }))
            await work.tx.pools.patch(pool, { tags: cluster.tags });`,
      ),
    ],
    [
      "updateClusterPool/other-pools",
      "an autoscaler is set for all pools of the cluster",
      ["pool.update.operation", "pool.update.request"],
      edit(
        "updateClusterPool: async",
        "await work.tx.pools.update(pool);",
        `await work.tx.pools.update(pool);
        for (const other of body.autoscaler === undefined ? [] : await work.tx.pools.find({ cluster: pool.cluster }))
            await work.tx.pools.patch(other, { autoscaler: pool.autoscaler });`,
      ),
    ],
    [
      "updateClusterPool/nodes",
      "the nodes of a pool that grows are recycled",
      ["pool.update.operation", "pool.update.request"],
      edit(
        "updateClusterPool: async",
        "await addNodes(work, refs.clusterId, { pool, count: more, username, begins });",
        `await addNodes(work, refs.clusterId, { pool, count: more, username, begins });
            await recycleNodes(work, { cluster: pool.cluster, nodes, username });`,
      ),
    ],
    [
      "deleteClusterKubeconfig/high-availability",
      "a new kubeconfig turns high availability off",
      ["kubeconfig.delete.operation", "cluster.ha.irreversible"],
      edit(
        "deleteClusterKubeconfig: async",
        "kubeconfigReplaced(work, target)",
        "kubeconfigReplaced(work, { ...target, control_plane: { high_availability: false } })",
      ),
    ],
    [
      "deleteClusterNode/autoscaler",
      "a deleted node lowers the minimum of the autoscaler",
      ["node.delete.operation", "node.delete.count"],
      edit(
        "deleteClusterNode: async",
        "await nodeLeavesPool(work, target);",
        `await nodeLeavesPool(work, target);
        const pool = await work.tx.pools.getOrThrow(target.pool);
        await work.tx.pools.patch(pool, { autoscaler: { ...pool.autoscaler, min: 1 } });`,
      ),
    ],
    [
      "deleteClusterPool/cluster-tags",
      "the cluster loses the tags of a deleted pool",
      ["pool.delete.operation", "cluster.tags.type"],
      edit(
        "deleteClusterPool: async",
        "await work.tx.pools.remove([target.id]);",
        `await work.tx.pools.remove([target.id]);
        const cluster = await work.tx.clusters.getOrThrow(target.cluster);
        await work.tx.clusters.patch(cluster, { tags: cluster.tags.filter((each) => !target.tags.includes(each)) });`,
      ),
    ],
  ];
}

function profiles(): readonly FaultRow[] {
  const edit = editFeature("profile/handlers");
  return [
    [
      "updatePreferences/other-clients",
      "the preferences of all clients of the user are replaced",
      ["preferences.update", "preferences.per-client"],
      edit(
        "updatePreferences: async",
        "return {",
        `for (const other of await tx.preferences.find({ user: caller.user }))
            await tx.preferences.update({ ...other, preferences: body });
        return {`,
      ),
    ],
    [
      "updateProfile/authorized-keys",
      "disabling the remote console deletes its keys",
      ["profile.update.operation", "profile.update.optional"],
      edit(
        "updateProfile: async",
        "body.authorized_keys === undefined ? stored.authorized_keys",
        'body.authorized_keys === undefined ? (body.lish_auth_method === "disabled" ? null : stored.authorized_keys)',
      ),
    ],
    [
      "updateProfile/other-users",
      "the time zone is set for all users of the account",
      ["profile.update.operation", "profile.update.timezone"],
      edit(
        "updateProfile: async",
        "// event-profile-update",
        `for (const other of await work.tx.users.find({ account: user.account }))
            await work.tx.users.patch(other, { profile: { ...other.profile, timezone: next.timezone } });`,
      ),
    ],
    [
      "deletePhoneNumber/two-factor",
      "two-factor authentication ends with the phone number",
      ["phone.delete"],
      edit(
        "deletePhoneNumber: async",
        "verified_phone_number: null }",
        "verified_phone_number: null, two_factor_auth: false }",
      ),
    ],
    [
      "answerSecurityQuestions/devices",
      "new answers end the trust in devices",
      ["question.answer", "device.delete.login"],
      edit(
        "answerSecurityQuestions: async",
        "const answered =",
        `await context.work.tx.devices.deleteReturning({ user: callerOf(context).user });
        const answered =`,
      ),
    ],
    [
      "disableTwoFactor/answers",
      "the answers to the security questions are deleted",
      ["two-factor.disable", "questions.unanswered-null"],
      editFeature("profile/two-factor")(
        "export async function twoFactorOff(",
        "twoFactor: { state,",
        "answers: {}, twoFactor: { state,",
      ),
    ],
  ];
}

function credentials(): readonly FaultRow[] {
  const edit = editFeature("profile/credential-handlers");
  return [
    [
      "createSSHKey/authorized-keys",
      "a new key is a key of the remote console, too",
      ["sshkey.create.operation", "sshkey.create"],
      edit(
        "createSSHKey: async",
        "// event-ssh-key-add",
        `await work.tx.users.patch(user, { profile: { ...user.profile, authorized_keys: [ssh_key] } });`,
      ),
    ],
    [
      "deleteSSHKey/same-key",
      "all entries with the key are deleted",
      ["sshkey.delete"],
      edit(
        "deleteSSHKey: async",
        "remove([target.id])",
        "remove((await work.tx.sshkeys.find({ user: target.user })).filter((each) => each.ssh_key === target.ssh_key).map(({ id }) => id))",
      ),
    ],
    [
      "updateToken/expiry",
      "a token with a new label does not expire",
      ["token.update", "token.no-renewal"],
      edit("updateToken: async", "patch(target, { label })", "patch(target, { label, expiry: null })"),
    ],
    [
      "deleteToken/same-label",
      "all tokens of the label are revoked",
      ["token.delete", "token.revoked"],
      edit("deleteToken: async", "remove([target.id])", "deleteReturning({ user: target.user, label: target.label })"),
    ],
    [
      "deleteDevice/logins",
      "the logins of the user are deleted with a device",
      ["device.delete", "login.history"],
      edit(
        "deleteDevice: async",
        "await work.tx.devices.remove([id]);",
        `await work.tx.logins.deleteReturning({ user: (await work.tx.devices.getOrThrow(id)).user });
        await work.tx.devices.remove([id]);`,
      ),
    ],
  ];
}

function domains(): readonly FaultRow[] {
  const edit = editFeature("domains/handlers");
  return [
    [
      "updateDomain/records",
      "the time to live of a domain is set on its records",
      ["domains.update", "domain.update.optional"],
      edit(
        "updateDomain: async",
        "// update-domain-event",
        `for (const each of changed.ttl_sec === target.ttl_sec ? [] : await work.tx.records.find({ domain: target.id }))
            await work.tx.records.patch(each, { ttl_sec: changed.ttl_sec });`,
      ),
    ],
    [
      "updateDomain/axfr-ips",
      "a disabled domain forgets who may transfer it",
      ["domains.update", "domain.status.rendering"],
      edit("updateDomain: async", "domain: name,", 'domain: name, ...(status === "disabled" ? { axfr_ips: [] } : {}),'),
    ],
    [
      "cloneDomain/source",
      "the source of a clone counts as updated",
      ["domains.clone", "domains.clone.copies"],
      edit(
        "cloneDomain: async",
        "// clone-domain-event",
        "await work.tx.domains.patch(target, { updated: work.date });",
      ),
    ],
    [
      "updateDomainRecord/other-records",
      "the time to live is set on all records of the name and type",
      ["records.update", "record.name.use"],
      edit(
        "updateDomainRecord: async",
        "// update-record-event",
        `for (const other of await work.tx.records.find({ domain: domain.id, type: record.type, name: updated.name }))
            await work.tx.records.patch(other, { ttl_sec: updated.ttl_sec });`,
      ),
    ],
    [
      "deleteDomainRecord/other-records",
      "all records of the name and type are deleted",
      ["records.delete"],
      edit(
        "deleteDomainRecord: async",
        "remove([record.id])",
        "deleteReturning({ domain: domain.id, type: record.type, name: record.name })",
      ),
    ],
    [
      "deleteDomain/events",
      "the events of a domain are deleted with it",
      ["domains.delete", "event.completion"],
      edit(
        "deleteDomain: async",
        "// delete-domain-event",
        'await work.tx.events.deleteReturning({ account: target.account, "entity.type": "domain", "entity.id": String(target.id) });',
      ),
    ],
  ];
}
