import { editGrants as table, editFeature, editRuntime } from "./edited-files.js";
import type { Fault } from "./fault.js";
import type { ProxyResponse } from "./proxy.js";

/** Faults of the grants of restricted users. */
export const grantFaults: readonly Fault[] = [
  ...(
    [
      ["updateInstance", "instance.update.operation"],
      ["deleteInstance", "instance.delete.read-write"],
      ["bootInstance", "instance.boot.operation"],
      ["createInstanceSnapshot", "backup.snapshot.operation"],
      ["enableInstanceBackups", "backup.enable.operation"],
      ["updateImage", "image.update.read-write"],
      ["deleteImage", "image.delete.read-write"],
      ["updateDomain", "domains.update"],
      ["deleteDomainRecord", "records.delete"],
    ] as const
  ).map(([operation, stated]): Fault => ({
    id: `read-only-grant/${operation}`,
    class: 9,
    operation,
    requirements: [stated, "auth.grant.levels", "auth.restricted.only", "auth.restricted.entities"],
    description: "a restricted user with a grant of read_only is enough",
    edits: [table(`    ${operation}: [`, '"read_write"', '"read_only"')],
  })),
  {
    id: "read-only-grant/restoreInstanceBackup/target",
    class: 9,
    operation: "restoreInstanceBackup",
    requirements: [
      "backup.restore.operation",
      "backup.restore.compute-id",
      "auth.grant.levels",
      "auth.restricted.only",
    ],
    description: "a restricted user with read_only on the target is enough",
    edits: [
      table(
        "    restoreInstanceBackup: [",
        'pointer: ["compute_id"] }, level: "read_write" }',
        'pointer: ["compute_id"] }, level: "read_only" }',
      ),
    ],
  },
  ...(
    [
      [
        "createInstance",
        '{ kind: "named", name: "add_computes" },',
        ["instance.create.add-computes", "auth.grant.global"],
        "add_computes",
      ],
      [
        "cloneInstance",
        '{ kind: "named", name: "add_computes" },',
        ["instance.clone.add-computes", "auth.grant.global"],
        "add_computes",
      ],
      [
        "uploadImage",
        '{ kind: "named", name: "add_images" }',
        ["image.upload.operation", "auth.grant.global", "auth.restricted.only"],
        "add_images",
      ],
      [
        "createDomain",
        '{ kind: "named", name: "add_domains" },',
        ["domains.create", "auth.grant.global", "auth.restricted.only"],
        "add_domains",
      ],
      [
        "updateInstance",
        '{ kind: "caller", caller: { restricted: [false] }, when: { changes: ["tags"] } },',
        ["instance.update.tags-unrestricted"],
        "to be unrestricted to change tags",
      ],
      [
        "createTag",
        '{ kind: "caller", caller: { restricted: [false] }, error: "not-permitted" },',
        ["tag.unrestricted.create", "tag.unrestricted.modify"],
        "to be unrestricted",
      ],
      [
        "deleteTag",
        '{ kind: "caller", caller: { restricted: [false] }, error: "not-permitted" }',
        ["tag.unrestricted.delete", "tag.unrestricted.modify"],
        "to be unrestricted",
      ],
      [
        "createCluster",
        '{ kind: "caller", caller: { restricted: [false] }, error: "not-permitted" }',
        ["cluster.create.operation", "auth.restricted.only"],
        "to be unrestricted",
      ],
      [
        "updateProfile",
        '{ kind: "caller", caller: { restricted: [false] }, when: { changes: ["restricted"] }, error: "not-permitted" }',
        ["profile.update.restricted", "profile.update.operation", "auth.restricted.only"],
        "to be unrestricted to lift its own restriction",
      ],
    ] as const
  ).map(([operation, find, requirements, what]): Fault => ({
    id: `no-grant/${operation}/${what.replaceAll(" ", "-")}`,
    class: 9,
    operation,
    requirements,
    description: `a restricted user does not need ${what}`,
    edits: [table(`    ${operation}: [`, find, "")],
  })),
  ...(
    [
      ["listInstances", "instance.list.operation"],
      ["listDomains", "domains.list"],
      ["listImages", "image.list.operation"],
    ] as const
  ).map(([operation, stated]): Fault => ({
    id: `ungranted-listed/${operation}`,
    class: 10,
    operation,
    requirements: [stated, "auth.restricted.only", "auth.restricted.entities"],
    description: "a restricted user sees all objects of the account",
    edits: [
      editRuntime("steps/handler")(
        "var findListScope =",
        "listScopeOf(resource,",
        `listScopeOf(evaluation.context.operation === ${JSON.stringify(operation)} ? { ...resource, grants: undefined } : resource,`,
      ),
    ],
  })),
  {
    id: "ungranted-listed/listTaggedObjects",
    class: 10,
    operation: "listTaggedObjects",
    requirements: ["tag.objects.operation", "tag.objects.reply", "auth.restricted.only"],
    description: "a restricted user sees all objects with a tag",
    edits: [editFeature("tags/handlers")("async function listsOf(", "caller.restricted ?", "false ?")],
  },
  {
    id: "ungranted-listed/listEvents",
    class: 10,
    operation: "listEvents",
    requirements: ["auth.restricted.only", "event.list.open"],
    description: "a restricted user sees all events of the account",
    edits: [editFeature("events/handlers")("async function eventResponse(", "if (!caller.restricted)", "if (true)")],
  },
  swapped("createDomain", 403, 401, ["domains.create", "auth.restricted.only"]),
  swapped("createCluster", 403, 401, ["cluster.create.operation", "auth.restricted.only"]),
  swapped("deleteInstance", 403, 401, ["instance.delete.read-write", "auth.restricted.only"]),
  swapped("listInstances", 401, 403, ["instance.list.scope", "auth.on-behalf", "auth.revoked", "auth.expired"]),
  swapped("getToken", 401, 403, ["token.get.scope", "auth.on-behalf", "auth.revoked", "auth.expired"]),
  swapped("updateProfile", 401, 403, ["profile.update.scope", "auth.on-behalf", "auth.revoked", "auth.expired"]),
];

function swapped(operation: string, from: number, to: number, requirements: readonly string[]): Fault {
  return {
    id: `${from}-as-${to}/${operation}`,
    class: 11,
    operation,
    requirements,
    description: `the status is ${to} instead of ${from}`,
    wire: { onResponse: (answer): ProxyResponse => (answer.status === from ? { ...answer, status: to } : answer) },
  };
}
