import { createFaults } from "./create-faults.js";
import { editFeature } from "./edited-files.js";
import type { Fault } from "./fault.js";

/** Faults of effects on other objects. */
export const cascadeFaults: readonly Fault[] = createFaults("effect", 60, [
  [
    "deleteTag/instances",
    "instances keep a tag that is deleted",
    ["tag.delete.everywhere"],
    editFeature("tags/lifecycle")(
      "async function takeFromObjects(",
      "left -= await takeFrom(work, instances, { tag, limit: left });",
      "",
    ),
  ],
  [
    "deleteTag/domains",
    "domains keep a tag that is deleted",
    ["tag.delete.everywhere"],
    editFeature("tags/lifecycle")(
      "async function takeFromObjects(",
      "left -= await takeFrom(work, domains, { tag, limit: left });",
      "",
    ),
  ],
  [
    "deleteTag/all",
    "objects lose their other tags as well",
    ["tag.delete.everywhere", "tag.delete.operation"],
    editFeature("tags/lifecycle")("async function takeFrom(", "row.tags.filter((each) => each !== label)", "[]"),
  ],
  [
    "createTag/domains",
    "referenced domains do not get the tag",
    ["tag.create.domains"],
    editFeature("tags/handlers")("createTag: async", "await addTo(work, tx.domains, { row, label });", "void row;"),
  ],
  [
    "createTag/computes",
    "instances lose their other tags",
    ["tag.create.computes", "tag.create.operation"],
    editFeature("tags/handlers")("async function addTo(", "[...row.tags, label]", "[label]"),
  ],
  [
    "createInstance/private_ip",
    "no private address is assigned",
    ["instance.create.private-ip-address", "instance.create.private-ip"],
    editFeature("instances/new-instance")(
      "export async function newInstance(",
      "privateIp ? [",
      "privateIp === null ? [",
    ),
  ],
  [
    "createInstance/default-config",
    "a config boots no disk",
    ["instance.create.default-config", "instance.create.two-disks"],
    editFeature("instances/deployment")(
      "function defaultConfig(",
      "devices: devicesOf(options.disks),",
      "devices: devicesOf([]),",
    ),
  ],
  [
    "createInstance/swap-disk",
    "a swap disk always has 512 MB",
    ["instance.create.swap-disk", "instance.create.swap-size"],
    editFeature("instances/deployment")(
      "export async function deployImage(",
      "swapDisk(work, instance, swap_size)",
      "swapDisk(work, instance, 512)",
    ),
  ],
  [
    "createInstance/backup",
    "the configs of a backup are not restored",
    ["instance.create.backup-config"],
    editFeature("backups/contents")("async function configsFromBackup(", "from.backup.copies.configs)", "[])"),
  ],
  [
    "deleteInstance/volumes",
    "volumes stay attached to a deleted instance",
    ["volume.compute-id.null", "instance.delete.operation"],
    editFeature("instances/lifecycle")(
      "export async function removeInstance(",
      "await tx.volumes.patch(volume, { compute_id: null, compute_label: null, updated: work.date });",
      ";",
    ),
  ],
  [
    "cloneInstance/tags",
    "a clone has no tags",
    ["instance.clone.tags"],
    editFeature("instances/clones")("async function cloneMakesInstance(", "tags: source.tags,", ""),
  ],
  [
    "cloneInstance/configs",
    "a clone has no configs",
    ["instance.clone.copies-configs"],
    editFeature("instances/handlers")(
      "cloneInstance: async",
      "await cloneCopiesConfigs(work, target, { configs: copied.configs, disks });",
      "void cloneCopiesConfigs;",
    ),
  ],
  [
    "createInstanceSnapshot/one",
    "older snapshots remain",
    ["backup.snapshot.replaces"],
    editFeature("backups/handlers")(
      "createInstanceSnapshot: async",
      'await deleteBackups(work, { instance: target.id, type: "snapshot" });',
      "",
    ),
  ],
  [
    "cancelInstanceBackups/backups",
    "the backups remain",
    ["backup.cancel.deletes-all", "backup.cancel.permanent"],
    editFeature("backups/handlers")(
      "cancelInstanceBackups: async",
      "await deleteBackups(work, { instance: target.id });",
      "",
    ),
  ],
  [
    "cancelInstanceBackups/service",
    "backups stay enabled",
    ["backup.cancel.operation", "instance.backups.enabled"],
    editFeature("backups/handlers")("cancelInstanceBackups: async", "await backupsDisabled(work, target);", ""),
  ],
  [
    "restoreInstanceBackup/overwrite",
    "overwritten disks remain",
    ["backup.restore.overwrite.disks", "backup.restore.overwrite"],
    editFeature("backups/contents")(
      "async function overwriteTarget(",
      "await work.tx.disks.deleteReturning({ instance: id });",
      "",
    ),
  ],
  [
    "restoreInstanceBackup/configs",
    "overwritten configs remain",
    ["backup.restore.overwrite.configs", "backup.restore.overwrite"],
    editFeature("backups/contents")(
      "async function overwriteTarget(",
      "await work.tx.configs.deleteReturning({ instance: id });",
      "",
    ),
  ],
  [
    "deleteCluster/instances",
    "the instances of nodes remain",
    ["cluster.delete.instances"],
    editFeature("kube/lifecycle")(
      "async function removeCluster(",
      "await removeNodes(work, await tx.nodes.find({ cluster: id }), username);",
      "",
    ),
  ],
  [
    "deleteClusterPool/instances",
    "the instances of nodes remain",
    ["pool.delete.instances"],
    editFeature("kube/handlers")(
      "deleteClusterPool: async",
      "await poolInstancesDeleted(work, target, callerOf(context).user);",
      "",
    ),
  ],
  [
    "deleteClusterNode/count",
    "the pool counts the deleted node",
    ["node.delete.count"],
    editFeature("kube/handlers")("deleteClusterNode: async", "await nodeLeavesPool(work, target);", ""),
  ],
  [
    "recycleClusterNode",
    "no node replaces a recycled one",
    ["node.recycle.replaces"],
    editFeature("kube/nodes")("async function nodeReplaced(", "await addNodes(", "await (async () => undefined)("),
  ],
  [
    "updateClusterPool/grows",
    "a pool gets one node too few",
    ["pool.scale.creates"],
    editFeature("kube/handlers")("updateClusterPool: async", "count: more, username", "count: more - 1, username"),
  ],
  [
    "updateClusterPool/shrinks",
    "a pool loses one node too many",
    ["pool.scale.deletes"],
    editFeature("kube/pools")("async function poolShrinks(", "nodes.slice(-count)", "nodes.slice(-count - 1)"),
  ],
  [
    "createDomain/zone",
    "a zone is never rendered",
    ["domain.moves.rendering"],
    editFeature("domains/handlers")("createDomain: async", "await startZone(work, domain);", ""),
  ],
  [
    "deleteDomainRecord/zone",
    "the zone has a deleted record",
    ["domain.moves.rendering"],
    editFeature("domains/handlers")("deleteDomainRecord: async", "await updateZone(work, domain);", ""),
  ],
  [
    "cloneDomain/records",
    "the records are not cloned",
    ["domains.clone.records"],
    editFeature("domains/handlers")(
      "cloneDomain: async",
      "await cloneCopiesRecords(work, { from: target, to: domain });",
      "void cloneCopiesRecords;",
    ),
  ],
  [
    "answerSecurityQuestions/others",
    "unanswered questions keep their answers",
    ["questions.unanswered-null"],
    editFeature("profile/handlers")(
      "answerSecurityQuestions: async",
      "const answers = Object.fromEntries(",
      "const answers = Object.assign({ ...(await userOf(context)).answers }, Object.fromEntries(",
    ),
    editFeature("profile/handlers")(
      "answerSecurityQuestions: async",
      "[question_id, response]));",
      "[question_id, response])));",
    ),
  ],
  [
    "sendPhoneCode/message",
    "no message is sent",
    ["phone.send.state", "phone.send"],
    editFeature("profile/handlers")("sendPhoneCode: async", "await phoneCodeSent(work, sent);", "void phoneCodeSent;"),
  ],
  [
    "sendPhoneCode/resent",
    "another code is sent while the first is valid",
    ["phone.send.resend"],
    editFeature("profile/handlers")(
      "sendPhoneCode: async",
      "phoneCodeResent(user, { number, now: work.now }) ?? newPhoneCode(work, number)",
      "newPhoneCode(work, number)",
    ),
  ],
  [
    "verifyPhoneNumber",
    "the number is not shown",
    ["phone.verify.assigned"],
    editFeature("profile/handlers")(
      "verifyPhoneNumber: async",
      "verified_phone_number: user.phone.number",
      "verified_phone_number: null",
    ),
  ],
]);
