import type { Edit, Fault } from "./fault.js";
import { checks, errors, handlers, operations, resources, values } from "./files.js";
import { faultsOf } from "./rows.js";

/** Faults of bodies: unknown fields, rounding, conditions, references, defaults. */
export const bodies: readonly Fault[] = [...unknown(), ...rounded(), ...conditions(), ...defaults()];

function unknown(): readonly Fault[] {
  const rejected = (area: string, check: string): Edit =>
    operations(area)(`function ${check}(`, "if (reject) {", "if (true) {");
  return faultsOf("unknown-refused", 20, [
    [
      "createTag",
      "an undocumented field is rejected",
      ["tag.create.operation"],
      rejected("tags", "checkCreateTagBody"),
    ],
    [
      "createInstance",
      "an undocumented field is rejected",
      ["instance.create.body", "instance.create.operation"],
      rejected("instances", "checkCreateInstanceBody"),
    ],
    [
      "updateInstance",
      "a field that can only be read is rejected",
      ["instance.update.operation", "instance.update.optional"],
      rejected("instances", "checkUpdateInstanceBody"),
    ],
    [
      "updateDomain",
      "a field that can only be read is rejected",
      ["domains.update", "domains.update.request", "domain.update.optional", "domains.request.fields"],
      rejected("domains", "checkUpdateDomainBody"),
    ],
    [
      "updateSSHKey",
      "a field that can only be read is rejected",
      ["sshkey.update", "sshkey.update.label-only"],
      rejected("profile", "checkUpdateSSHKeyBody"),
    ],
  ]);
}

function rounded(): readonly Fault[] {
  const steps = "[0, 300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200]";
  return faultsOf("rounding", 26, [
    [
      "createDomain/ttl_sec",
      "seconds are not rounded",
      ["domain.ttl_sec.rounding", "domain.ttl_sec.values"],
      checks(
        "export const takeSentDomainCreate",
        `ttl_sec: (value, fields) => {\n                if (value !== undefined && holds(checkRefreshSecSent, value))`,
        "ttl_sec: (value, fields) => {\n                if (true)",
      ),
    ],
    [
      "createDomain/refresh_sec",
      "seconds are rounded down",
      ["domain.refresh_sec.rounding", "domain.refresh_sec.values"],
      checks(
        "export const takeSentDomainCreate",
        "refresh_sec: (value, fields) => {",
        `refresh_sec: (value, fields) => {\n                if (typeof value === "number" && value > 300)\n                    return ${steps}.findLast((each) => each <= value);`,
      ),
    ],
    [
      "updateDomain/retry_sec",
      "seconds are rounded to the nearest",
      ["domain.retry_sec.rounding", "domain.retry_sec.values"],
      checks(
        "export const takeSentDomainUpdateChange",
        "retry_sec: (value, fields) => {",
        `retry_sec: (value, fields) => {\n                if (typeof value === "number" && value > 300)\n                    return roundNearest(value, ${steps});`,
      ),
    ],
    [
      "createDomainRecord/ttl_sec",
      "seconds are rounded up",
      ["record.ttl_sec.type", "record.ttl_sec.values"],
      checks("export const takeSentDomainRecordCreate", "roundNearest(value,", "roundUp(value,"),
    ],
    [
      "updateDomainRecord/ttl_sec",
      "seconds are not rounded",
      ["record.ttl_sec.type", "record.ttl_sec.values"],
      checks("export const takeSentDomainRecordUpdateChange", "return roundNearest(", "return value; roundNearest("),
    ],
  ]);
}

