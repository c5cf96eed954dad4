import { editFeature, editRuntime } from "./edited-files.js";
import type { SourceEdit, Fault } from "./fault.js";

/** Faults of ownership and of parents. */
export const objectFaults: readonly Fault[] = [
  otherAccountInPath("getInstance", ["instance.get.operation", "error.404.missing"]),
  otherAccountInPath("getImage", ["image.get.operation", "error.404.missing"]),
  otherAccountInPath("getCluster", ["cluster.get.operation", "error.404.missing"]),
  otherAccountInPath("deleteDomain", ["domains.delete", "error.404.missing"]),
  otherAccountInPath("getDomain", ["domains.read", "error.404.missing"]),
  otherAccountInPath("listDomainRecords", ["records.list", "error.404.missing"]),
  otherAccountInPath("getToken", ["token.get", "error.404.missing"]),
  otherAccountInPath("deleteSSHKey", ["sshkey.delete", "error.404.missing"]),
  otherAccountInPath("getEvent", ["error.404.missing"]),
  otherAccountInPath("getClusterPool", ["pool.get.operation", "error.404.missing"]),
  otherAccountInBody("createImage", "disk_id", ["image.create.disk-exists", "image.create.disk-id"]),
  otherAccountInBody("createTag", "an object", ["tag.create.nothing", "tag.create.refused", "tag.create.computes"]),
  otherAccountInBody("cloneInstance", "compute_id", ["instance.clone.compute-id", "instance.clone.operation"]),
  {
    id: "other-account/listTaggedObjects",
    class: 7,
    operation: "listTaggedObjects",
    requirements: ["tag.objects.operation", "tag.objects.reply"],
    description: "objects of every account with a tag of that name are listed",
    edits: [
      editFeature("tags/handlers")(
        "async function listsOf(",
        "return { account, tags: { contains: label }, ...ids };",
        "return { tags: { contains: label }, ...ids };",
      ),
      editFeature("tags/handlers")("async function listsOf(", "{ label, account }", "{ label }"),
    ],
  },
  otherParent("getInstanceBackup", ["backup.get.operation", "backup.of-instance", "error.404.missing"]),
  otherParent("restoreInstanceBackup", ["backup.restore.operation", "backup.of-instance", "error.404.missing"]),
  otherParent("getDomainRecord", ["records.read", "error.404.missing"]),
  otherParent("updateDomainRecord", ["records.update", "error.404.missing"]),
  otherParent("deleteDomainRecord", ["records.delete", "error.404.missing"]),
  otherParent("getClusterPool", ["pool.get.operation", "error.404.missing"]),
  otherParent("deleteClusterPool", ["pool.delete.operation", "error.404.missing"]),
  otherParent("getClusterNode", ["node.get.operation", "error.404.missing"]),
  otherParent("bootInstance", ["instance.boot.config-id", "instance.boot.operation"]),
  otherParent("createInstanceConfig", ["config.devices.disk-id.create", "config.create.operation"]),
  revealedExistence("getInstance", "grants", ["instance.get.operation", "error.404.missing", "auth.restricted.only"]),
  revealedExistence("updateDomain", "grants", ["domains.update", "error.404.missing", "auth.restricted.only"]),
  revealedExistence("deleteImage", "grants", ["image.delete.read-write", "error.404.missing", "auth.restricted.only"]),
  revealedExistence("getCluster", "account", ["cluster.get.operation", "error.404.missing"]),
  revealedExistence("getDomain", "account", ["domains.read", "error.404.missing"]),
  revealedExistence("getToken", "account", ["token.get", "error.404.missing"]),
  revealedExistence("deleteInstance", "account", ["instance.delete.operation", "error.404.missing"]),
];

/** Path parameters may reference objects of other owners. */
function otherAccountInPath(operation: string, requirements: readonly string[]): Fault {
  return {
    id: `other-account/${operation}`,
    class: 7,
    operation,
    requirements,
    description: "an object of another account or user is found by its id",
    edits: scopeEdits(
      "return isResourceVisibleTo(",
      `return operation === ${JSON.stringify(operation)} || isResourceVisibleTo(`,
    ),
  };
}

/** Bodies may reference objects of other accounts. */
function otherAccountInBody(operation: string, what: string, requirements: readonly string[]): Fault {
  return {
    id: `other-account/${operation}/${what.replaceAll(" ", "-")}`,
    class: 7,
    operation,
    requirements,
    description: `${what} of another account is accepted`,
    edits: [
      editRuntime("steps/body-resources")(
        "function checkReferenced(",
        "!isInScope(reference, chain, { caller, refs, registry }) ||",
        `(evaluation.request.plan.name !== ${JSON.stringify(operation)} && !isInScope(reference, chain, { caller, refs, registry })) ||`,
      ),
    ],
  };
}

/** The parent of an object is not checked. */
function otherParent(operation: string, requirements: readonly string[]): Fault {
  return {
    id: `other-parent/${operation}`,
    class: 8,
    operation,
    requirements,
    description: "a child is found under another parent",
    edits: scopeEdits("if (of !== void 0) {", `if (of !== void 0 && operation !== ${JSON.stringify(operation)}) {`),
  };
}

/** Edits the check of references, which then knows the name of the operation. */
function scopeEdits(find: string, replace: string): readonly SourceEdit[] {
  const given = "{ caller, refs, registry }";
  const check = "function isInScope(";
  return [
    editRuntime("access/reference-scope")(check, given, "{ caller, refs, registry, operation }"),
    editRuntime("access/reference-scope")(check, find, replace),
    editRuntime("steps/path-resources")("var lookupPath =", given, "{ caller, refs, registry, operation: plan.name }"),
    editRuntime("steps/body-resources")(
      "function checkReferenced(",
      given,
      "{ caller, refs, registry, operation: evaluation.request.plan.name }",
    ),
  ];
}

/** 403 instead of 404, which reveals that an object exists. */
function revealedExistence(operation: string, by: "grants" | "account", requirements: readonly string[]): Fault {
  const isMeant = `plan.name === ${JSON.stringify(operation)}`;
  const hidden = "if (isHidden(reference, chain, { facts: evaluation, grants, resources }))";
  const outside = "!isInScope(reference, chain, { caller, refs, registry }))";
  const notFound = "errors.notFound(onNotFound)";
  const edit = (find: string, replace: string): SourceEdit =>
    editRuntime("steps/path-resources")("var lookupPath =", find, replace);
  return {
    id: `existence-revealed/${operation}/by-${by}`,
    class: 12,
    operation,
    requirements,
    description:
      by === "grants"
        ? "an object without a grant gets 403, a missing one 404"
        : "an object of another account gets 403, a missing one 404",
    edits: [
      by === "grants"
        ? edit(`${hidden} throw ${notFound};`, `${hidden} throw ${isMeant} ? errors.forbidden() : ${notFound};`)
        : edit(
            `${outside}\n            throw ${notFound};`,
            `${outside}\n            throw ${isMeant} && chain !== void 0 ? errors.forbidden() : ${notFound};`,
          ),
    ],
  };
}
