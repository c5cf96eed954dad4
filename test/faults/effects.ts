import type { Edit, Fault } from "./fault.js";
import { handlers } from "./files.js";
import { faultsOf } from "./rows.js";

/** Faults of effects: events, deletions and cascades. */
export const effects: readonly Fault[] = [...untold(), ...staying(), ...cascades()];

function untold(): readonly Fault[] {
  const nothing = "await (async () => ({ id: null }))(";
  const reported = (file: string, within: string): Edit => handlers(file)(within, "await work.tell(", nothing);
  const toldOf = (file: string, within: string): Edit => handlers(file)(within, "await tellOf(", nothing);
  const none = "no event is recorded";
  return faultsOf("no-event", 58, [
    ["createInstance", none, ["instance.create.operation"], reported("instances", "createInstance: async")],
    ["updateInstance", none, ["instance.update.operation"], reported("instances", "updateInstance: async")],
    ["bootInstance", none, ["instance.boot.operation"], reported("power", "async function boot(")],
    ["cloneInstance", none, ["instance.clone.operation"], reported("clones", "cloneInstance: async")],
    [
      "enableInstanceBackups",
      none,
      ["backup.enable.operation"],
      reported("backup-service", "enableInstanceBackups: async"),
    ],
    ["createInstanceConfig", none, ["config.create.operation"], reported("configs", "createInstanceConfig: async")],
    ["deleteImage", none, ["image.delete.operation"], reported("images", "deleteImage: async")],
    ["createTag", none, ["tag.create.operation"], reported("tags", "createTag: async")],
    ["createDomain", none, ["domains.create"], reported("domains", "createDomain: async")],
    [
      "deleteDomainRecord",
      none,
      ["records.delete"],
      handlers("records")("deleteDomainRecord: async", 'await tell(context, domain, "dns_record_delete");', ""),
    ],
    ["updateProfile", none, ["profile.update.operation"], toldOf("profile", "updateProfile: async")],
    ["createToken", none, ["token.create"], toldOf("tokens", "createToken: async")],
    [
      "updateImage/other-action",
      "the event is that of an upload",
      ["image.update.operation"],
      handlers("images")("updateImage: async", '"image_update"', '"image_upload"'),
    ],
    [
      "createCluster/nodes",
      "no events of the nodes are recorded",
      ["cluster.ready.events", "event.cluster"],
      reported("nodes", "export async function addNodes("),
    ],
  ]);
}

function staying(): readonly Fault[] {
  const kept = "the response reports success, but the object remains";
  return faultsOf("not-deleted", 59, [
    [
      "deleteInstance",
      "an instance stays in the state deleting",
      ["instance.delete.operation", "instance.delete.permanent"],
      handlers("instances")(
        "    delete: async (work, { event, subject }) => {",
        "await removeInstance(work, instance);",
        ";",
      ),
    ],
    [
      "deleteImage",
      kept,
      ["image.delete.operation", "image.delete.permanent"],
      handlers("images")("deleteImage: async", "await removeImage(work, target);", ""),
    ],
    [
      "deleteTag",
      kept,
      ["tag.delete.operation"],
      handlers("tags")("deleteTag: async", "await tx.tags.remove([id]);", ""),
    ],
    [
      "deleteCluster",
      kept,
      ["cluster.delete.operation", "cluster.delete.permanent"],
      handlers("clusters")("async function removeCluster(", "await tx.clusters.remove([id]);", ""),
    ],
    [
      "deleteClusterNode",
      kept,
      ["node.delete.operation", "node.delete.permanent"],
      handlers("nodes")(
        "deleteClusterNode: async",
        "await removeNodes(work, [target], callerOf(context).user);",
        "void removeNodes;",
      ),
    ],
    [
      "deleteClusterPool",
      kept,
      ["pool.delete.operation"],
      handlers("pools")("deleteClusterPool: async", "await work.tx.pools.remove([target.id]);", ""),
    ],
    [
      "deleteDevice",
      kept,
      ["device.delete"],
      handlers("devices")("deleteDevice: async", "await work.tx.devices.remove([id]);", "void work, id;"),
    ],
    ["deleteApp", kept, ["app.delete"], handlers("apps")("deleteApp: async", "await work.tx.apps.remove([id]);", "")],
    [
      "deleteSSHKey",
      kept,
      ["sshkey.delete"],
      handlers("sshkeys")("deleteSSHKey: async", "await work.tx.sshkeys.remove([target.id]);", ""),
    ],
    [
      "deletePhoneNumber",
      "the number remains",
      ["phone.delete", "phone.delete.state"],
      handlers("phone")(
        "deletePhoneNumber: async",
        "await context.work.tx.users.change(user, { profile, phone: null });",
        "void profile;",
      ),
    ],
    [
      "deleteDomain",
      kept,
      ["domains.delete", "domain.moves.deleted"],
      handlers("domains")("deleteDomain: async", "await work.tx.domains.remove([target.id]);", ""),
    ],
    [
      "deleteDomainRecord",
      kept,
      ["records.delete"],
      handlers("records")("deleteDomainRecord: async", "await work.tx.records.remove([record.id]);", ""),
    ],
    [
      "deleteClusterKubeconfig",
      "the old kubeconfig remains valid",
      ["kubeconfig.delete.operation", "kubeconfig.delete.regenerates"],
      handlers("cluster-access")(
        "async function kubeconfigReplaced(",
        "await tx.clusters.change(cluster, { kubeconfigToken: newToken() });",
        ";",
      ),
    ],
    [
      "disableTwoFactor",
      "two-factor authentication stays on",
      ["two-factor.disable", "two-factor.disable.state"],
      handlers("two-factor")("export async function twoFactorOff(", "two_factor_auth: false", "two_factor_auth: true"),
    ],
  ]);
}