function conditions(): readonly Fault[] {
  const create = "export function checkSentInstanceCreate(";
  const scale = "export const refusals";
  return faultsOf("condition", 28, [
    [
      "createInstance/root_pass",
      "an image is deployed without a root password",
      ["instance.create.root-pass-required"],
      checks(create, 'failAt(faults, "root_pass", "needs", "image");', ";"),
    ],
    [
      "createInstance/backup_id",
      "a backup and an image are accepted together",
      ["instance.create.body", "instance.create.backup"],
      checks(create, 'failAt(faults, "image", "never");', ";"),
    ],
    [
      "createInstance/stackscript_id",
      "a StackScript is accepted without an image",
      ["instance.create.stackscript-needs"],
      checks(create, 'failAt(faults, "image", "needs", "stackscript_id");', ";"),
    ],
    [
      "createInstance/swap_size",
      "a swap disk as large as the plan is accepted",
      ["instance.create.swap-size", "instance.create.operation"],
      errors(scale, '"lte"', '"lt"'),
    ],
    [
      "createInstance/image",
      "an image that is not available is deployed",
      ["image.status.deployable", "instance.create.image"],
      resources("function checkCreateInstanceImageWhere(", 'if (statusValue !== "available")', "if (false)"),
    ],
    [
      "createInstance/backup_id/region",
      "a backup of another region is deployed",
      ["instance.create.backup", "instance.create.operation"],
      errors("function checkCreateInstanceBackupInAnotherRegionBody(", 'if (!hasOwn(value, "backup_id"))', "if (true)"),
    ],
    [
      "createInstance/authorized_users",
      "users without an SSH key are accepted",
      ["instance.create.authorized-users-keys"],
      handlers("deployment")(
        "export async function judgeDeployment(",
        "(await work.tx.sshkeys.count({ user })) === 0",
        "false",
      ),
    ],
    [
      "createInstance/stackscript_data",
      "data without the required fields of the StackScript is accepted",
      ["instance.create.stackscript-data-needed"],
      handlers("deployment")(
        "export async function judgeDeployment(",
        "!stackScript.user_defined_fields.every(isAnswered)",
        "false",
      ),
    ],
    [
      "createInstance/stackscript/image",
      "an image that the StackScript does not list is accepted",
      ["instance.create.stackscript-image"],
      errors(
        "function checkCreateInstanceStackscriptImageNotCompatibleBody(",
        'if (!hasOwn(value, "stackscript_id"))',
        "if (true)",
      ),
    ],
    [
      "cloneInstance/compute_id",
      "an instance is cloned onto itself",
      ["instance.clone.compute-id", "instance.clone.operation", "instance.clone.target-idle"],
      errors("function checkCloneInstanceCloneOntoItselfBody(", 'if (!hasOwn(value, "compute_id"))', "if (true)"),
    ],
    [
      "restoreInstanceBackup/space",
      "a backup is restored to a target without room for it",
      ["backup.restore.space", "backup.restore.space.status"],
      handlers("restore")("restoreInstanceBackup: async", "if (needed > free)", "if (false)"),
    ],
    [
      "createInstanceConfig/interfaces.label",
      "a VLAN without a label is accepted",
      ["interface.label", "interface.object"],
      checks("export function checkSentConfigInterface(", 'failAt(faults, "label", "required");', ";"),
    ],
    [
      "createInstanceConfig/devices",
      "sde is accepted in a mode that has four slots",
      ["config.devices.keys", "config.create.devices", "config.devices"],
      checks("export function checkSentConfigCreate(", 'failAt(faults, "sde", "type", "null");', ";"),
    ],
    [
      "createInstanceConfig/slot",
      "a slot with a disk and a volume is accepted",
      ["config.devices.disk-id.create", "config.devices.volume-id.create", "config.devices", "config.create.devices"],
      checks("export function checkSentConfigSlotCreate(", 'fail(faults, "not", ["disk_id", "volume_id"]);', ";"),
    ],
    [
      "updateClusterPool/autoscaler",
      "an autoscaler with a lower bound alone is accepted",
      ["pool.autoscaler.min-needs-max"],
      checks("export function checkSentPoolUpdate(", 'failAt(faults, "max", "needs", "min");', ";"),
    ],
    [
      "createDomain/soa_email",
      "a master without a SOA address is accepted",
      ["domain.type.required", "domains.request.fields", "domain.soa_email.format"],
      checks("export function checkSentDomainCreateMaster(", 'failAt(faults, "soa_email", "required");', ";"),
    ],
    [
      "createDomain/master_ips",
      "a slave without masters is accepted",
      ["domain.master_ips.type", "domain.type.required", "domains.request.fields"],
      checks("export function checkSentDomainCreateSlave(", 'failAt(faults, "master_ips", "required");', ";"),
      checks("export function checkSentDomainCreateSlave(", 'fail(faults, "items", 1);', ";"),
    ],
    [
      "createDomainRecord/priority",
      "an A record with a priority is accepted",
      ["record.priority.types"],
      checks("export function checkSentDomainRecordCreateA(", 'failAt(faults, "priority", "const", 0);', ";"),
    ],
    [
      "createDomainRecord/tag",
      "an A record with a tag is accepted",
      ["record.tag.types", "record.tag.values"],
      checks("export function checkSentDomainRecordCreateA(", 'failAt(faults, "tag", "never");', ";"),
    ],
    [
      "createDomainRecord/null-mx",
      "a null MX is accepted beside another MX",
      ["record.null-mx"],
      handlers("records")("async function judgeMx(", "if (excludes)", "if (false)"),
    ],
    [
      "createToken/scopes",
      "a token may have scopes that its creator has not",
      ["token.create.scopes.ceiling"],
      {
        file: "packages/server/dist/gen/scopes.js",
        within: "export const ceilings",
        find: "createToken: [",
        replace: "createNothing: [",
      },
    ],
    [
      "createToken/expiry",
      "an expiry in the past is accepted",
      ["token.create.expiry"],
      handlers("tokens")("function expiryOf(", "if (!(time > now))", "if (!(time > 0))"),
    ],
    [
      "sendPhoneCode/phone_number",
      "a number that the country cannot have is accepted",
      ["phone.send.phone_number", "phone.send"],
      handlers("phone")(
        "async function internationalOf(",
        "if (parsed?.countryCallingCode",
        "if (parsed !== undefined) return parsed.number;\n    if (parsed?.countryCallingCode",
      ),
    ],
  ]);
}

