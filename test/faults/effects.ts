import type { SourceEdit, Fault } from "./fault.js";
import { editHandlers } from "./edited-files.js";
import { createFaults } from "./create-faults.js";
import { cascadeFaults } from "./cascades.js";

/** Faults of effects: events, deletions and cascades. */
export const effectFaults: readonly Fault[] = [...missingEvents(), ...staying(), ...cascadeFaults];

function missingEvents(): readonly Fault[] {
  const nothing = "await (async () => ({ id: null }))(";
  const event = (file: string, within: string): SourceEdit =>
    editHandlers(file)(within, "await work.recordEvent(", nothing);
  const userEvent = (file: string, within: string): SourceEdit =>
    editHandlers(file)(within, "await recordUserEvent(", nothing);
  const none = "no event is recorded";
  return createFaults("no-event", 58, [
    ["createInstance", none, ["instance.create.operation"], event("instances", "createInstance: async")],
    ["updateInstance", none, ["instance.update.operation"], event("instances", "updateInstance: async")],
    ["bootInstance", none, ["instance.boot.operation"], event("power", "async function boot(")],
    ["cloneInstance", none, ["instance.clone.operation"], event("clones", "cloneInstance: async")],
    [
      "enableInstanceBackups",
      none,
      ["backup.enable.operation"],
      event("backup-service", "enableInstanceBackups: async"),
    ],
    ["createInstanceConfig", none, ["config.create.operation"], event("configs", "createInstanceConfig: async")],
    ["deleteImage", none, ["image.delete.operation"], event("images", "deleteImage: async")],
    ["createTag", none, ["tag.create.operation"], event("tags", "createTag: async")],
    ["createDomain", none, ["domains.create"], event("domains", "createDomain: async")],
    [
      "deleteDomainRecord",
      none,
      ["records.delete"],
      editHandlers("records")(
        "deleteDomainRecord: async",
        'await recordZoneEvent(context, domain, "dns_record_delete");',
        "",
      ),
    ],
    ["updateProfile", none, ["profile.update.operation"], userEvent("profile", "updateProfile: async")],
    ["createToken", none, ["token.create"], userEvent("tokens", "createToken: async")],
    [
      "updateImage/other-action",
      "the event is that of an upload",
      ["image.update.operation"],
      editHandlers("images")("updateImage: async", '"image_update"', '"image_upload"'),
    ],
    [
      "createCluster/nodes",
      "no events of the nodes are recorded",
      ["cluster.ready.events", "event.cluster"],
      event("nodes", "export async function addNodes("),
    ],
  ]);
}

function staying(): readonly Fault[] {
  const kept = "the response reports success, but the object remains";
  return createFaults("not-deleted", 59, [
    [
      "deleteInstance",
      "an instance stays in the state deleting",
      ["instance.delete.operation", "instance.delete.permanent"],
      editHandlers("instances")(
        "    delete: async (work, { event, subject }) => {",
        "await removeInstance(work, instance);",
        ";",
      ),
    ],
    [
      "deleteImage",
      kept,
      ["image.delete.operation", "image.delete.permanent"],
      editHandlers("images")("deleteImage: async", "await removeImage(work, target);", ""),
    ],
    [
      "deleteTag",
      kept,
      ["tag.delete.operation"],
      editHandlers("tags")("deleteTag: async", "await tx.tags.remove([id]);", ""),
    ],
    [
      "deleteCluster",
      kept,
      ["cluster.delete.operation", "cluster.delete.permanent"],
      editHandlers("clusters")("async function removeCluster(", "await tx.clusters.remove([id]);", ""),
    ],
    [
      "deleteClusterNode",
      kept,
      ["node.delete.operation", "node.delete.permanent"],
      editHandlers("nodes")(
        "deleteClusterNode: async",
        "await removeNodes(work, [target], callerOf(context).user);",
        "void removeNodes;",
      ),
    ],
    [
      "deleteClusterPool",
      kept,
      ["pool.delete.operation"],
      editHandlers("pools")("deleteClusterPool: async", "await work.tx.pools.remove([target.id]);", ""),
    ],
    [
      "deleteDevice",
      kept,
      ["device.delete"],
      editHandlers("devices")("deleteDevice: async", "await work.tx.devices.remove([id]);", "void work, id;"),
    ],
    [
      "deleteApp",
      kept,
      ["app.delete"],
      editHandlers("apps")("deleteApp: async", "await work.tx.apps.remove([id]);", ""),
    ],
    [
      "deleteSSHKey",
      kept,
      ["sshkey.delete"],
      editHandlers("sshkeys")("deleteSSHKey: async", "await work.tx.sshkeys.remove([target.id]);", ""),
    ],
    [
      "deletePhoneNumber",
      "the number remains",
      ["phone.delete", "phone.delete.state"],
      editHandlers("phone")(
        "deletePhoneNumber: async",
        "await context.work.tx.users.patch(user, { profile, phone: null });",
        "void profile;",
      ),
    ],
    [
      "deleteDomain",
      kept,
      ["domains.delete", "domain.moves.deleted"],
      editHandlers("domains")("deleteDomain: async", "await work.tx.domains.remove([target.id]);", ""),
    ],
    [
      "deleteDomainRecord",
      kept,
      ["records.delete"],
      editHandlers("records")("deleteDomainRecord: async", "await work.tx.records.remove([record.id]);", ""),
    ],
    [
      "deleteClusterKubeconfig",
      "the old kubeconfig remains valid",
      ["kubeconfig.delete.operation", "kubeconfig.delete.regenerates"],
      editHandlers("cluster-access")(
        "async function kubeconfigReplaced(",
        "await tx.clusters.patch(cluster, { kubeconfigToken: newToken() });",
        ";",
      ),
    ],
    [
      "disableTwoFactor",
      "two-factor authentication stays on",
      ["two-factor.disable", "two-factor.disable.state"],
      editHandlers("two-factor")(
        "export async function twoFactorOff(",
        "two_factor_auth: false",
        "two_factor_auth: true",
      ),
    ],
  ]);
}
