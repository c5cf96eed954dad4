import { createFaults } from "./create-faults.js";
import { editFeature, editService } from "./edited-files.js";
import type { Fault } from "./fault.js";
import { withBody, type ProxyResponse } from "./proxy.js";

/** Faults that show elsewhere: in references to what is deleted, in the second of several children, in lists and in the zone file. */
export const remoteEffectFaults: readonly Fault[] = [...references(), ...several(), ...retention(), ...zones()];

function references(): readonly Fault[] {
  return createFaults("still-referenced", 60, [
    [
      "cancelInstanceBackups/automatic",
      "only snapshots are deleted",
      ["backup.cancel.deletes-all", "backup.cancel.permanent"],
      editFeature("backups/handlers")(
        "cancelInstanceBackups: async",
        "deleteBackups(work, { instance: target.id })",
        'deleteBackups(work, { instance: target.id, type: "snapshot" })',
      ),
    ],
    [
      "createInstance/deleted-stackscript",
      "a deleted StackScript can be deployed",
      ["instance.errors.stackscript-deleted", "instance.errors.stackscript-not-found", "instance.create.stackscript"],
      editService("controls/objects")("deleteStackScript: ", "await work.tx.stackscripts.remove([id]);", "void work;"),
    ],
  ]);
}

function several(): readonly Fault[] {
  return createFaults("first-only", 60, [
    [
      "deleteClusterPool/instances",
      "only the first instance of a pool is deleted",
      ["pool.delete.instances", "pool.delete.operation"],
      editFeature("kube/pools")(
        "export async function poolInstancesDeleted(",
        "await work.tx.nodes.find({ pool: id })",
        "(await work.tx.nodes.find({ pool: id })).slice(0, 1)",
      ),
    ],
    [
      "deleteCluster/instances",
      "only the instances of the first pool are deleted",
      ["cluster.delete.instances", "cluster.delete.operation", "cluster.delete.permanent"],
      editFeature("kube/lifecycle")(
        "export async function removeCluster(",
        "await tx.nodes.find({ cluster: id })",
        "(await tx.nodes.find({ cluster: id })).filter(({ pool }, _index, all) => pool === all[0]?.pool)",
      ),
    ],
    [
      "deleteTag/second-instance",
      "only the first instance loses the tag",
      ["tag.delete.everywhere"],
      editFeature("tags/lifecycle")(
        "async function takeFrom(",
        "for (const row of rows) {",
        "for (const row of rows.slice(0, 1)) {",
      ),
    ],
    [
      "recycleCluster/second-pool",
      "only the first pool is recycled",
      ["cluster.recycle.replaces", "cluster.recycle.operation"],
      editFeature("kube/handlers")(
        "recycleCluster: async",
        "await context.work.tx.nodes.find({ cluster: target.id })",
        "(await context.work.tx.nodes.find({ cluster: target.id })).filter(({ pool }, _index, all) => pool === all[0]?.pool)",
      ),
    ],
    [
      "restoreInstanceBackup/second-config",
      "only the first config of the target is deleted",
      ["backup.restore.overwrite.configs", "backup.restore.overwrite"],
      editFeature("backups/contents")(
        "export async function overwriteTarget(",
        "await work.tx.configs.deleteReturning({ instance: id });",
        "await work.tx.configs.remove((await work.tx.configs.find({ instance: id })).slice(0, 1).map((each) => each.id));",
      ),
    ],
    [
      "cloneDomain/second-record",
      "only the first record is copied",
      ["domains.clone.records"],
      editFeature("domains/copies")(
        "export async function cloneCopiesRecords(",
        "({ id: _id, ...record }) => tx.records.add(",
        "({ id: _id, ...record }, index) => index !== 0 ? undefined : tx.records.add(",
      ),
    ],
    [
      "deleteInstance/second-volume",
      "only the first volume is detached",
      ["volume.compute-id.null", "instance.delete.operation"],
      editFeature("instances/lifecycle")(
        "export async function removeInstance(",
        "of await tx.volumes.find({ compute_id: id }))",
        "of (await tx.volumes.find({ compute_id: id })).slice(0, 1))",
      ),
    ],
  ]);
}

function retention(): readonly Fault[] {
  return createFaults("kept-in-list", 62, [
    [
      "listLogins/window",
      "logins are listed for 180 days",
      ["login.history", "limits.login-history"],
      editFeature("profile/handlers")(
        "listLogins: async",
        "limits.loginHistory.windowSeconds * 1000",
        "limits.loginHistory.windowSeconds * 2000",
      ),
    ],
    [
      "listDevices/expired",
      "forgotten devices are listed",
      ["device.expiry", "device.expiry.typical", "limits.device-session"],
      editFeature("profile/credential-handlers")("listDevices: async", "work.now + 1000", "0"),
    ],
  ]);
}

function zones(): readonly Fault[] {
  const rows: readonly (readonly [string, string, (line: string) => string | undefined, readonly string[]])[] = [
    ["mx-priority", "MX records have no preference", (line) => line.replace(/ MX \d+ /, " MX 0 "), []],
    [
      "srv-weight",
      "the weight and port of SRV records are swapped",
      (line) => line.replace(/ SRV (\d+) (\d+) (\d+) /, " SRV $1 $3 $2 "),
      [],
    ],
    ["caa", "CAA records are not in the zone", (line) => (line.includes(" CAA ") ? undefined : line), []],
    ["ptr", "PTR records are not in the zone", (line) => (line.includes(" PTR ") ? undefined : line), []],
    ["aaaa", "AAAA records are not in the zone", (line) => (line.includes(" AAAA ") ? undefined : line), []],
    ["ttl", "records have no time to live", (line) => line.replace(/^(\S+) \d+ IN /, "$1 IN "), []],
    [
      "soa-refresh",
      "the refresh time of the SOA record is the default",
      (line) => line.replace(/( SOA \S+ \S+ \d+) \d+/, "$1 14400"),
      [],
    ],
    [
      "soa-expire",
      "the expiry time of the SOA record is the default",
      (line) => line.replace(/( SOA \S+ \S+ \d+ \d+ \d+) \d+/, "$1 1209600"),
      [],
    ],
    ["default-ttl", "the time to live of the zone is a day", (line) => line.replace(/^\$TTL \d+/, "$TTL 86400"), []],
  ];
  return rows.map(([what, description, change]) => ({
    id: `zone/getZoneFile/${what}`,
    class: 47,
    operation: "getZoneFile",
    requirements: ["zone-file.lines", "zone-file.response", "zone-file.read"],
    description,
    wire: {
      onResponse: (answer): ProxyResponse => {
        if (answer.status !== 200) return answer;
        const { zone_file: lines } = JSON.parse(answer.body) as { readonly zone_file: readonly string[] };
        return withBody(answer, { zone_file: lines.flatMap((line) => change(line) ?? []) });
      },
    },
  }));
}