function defaults(): readonly Fault[] {
  const created = "export const takeSentInstanceCreate";
  const config = "export const takeSentConfigCreate";
  return faultsOf("default", 29, [
    [
      "createInstance/booted",
      "an instance is not booted by default",
      ["instance.create.booted", "instance.create.booted-default"],
      checks(created, "booted: true", "booted: false"),
    ],
    [
      "createInstance/swap_size",
      "an instance gets no swap disk by default",
      [
        "instance.create.swap-default",
        "instance.create.swap-disk",
        "instance.create.swap-size",
        "instance.create.two-disks",
      ],
      checks(created, "swap_size: 512, ", ""),
    ],
    [
      "createInstance/label",
      "an instance without a label is called after its number alone",
      ["instance.label.default", "instance.create.label"],
      handlers("instances")(
        "createInstance: async",
        "label: body.label ?? `compute${id}`",
        "label: body.label ?? `${id}-compute`",
      ),
    ],
    [
      "createInstance/backups_enabled",
      "an instance has backups by default",
      ["instance.create.backups-enabled"],
      checks(created, "backups_enabled: false", "backups_enabled: true"),
    ],
    [
      "createInstanceConfig/kernel",
      "a config boots no kernel of the platform by default",
      ["config.kernel.default", "config.create.kernel"],
      checks(config, "compute/latest-64bit", "compute/grub2"),
    ],
    [
      "createInstanceConfig/run_level",
      "a config is for a single user by default",
      ["config.create.run-level", "config.run-level"],
      checks(config, 'run_level: "default"', 'run_level: "single"'),
    ],
    [
      "createInstanceConfig/helpers",
      "the helpers of a config are off by default",
      ["config.helpers.network", "config.create.helpers", "config.helpers"],
      checks(config, "network: true", "network: false"),
      checks("export const takeSentConfigHelpersCreate", "network: true", "network: false"),
    ],
    [
      "createInstanceConfig/memory_limit",
      "the limit is the memory of the smallest plan by default",
      ["config.memory-limit.default", "config.create.memory-limit", "config.memory-limit"],
      values("    createInstanceConfig: [", 'pointer: ["specs", "memory"]', 'pointer: ["specs", "vcpus"]'),
    ],
    [
      "createImage/label",
      "an image is called image by default",
      ["image.label.default", "image.create.label"],
      handlers("images")("createImage: async", "label = disk.label", 'label = "image"'),
      values("    createImage: [", 'pointer: ["label"] } }', 'pointer: ["filesystem"] } }'),
    ],
    [
      "createCluster/control_plane",
      "a cluster is highly available by default",
      ["cluster.ha.type", "cluster.create.request"],
      checks(
        "export const takeSentClusterCreate",
        "control_plane: { high_availability: false }",
        "control_plane: { high_availability: true }",
      ),
    ],
    [
      "createClusterPool/autoscaler",
      "an autoscaler is on by default",
      ["pool.create.request", "pool.autoscaler.max-needs-min", "pool.autoscaler.min-needs-max"],
      checks("export const takeSentPoolCreate", "autoscaler: { enabled: false }", "autoscaler: { enabled: true }"),
    ],
    [
      "createToken/scopes",
      "a token has all scopes by default",
      ["token.create.scopes.default", "token.create.scopes"],
      values(
        "    createToken: [",
        'take: { kind: "from", from: { root: "caller", name: "scopes", pointer: [] } }',
        'take: { kind: "value", value: "*" }',
      ),
    ],
    [
      "createDomain/status",
      "a domain is disabled by default",
      ["domain.status.default", "domain.moves.default"],
      checks("export const takeSentDomainCreate", 'status: "active"', 'status: "disabled"'),
    ],
    [
      "restoreInstanceBackup/overwrite",
      "the target is overwritten by default",
      ["backup.restore.overwrite"],
      checks("export const takeSentBackupRestore", "overwrite: false", "overwrite: true"),
    ],
    [
      "listTags/page_size",
      "a page has 25 items by default",
      ["list.page-size.open", "tag.list.query"],
      operations("tags")("export const listTags", "default: 100", "default: 25"),
    ],
  ]);
}