function cascades(): readonly Fault[] {
  return faultsOf("effect", 60, [
    [
      "deleteTag/instances",
      "instances keep a tag that is deleted",
      ["tag.delete.everywhere"],
      handlers("tags")("deleteTag: async", "await takeFrom(work, tx.instances, { where, label });", ""),
    ],
    [
      "deleteTag/domains",
      "domains keep a tag that is deleted",
      ["tag.delete.everywhere"],
      handlers("tags")("deleteTag: async", "await takeFrom(work, tx.domains, { where, label });", ""),
    ],
    [
      "deleteTag/all",
      "objects lose their other tags as well",
      ["tag.delete.everywhere", "tag.delete.operation"],
      handlers("tags")("async function takeFrom(", "row.tags.filter((each) => each !== label)", "[]"),
    ],
    [
      "createTag/domains",
      "referenced domains do not get the tag",
      ["tag.create.domains"],
      handlers("tags")("createTag: async", "await addTo(work, tx.domains, { row, label });", "void row;"),
    ],
    [
      "createTag/computes",
      "instances lose their other tags",
      ["tag.create.computes", "tag.create.operation"],
      handlers("tags")("async function addTo(", "[...row.tags, label]", "[label]"),
    ],
    [
      "createInstance/private_ip",
      "no private address is assigned",
      ["instance.create.private-ip-address", "instance.create.private-ip"],
      handlers("instances")("export async function newInstance(", "privateIp ? [", "privateIp === null ? ["),
    ],
    [
      "createInstance/default-config",
      "a config boots no disk",
      ["instance.create.default-config", "instance.create.two-disks"],
      handlers("deployment")("function defaultConfig(", "devices: devicesOf(of.disks),", "devices: devicesOf([]),"),
    ],
    [
      "createInstance/swap-disk",
      "a swap disk always has 512 MB",
      ["instance.create.swap-disk", "instance.create.swap-size"],
      handlers("deployment")(
        "export async function deployImage(",
        "swapDisk(work, instance, swap_size)",
        "swapDisk(work, instance, 512)",
      ),
    ],
    [
      "createInstance/backup",
      "the configs of a backup are not restored",
      ["instance.create.backup-config"],
      handlers("deployment")("async function configsFromBackup(", "from.backup.copies.configs)", "[])"),
    ],
    [
      "deleteInstance/volumes",
      "volumes stay attached to a deleted instance",
      ["volume.compute-id.null", "instance.delete.operation"],
      handlers("instances")(
        "export async function removeInstance(",
        "await tx.volumes.change(volume, { compute_id: null, compute_label: null, updated: work.date });",
        ";",
      ),
    ],
    [
      "cloneInstance/tags",
      "a clone has no tags",
      ["instance.clone.tags"],
      handlers("clones")("async function cloneMakesInstance(", "tags: source.tags,", ""),
    ],
    [
      "cloneInstance/configs",
      "a clone has no configs",
      ["instance.clone.copies-configs"],
      handlers("clones")(
        "cloneInstance: async",
        "await cloneCopiesConfigs(work, target, { configs: copied.configs, disks });",
        "void cloneCopiesConfigs;",
      ),
    ],
    [
      "createInstanceSnapshot/one",
      "older snapshots remain",
      ["backup.snapshot.replaces"],
      handlers("backups")(
        "createInstanceSnapshot: async",
        'await backupsDeleted(work, { instance: target.id, type: "snapshot" });',
        "",
      ),
    ],
    [
      "cancelInstanceBackups/backups",
      "the backups remain",
      ["backup.cancel.deletes-all", "backup.cancel.permanent"],
      handlers("backup-service")(
        "cancelInstanceBackups: async",
        "await backupsDeleted(work, { instance: target.id });",
        "",
      ),
    ],
    [
      "cancelInstanceBackups/service",
      "backups stay enabled",
      ["backup.cancel.operation", "instance.backups.enabled"],
      handlers("backup-service")("cancelInstanceBackups: async", "await backupsDisabled(work, target);", ""),
    ],
    [
      "restoreInstanceBackup/overwrite",
      "overwritten disks remain",
      ["backup.restore.overwrite.disks", "backup.restore.overwrite"],
      handlers("restore")("async function overwritten(", "await work.tx.disks.take({ instance: id });", ""),
    ],
    [
      "restoreInstanceBackup/configs",
      "overwritten configs remain",
      ["backup.restore.overwrite.configs", "backup.restore.overwrite"],
      handlers("restore")("async function overwritten(", "await work.tx.configs.take({ instance: id });", ""),
    ],
    [
      "deleteCluster/instances",
      "the instances of nodes remain",
      ["cluster.delete.instances"],
      handlers("clusters")(
        "async function removeCluster(",
        "await removeNodes(work, await tx.nodes.find({ cluster: id }), username);",
        "",
      ),
    ],
    [
      "deleteClusterPool/instances",
      "the instances of nodes remain",
      ["pool.delete.instances"],
      handlers("pools")(
        "deleteClusterPool: async",
        "await poolInstancesDeleted(work, target, callerOf(context).user);",
        "",
      ),
    ],
    [
      "deleteClusterNode/count",
      "the pool counts the deleted node",
      ["node.delete.count"],
      handlers("nodes")("deleteClusterNode: async", "await nodeLeavesPool(work, target);", ""),
    ],
    [
      "recycleClusterNode",
      "no node replaces a recycled one",
      ["node.recycle.replaces"],
      handlers("recycling")("async function nodeReplaced(", "await addNodes(", "await (async () => undefined)("),
    ],
    [
      "updateClusterPool/grows",
      "a pool gets one node too few",
      ["pool.scale.creates"],
      handlers("pools")("updateClusterPool: async", "count: more, username", "count: more - 1, username"),
    ],
    [
      "updateClusterPool/shrinks",
      "a pool loses one node too many",
      ["pool.scale.deletes"],
      handlers("pools")("async function poolShrinks(", "nodes.slice(-count)", "nodes.slice(-count - 1)"),
    ],
    [
      "createDomain/zone",
      "a zone is never rendered",
      ["domain.moves.rendering"],
      handlers("domains")("createDomain: async", "await zoneBegins(work, domain);", ""),
    ],
    [
      "deleteDomainRecord/zone",
      "the zone has a deleted record",
      ["domain.moves.rendering"],
      handlers("records")("deleteDomainRecord: async", "await zoneChanged(work, domain);", ""),
    ],
    [
      "cloneDomain/records",
      "the records are not cloned",
      ["domains.clone.records"],
      handlers("domain-copies")(
        "cloneDomain: async",
        "await cloneCopiesRecords(work, { from: target, to: domain });",
        "void cloneCopiesRecords;",
      ),
    ],
    [
      "answerSecurityQuestions/others",
      "unanswered questions keep their answers",
      ["questions.unanswered-null"],
      handlers("security-questions")(
        "answerSecurityQuestions: async",
        "const answers = Object.fromEntries(",
        "const answers = Object.assign({ ...(await userOf(context)).answers }, Object.fromEntries(",
      ),
      handlers("security-questions")(
        "answerSecurityQuestions: async",
        "[question_id, response]));",
        "[question_id, response])));",
      ),
    ],
    [
      "sendPhoneCode/message",
      "no message is sent",
      ["phone.send.state", "phone.send"],
      handlers("phone")("sendPhoneCode: async", "await phoneCodeSent(work, sent);", "void phoneCodeSent;"),
    ],
    [
      "sendPhoneCode/resent",
      "another code is sent while the first is valid",
      ["phone.send.resend"],
      handlers("phone")(
        "sendPhoneCode: async",
        "phoneCodeResent(user, { number, now: work.now }) ?? newCode(work, number)",
        "newCode(work, number)",
      ),
    ],
    [
      "verifyPhoneNumber",
      "the number is not shown",
      ["phone.verify.assigned"],
      handlers("phone")(
        "verifyPhoneNumber: async",
        "verified_phone_number: user.phone.number",
        "verified_phone_number: null",
      ),
    ],
  ]);
}
