import { createFaults } from "./create-faults.js";
import { editFeature } from "./edited-files.js";
import type { Fault } from "./fault.js";

/** Operations that do what they should, and change something else besides. */
export const besidesFaults: readonly Fault[] = createFaults("besides", 64, [
  [
    "updateInstance/own-tags",
    "renaming an instance also clears its tags",
    ["instance.update.operation"],
    editFeature("instances/handlers")(
      "updateInstance: async",
      "body.tags === undefined ? target.tags",
      "body.tags === undefined ? (body.label === undefined ? target.tags : [])",
    ),
  ],
  [
    "updateInstance/other-account",
    "the group is that of an instance of another account, too",
    ["instance.update.operation"],
    editFeature("instances/handlers")(
      "updateInstance: async",
      "// update-event",
      // A transaction reaches rows of its account only.
      `for (const [doc] of await work.tx.database.run("select doc from instances", [])) {
            const other = JSON.parse(doc);
            const there = Object.create(work.tx, { account: { value: other.account } });
            if (other.account !== target.account) await there.instances.patch(other, { group: instance.group });
        }`,
    ),
  ],
  [
    "deleteInstance/others",
    "deleting an instance turns off the watchdog of the other ones",
    ["instance.delete.operation"],
    editFeature("instances/handlers")(
      "deleteInstance: async",
      "return { status: 200, body: {} };",
      "for (const other of await context.work.tx.instances.find({ account: target.account })) await context.work.tx.instances.patch(other, { watchdog_enabled: false }); return { status: 200, body: {} };",
    ),
  ],
  [
    "bootInstance/watchdog",
    "booting turns off the watchdog",
    ["instance.boot.operation"],
    editFeature("instances/handlers")(
      "bootInstance: async",
      "{ ...target, lastBooted }",
      "{ ...target, lastBooted, watchdog_enabled: false }",
    ),
  ],
  [
    "createInstanceConfig/siblings",
    "the other configs of the instance change their run level",
    ["config.create.operation"],
    editFeature("configs/handlers")(
      "createInstanceConfig: async",
      "// config-event",
      "for (const other of await work.tx.configs.find({ instance: target.id })) if (other.id !== config.id) await work.tx.configs.patch(other, { run_level: 'single' });",
    ),
  ],
  [
    "enableInstanceBackups/others",
    "the groups of all instances of the account are cleared",
    ["backup.enable.operation"],
    editFeature("backups/handlers")(
      "enableInstanceBackups: async",
      "// enable-event",
      "for (const other of await work.tx.instances.find({ account: target.account })) await work.tx.instances.patch(other, { group: '' });",
    ),
  ],
  [
    "createInstanceSnapshot/others",
    "the snapshots of the other instances are deleted",
    ["backup.snapshot.operation"],
    editFeature("backups/handlers")(
      "createInstanceSnapshot: async",
      "// snapshot-event",
      "for (const other of await work.tx.instances.find({ account: target.account })) if (other.id !== target.id) await deleteBackups(work, { instance: other.id });",
    ),
  ],
  [
    "updateImage/other-image",
    "the other images of the account get the description",
    ["image.update.operation"],
    editFeature("images/handlers")(
      "updateImage: async",
      "// image-update-event",
      "for (const other of await work.tx.images.find({ account: image.account })) if (other.id !== image.id) await work.tx.images.patch(other, { description: `${image.label} ${description}` });",
    ),
  ],
  [
    "updateClusterPool/autoscaler",
    "shrinking a pool turns its autoscaler off",
    ["pool.update.operation"],
    editFeature("kube/handlers")(
      "updateClusterPool: async",
      "...before.autoscaler, ...body.autoscaler",
      "...before.autoscaler, ...(body.count < before.count ? { enabled: false } : {}), ...body.autoscaler",
    ),
  ],
  [
    "updateCluster/pools",
    "renaming a cluster clears the tags of its pools",
    ["cluster.update.operation"],
    editFeature("kube/handlers")(
      "updateCluster: async",
      "await work.tx.clusters.update(cluster);",
      "await work.tx.clusters.update(cluster); for (const pool of await work.tx.pools.find({ cluster: cluster.id })) await work.tx.pools.patch(pool, { tags: [] });",
    ),
  ],
  [
    "updateProfile/other-user",
    "the other users of the account get the time zone",
    ["profile.update.operation"],
    editFeature("profile/handlers")(
      "updateProfile: async",
      "// event-profile-update",
      "for (const other of await work.tx.users.find({ account: user.account })) await work.tx.users.patch(other, { profile: { ...other.profile, timezone: 'Asia/Tokyo' } });",
    ),
  ],
  [
    "deleteSSHKey/second",
    "the other keys of the user get the label",
    ["sshkey.delete"],
    editFeature("profile/credential-handlers")(
      "deleteSSHKey: async",
      "// event-ssh-key-delete",
      "for (const other of await work.tx.sshkeys.find({ user: target.user })) await work.tx.sshkeys.patch(other, { label: target.label });",
    ),
  ],
  [
    "deleteDomainRecord/same-type",
    "all records of the type are deleted",
    ["records.delete"],
    editFeature("domains/handlers")(
      "deleteDomainRecord: async",
      "[record.id]",
      "(await work.tx.records.find({ domain: record.domain, type: record.type })).map(({ id }) => id)",
    ),
  ],
  [
    "updateDomain/records",
    "a new description resets the times of the records",
    ["domains.update"],
    editFeature("domains/handlers")(
      "updateDomain: async",
      "// update-domain-renders",
      "for (const record of await work.tx.records.find({ domain: target.id })) await work.tx.records.patch(record, { ttl_sec: record.ttl_sec === 300 ? 3600 : 300 });",
    ),
  ],
]);
