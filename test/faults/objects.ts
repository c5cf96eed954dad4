import type { Edit, Fault } from "./fault.js";
import { handlers, runtime } from "./files.js";

/** Faults of ownership and of parents. */
export const objects: readonly Fault[] = [
  foreign("getInstance", ["instance.get.operation", "error.404.missing"]),
  foreign("getImage", ["image.get.operation", "error.404.missing"]),
  foreign("getCluster", ["cluster.get.operation", "error.404.missing"]),
  foreign("deleteDomain", ["domains.delete", "error.404.missing"]),
  foreign("getDomain", ["domains.read", "error.404.missing"]),
  foreign("listDomainRecords", ["records.list", "error.404.missing"]),
  foreign("getToken", ["token.get", "error.404.missing"]),
  foreign("deleteSSHKey", ["sshkey.delete", "error.404.missing"]),
  foreign("getEvent", ["error.404.missing"]),
  foreign("getClusterPool", ["pool.get.operation", "error.404.missing"]),
  foreignInBody("createImage", "disk_id", ["image.create.disk-exists", "image.create.disk-id"]),
  foreignInBody("createTag", "an object", ["tag.create.nothing", "tag.create.refused", "tag.create.computes"]),
  foreignInBody("cloneInstance", "compute_id", ["instance.clone.compute-id", "instance.clone.operation"]),
  {
    id: "other-account/listTaggedObjects",
    class: 7,
    operation: "listTaggedObjects",
    requirements: ["tag.objects.operation", "tag.objects.reply"],
    says: "objects of every account with a tag of that name are listed",
    edits: [
      handlers("tags")(
        "async function listsOf(",
        "return { account, tags: { has: label }, ...ids };",
        "return { tags: { has: label }, ...ids };",
      ),
      handlers("tags")("async function listsOf(", "{ label, account }", "{ label }"),
    ],
  },
  parent("getInstanceBackup", ["backup.get.operation", "backup.of-instance", "error.404.missing"]),
  parent("restoreInstanceBackup", ["backup.restore.operation", "backup.of-instance", "error.404.missing"]),
  parent("getDomainRecord", ["records.read", "error.404.missing"]),
  parent("updateDomainRecord", ["records.update", "error.404.missing"]),
  parent("deleteDomainRecord", ["records.delete", "error.404.missing"]),
  parent("getClusterPool", ["pool.get.operation", "error.404.missing"]),
  parent("deleteClusterPool", ["pool.delete.operation", "error.404.missing"]),
  parent("getClusterNode", ["node.get.operation", "error.404.missing"]),
  parent("bootInstance", ["instance.boot.config-id", "instance.boot.operation"]),
  parent("createInstanceConfig", ["config.devices.disk-id.create", "config.create.operation"]),
  told("getInstance", "grants", ["instance.get.operation", "error.404.missing", "auth.restricted.only"]),
  told("updateDomain", "grants", ["domains.update", "error.404.missing", "auth.restricted.only"]),
  told("deleteImage", "grants", ["image.delete.read-write", "error.404.missing", "auth.restricted.only"]),
  told("getCluster", "account", ["cluster.get.operation", "error.404.missing"]),
  told("getDomain", "account", ["domains.read", "error.404.missing"]),
  told("getToken", "account", ["token.get", "error.404.missing"]),
  told("deleteInstance", "account", ["instance.delete.operation", "error.404.missing"]),
];

/** Path parameters may reference objects of other owners. */
function foreign(operation: string, requirements: readonly string[]): Fault {
  return {
    id: `other-account/${operation}`,
    class: 7,
    operation,
    requirements,
    says: "an object of another account or user is found by its id",
    edits: [
      runtime("named")(
        "function fits(",
        "return isKnownTo(",
        `return one.plan.name === ${JSON.stringify(operation)} || isKnownTo(`,
      ),
    ],
  };
}

/** Bodies may reference objects of other accounts. */
function foreignInBody(operation: string, what: string, requirements: readonly string[]): Fault {
  return {
    id: `other-account/${operation}/${what.replaceAll(" ", "-")}`,
    class: 7,
    operation,
    requirements,
    says: `${what} of another account is accepted`,
    edits: [
      runtime("named")(
        "function judgeFound(",
        "|| !fits(reference, chain, one) ||",
        `|| (one.plan.name !== ${JSON.stringify(operation)} && !fits(reference, chain, one)) ||`,
      ),
    ],
  };
}

/** The parent of an object is not checked. */
function parent(operation: string, requirements: readonly string[]): Fault {
  return {
    id: `other-parent/${operation}`,
    class: 8,
    operation,
    requirements,
    says: "a child is found under another parent",
    edits: [
      runtime("named")(
        "function fits(",
        "if (of !== undefined) {",
        `if (of !== undefined && one.plan.name !== ${JSON.stringify(operation)}) {`,
      ),
    ],
  };
}

/** 403 instead of 404, which reveals that an object exists. */
function told(operation: string, by: "grants" | "account", requirements: readonly string[]): Fault {
  const isMeant = `one.plan.name === ${JSON.stringify(operation)}`;
  const edit = (find: string, replace: string): Edit =>
    runtime("named")("export async function findInPath(", find, replace);
  return {
    id: `existence-told/${operation}/by-${by}`,
    class: 12,
    operation,
    requirements,
    says:
      by === "grants"
        ? "an object without a grant gets 403, a missing one 404"
        : "an object of another account gets 403, a missing one 404",
    edits: [
      by === "grants"
        ? edit(
            "if (isWithheld(reference, chain, { one, grants }))\n            throw one.missing(reference);",
            `if (isWithheld(reference, chain, { one, grants }))\n            throw ${isMeant} ? one.forbidden() : one.missing(reference);`,
          )
        : edit(
            "!fits(reference, chain, one))\n            throw one.missing(reference);",
            `!fits(reference, chain, one))\n            throw ${isMeant} && row !== undefined ? one.forbidden() : one.missing(reference);`,
          ),
    ],
  };
}
