import { cascadeFaults } from "./cascades.js";
import { createFaults } from "./create-faults.js";
import { editFeature } from "./edited-files.js";
import type { SourceEdit, Fault } from "./fault.js";

/** Faults of effects: events, deletions and cascades. */
export const effectFaults: readonly Fault[] = [...missingEvents(), ...staying(), ...cascadeFaults];

function missingEvents(): readonly Fault[] {
  const nothing = "await (async () => ({ id: null }))(";
  const event = (file: string, within: string): SourceEdit =>
    editFeature(file)(within, "await work.recordEvent(", nothing);
  const userEvent = (file: string, within: string): SourceEdit =>
    editFeature(file)(within, "await recordUserEvent(", nothing);
  const none = "no event is recorded";
  return createFaults("no-event", 58, [
    [
      "createInstance",
      none,
      ["instance.create.operation"],
      event("instances/new-instance", "async function startProvisioning("),
    ],
    ["updateInstance", none, ["instance.update.operation"], event("instances/handlers", "updateInstance: async")],
    ["bootInstance", none, ["instance.boot.operation"], event("instances/power", "async function startBoot(")],
    ["cloneInstance", none, ["instance.clone.operation"], event("instances/handlers", "cloneInstance: async")],
    [
      "enableInstanceBackups",
      none,
      ["backup.enable.operation"],
      event("backups/handlers", "enableInstanceBackups: async"),
    ],
    [
      "createInstanceConfig",
      none,
      ["config.create.operation"],
      event("configs/handlers", "createInstanceConfig: async"),
    ],
    ["deleteImage", none, ["image.delete.operation"], event("images/handlers", "deleteImage: async")],
    ["createTag", none, ["tag.create.operation"], event("tags/handlers", "createTag: async")],
    ["createDomain", none, ["domains.create"], event("domains/handlers", "createDomain: async")],
    [
      "deleteDomainRecord",
      none,
      ["records.delete"],
      editFeature("domains/handlers")(
        "deleteDomainRecord: async",
        'await recordZoneEvent(context, domain, "dns_record_delete");',
        "",
      ),
    ],
    ["updateProfile", none, ["profile.update.operation"], userEvent("profile/handlers", "updateProfile: async")],
    ["createToken", none, ["token.create"], userEvent("profile/credential-handlers", "createToken: async")],
    [
      "updateImage/other-action",
      "the event is that of an upload",
      ["image.update.operation"],
      editFeature("images/handlers")("updateImage: async", '"image_update"', '"image_upload"'),
    ],
    [
      "createCluster/nodes",
      "no events of the nodes are recorded",
      ["cluster.ready.events", "event.cluster"],
      event("kube/nodes", "export async function addNodes("),
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
      editFeature("instances/jobs")(
        "    delete: async (work, { event, subject }) => {",
        "await removeInstance(work, instance);",
        ";",
      ),
    ],
    [
      "deleteImage",
      kept,
      ["image.delete.operation", "image.delete.permanent"],
      editFeature("images/handlers")("deleteImage: async", "await removeImage(work, target);", ""),
    ],
    [
      "deleteTag",
      kept,
      ["tag.delete.operation"],
      editFeature("tags/lifecycle")("async function deleteTagInPart(", "await tx.tags.remove([id]);", ""),
    ],
    [
      "deleteCluster",
      kept,
      ["cluster.delete.operation", "cluster.delete.permanent"],
      editFeature("kube/lifecycle")("async function removeCluster(", "await tx.clusters.remove([id]);", ""),
    ],
    [
      "deleteClusterNode",
      kept,
      ["node.delete.operation", "node.delete.permanent"],
      editFeature("kube/handlers")(
        "deleteClusterNode: async",
        "await removeNodes(work, [target], callerOf(context).user);",
        "void removeNodes;",
      ),
    ],
    [
      "deleteClusterPool",
      kept,
      ["pool.delete.operation"],
      editFeature("kube/handlers")("deleteClusterPool: async", "await work.tx.pools.remove([target.id]);", ""),
    ],
    [
      "deleteDevice",
      kept,
      ["device.delete"],
      editFeature("profile/credential-handlers")(
        "deleteDevice: async",
        "await work.tx.devices.remove([id]);",
        "void work, id;",
      ),
    ],
    [
      "deleteApp",
      kept,
      ["app.delete"],
      editFeature("profile/credential-handlers")("deleteApp: async", "await work.tx.apps.remove([id]);", ""),
    ],
    [
      "deleteSSHKey",
      kept,
      ["sshkey.delete"],
      editFeature("profile/credential-handlers")(
        "deleteSSHKey: async",
        "await work.tx.sshkeys.remove([target.id]);",
        "",
      ),
    ],
    [
      "deletePhoneNumber",
      "the number remains",
      ["phone.delete", "phone.delete.state"],
      editFeature("profile/handlers")(
        "deletePhoneNumber: async",
        "await context.work.tx.users.patch(user, { profile, phone: null });",
        "void profile;",
      ),
    ],
    [
      "deleteDomain",
      kept,
      ["domains.delete", "domain.moves.deleted"],
      editFeature("domains/handlers")("deleteDomain: async", "await work.tx.domains.remove([target.id]);", ""),
    ],
    [
      "deleteDomainRecord",
      kept,
      ["records.delete"],
      editFeature("domains/handlers")("deleteDomainRecord: async", "await work.tx.records.remove([record.id]);", ""),
    ],
    [
      "deleteClusterKubeconfig",
      "the old kubeconfig remains valid",
      ["kubeconfig.delete.operation", "kubeconfig.delete.regenerates"],
      editFeature("kube/kubeconfig")(
        "async function kubeconfigReplaced(",
        "await tx.clusters.patch(cluster, { kubeconfigToken: newToken() });",
        ";",
      ),
    ],
    [
      "disableTwoFactor",
      "two-factor authentication stays on",
      ["two-factor.disable", "two-factor.disable.state"],
      editFeature("profile/two-factor")(
        "export async function twoFactorOff(",
        "two_factor_auth: false",
        "two_factor_auth: true",
      ),
    ],
  ]);
}
