import { editScopes as table } from "./edited-files.js";
import type { Fault } from "./fault.js";

/** Faults of the scopes of tokens. */
export const scopeFaults: readonly Fault[] = [
  ...(
    [
      ["createInstance", "computes", "instance.create.scope"],
      ["updateInstance", "computes", "instance.update.scope"],
      ["deleteInstance", "computes", "instance.delete.scope"],
      ["createInstanceSnapshot", "computes", "backup.snapshot.scope"],
      ["createInstanceConfig", "computes", "config.create.scope"],
      ["uploadImage", "images", "image.upload.scope"],
      ["deleteTag", "account", "tag.delete.scope"],
      ["updateCluster", "kube", "cluster.update.scope"],
      ["getClusterKubeconfig", "kube", "kubeconfig.get.scope"],
      ["updateProfile", "account", "profile.update.scope"],
      ["createToken", "account", "token.create.scope"],
      ["updateDomainRecord", "domains", "records.update.scope"],
    ] as const
  ).map(([operation, area, stated]): Fault => ({
    id: `read-only-scope/${operation}`,
    class: 4,
    operation,
    requirements: [stated, "auth.scope.changes"],
    description: `a token with ${area}:read_only is enough`,
    edits: [table(`${operation}: [[`, `${area}:read_write`, `${area}:read_only`)],
  })),
  ...(
    [
      ["listInstances", "computes:read_only", "images:read_only", "instance.list.scope"],
      ["bootInstance", "computes:read_write", "domains:read_write", "instance.boot.scope"],
      ["getImage", "images:read_only", "computes:read_only", "image.get.scope"],
      ["listClusterPools", "kube:read_only", "computes:read_only", "pool.list.scope"],
      ["deleteDomain", "domains:read_write", "account:read_write", "domains.delete.scope"],
      ["getPreferences", "account:read_only", "domains:read_only", "preferences.get.scope"],
    ] as const
  ).map(([operation, wanted, other, stated]): Fault => ({
    id: `other-scope/${operation}`,
    class: 5,
    operation,
    requirements: [stated],
    description: `a token with ${other} is enough, where ${wanted} is required`,
    edits: [
      table(
        `${operation}: [[`,
        `[{ scheme: "bearer", scopes: ["${wanted}"] }]`,
        `[{ scheme: "bearer", scopes: ["${wanted}"] }], [{ scheme: "bearer", scopes: ["${other}"] }]`,
      ),
    ],
  })),
  ...(
    [
      ["listEvents", '"account:read_only"', []],
      ["listTags", '"account:read_only"', ["tag.list.scope.open"]],
      ["getZoneFile", '"domains:read_only"', ["zone-file.scope"]],
      ["getInstanceBackup", '"computes:read_only"', ["backup.get.scope"]],
      ["getClusterNode", '"kube:read_write"', ["node.get.scope"]],
      ["deleteSSHKey", '"account:read_write"', ["sshkey.delete.scope"]],
      ["listImages", '"images:read_only"', ["image.list.scope"]],
      ["createImage", ', "computes:read_only"', ["image.create.scope.computes"]],
    ] as const
  ).map(([operation, wanted, stated]): Fault => ({
    id: `no-scope/${operation}`,
    class: 6,
    operation,
    requirements: [...stated, "auth.scope.reads", "auth.scope.changes"],
    description: `${wanted.replaceAll(/[", ]/g, "")} is not required`,
    edits: [table(`${operation}: [[`, wanted, "")],
  })),
];
