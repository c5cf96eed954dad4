import { createFaults } from "./create-faults.js";
import { editChecks, editErrors, editFeature, editOperations, editResources, editValues } from "./edited-files.js";
import type { SourceEdit, Fault } from "./fault.js";

/** Faults of bodies: unknown fields, rounding, conditions, references, defaults. */
export const bodyFaults: readonly Fault[] = [...unknown(), ...rounded(), ...conditions(), ...defaults()];

function unknown(): readonly Fault[] {
  const rejected = (check: string): SourceEdit => editChecks(`export function ${check}(`, "if (reject)", "if (true)");
  return createFaults("unknown-rejected", 20, [
    ["createTag", "an undocumented field is rejected", ["tag.create.operation"], rejected("checkCreateTagBody")],
    [
      "createInstance",
      "an undocumented field is rejected",
      ["instance.create.body", "instance.create.operation"],
      rejected("checkCreateInstanceBody"),
    ],
    [
      "updateInstance",
      "a field that can only be read is rejected",
      ["instance.update.operation", "instance.update.optional"],
      rejected("checkUpdateInstanceBody"),
    ],
    [
      "updateDomain",
      "a field that can only be read is rejected",
      ["domains.update", "domains.update.request", "domain.update.optional", "domains.request.fields"],
      rejected("checkUpdateDomainBody"),
    ],
    [
      "updateSSHKey",
      "a field that can only be read is rejected",
      ["sshkey.update", "sshkey.update.label-only"],
      rejected("checkUpdateSSHKeyBody"),
    ],
  ]);
}

function rounded(): readonly Fault[] {
  const steps = "[0, 300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200]";
  return createFaults("rounding", 26, [
    [
      "createDomain/ttl_sec",
      "seconds are not rounded",
      ["domain.ttl_sec.rounding", "domain.ttl_sec.values"],
      editChecks(
        "export const normalizeSentDomainCreate =",
        `ttl_sec: (value) => {\n                if (value !== undefined && isValid(checkSecSent, value))`,
        "ttl_sec: (value) => {\n                if (true)",
      ),
    ],
    [
      "createDomain/refresh_sec",
      "seconds are rounded down",
      ["domain.refresh_sec.rounding", "domain.refresh_sec.values"],
      editChecks(
        "export const normalizeSentDomainCreate =",
        "refresh_sec: (value) => {",
        `refresh_sec: (value) => {\n                if (typeof value === "number" && value > 300)\n                    return ${steps}.findLast((each) => each <= value);`,
      ),
    ],
    [
      "updateDomain/retry_sec",
      "seconds are rounded to the nearest",
      ["domain.retry_sec.rounding", "domain.retry_sec.values"],
      editChecks(
        "export const normalizeSentDomainUpdateChange =",
        "retry_sec: (value) => {",
        `retry_sec: (value) => {\n                if (typeof value === "number" && value > 300)\n                    return roundNearest(value, ${steps});`,
      ),
    ],
    [
      "createDomainRecord/ttl_sec",
      "seconds are rounded up",
      ["record.ttl_sec.type", "record.ttl_sec.values"],
      editChecks("export const normalizeSentDomainRecordCreate =", "roundNearest(value,", "roundUp(value,"),
    ],
    [
      "updateDomainRecord/ttl_sec",
      "seconds are not rounded",
      ["record.ttl_sec.type", "record.ttl_sec.values"],
      editChecks(
        "export const normalizeSentDomainRecordUpdateChange =",
        "return roundNearest(",
        "return value; roundNearest(",
      ),
    ],
  ]);
}

function conditions(): readonly Fault[] {
  const create = "export function checkSentInstanceCreate(";
  const scale = "export const conditionalErrors";
  return createFaults("condition", 28, [
    [
      "createInstance/root_pass",
      "an image is deployed without a root password",
      ["instance.create.root-pass-required"],
      editChecks(create, 'addIssueAt(issues, "root_pass", "dependentRequired", "image");', ";"),
    ],
    [
      "createInstance/backup_id",
      "a backup and an image are accepted together",
      ["instance.create.body", "instance.create.backup"],
      editChecks(create, 'addIssueAt(issues, "image", "false");', ";"),
    ],
    [
      "createInstance/stackscript_id",
      "a StackScript is accepted without an image",
      ["instance.create.stackscript-needs"],
      editChecks(create, 'addIssueAt(issues, "image", "dependentRequired", "stackscript_id");', ";"),
    ],
    [
      "createInstance/swap_size",
      "a swap disk as large as the plan is accepted",
      ["instance.create.swap-size", "instance.create.operation"],
      editErrors(scale, '"lte"', '"lt"'),
    ],
    [
      "createInstance/image",
      "an image that is not available is deployed",
      ["image.status.deployable", "instance.create.image"],
      editResources("function checkCreateInstanceImageWhere(", 'if (statusValue !== "available")', "if (false)"),
    ],
    [
      "createInstance/backup_id/region",
      "a backup of another region is deployed",
      ["instance.create.backup", "instance.create.operation"],
      editErrors("function checkCreateInstanceBackupInAnotherRegionBody(", '!hasOwn(value, "backup_id")', "true"),
    ],
    [
      "createInstance/authorized_users",
      "users without an SSH key are accepted",
      ["instance.create.authorized-users-keys"],
      editFeature("instances/deployment")(
        "export async function assertDeployable(",
        "(await work.tx.sshkeys.count({ user })) === 0",
        "false",
      ),
    ],
    [
      "createInstance/stackscript_data",
      "data without the required fields of the StackScript is accepted",
      ["instance.create.stackscript-data-needed"],
      editFeature("instances/deployment")(
        "export async function assertDeployable(",
        "!stackScript.user_defined_fields.every(isAnswered)",
        "false",
      ),
    ],
    [
      "createInstance/stackscript/image",
      "an image that the StackScript does not list is accepted",
      ["instance.create.stackscript-image"],
      editErrors(
        "function checkCreateInstanceStackscriptImageNotCompatibleBody(",
        'if (!hasOwn(value, "stackscript_id"))',
        "if (true)",
      ),
    ],
    [
      "cloneInstance/compute_id",
      "an instance is cloned onto itself",
      ["instance.clone.compute-id", "instance.clone.operation", "instance.clone.target-idle"],
      editErrors("function checkCloneInstanceCloneOntoItselfBody(", '!hasOwn(value, "compute_id")', "true"),
    ],
    [
      "restoreInstanceBackup/space",
      "a backup is restored to a target without room for it",
      ["backup.restore.space", "backup.restore.space.status"],
      editFeature("backups/handlers")("restoreInstanceBackup: async", "if (needed > free)", "if (false)"),
    ],
    [
      "createInstanceConfig/interfaces.label",
      "a VLAN without a label is accepted",
      ["interface.label", "interface.object"],
      editChecks("export function checkSentConfigInterface(", 'addIssueAt(issues, "label", "required");', ";"),
    ],
    [
      "createInstanceConfig/devices",
      "sde is accepted in a mode that has four slots",
      ["config.devices.keys", "config.create.devices", "config.devices"],
      editChecks("export function checkSentConfigCreate(", 'addIssueAt(issues, "sde", "type", "null");', ";"),
    ],
    [
      "createInstanceConfig/slot",
      "a slot with a disk and a volume is accepted",
      ["config.devices.disk-id.create", "config.devices.volume-id.create", "config.devices", "config.create.devices"],
      editChecks(
        "export function checkSentConfigSlotCreate(",
        'addIssue(issues, "not", ["disk_id", "volume_id"]);',
        ";",
      ),
    ],
    [
      "updateClusterPool/autoscaler",
      "an autoscaler with a lower bound alone is accepted",
      ["pool.autoscaler.min-needs-max"],
      editChecks("export function checkSentPoolUpdate(", 'addIssueAt(issues, "max", "dependentRequired", "min");', ";"),
    ],
    [
      "createDomain/soa_email",
      "a master without a SOA address is accepted",
      ["domain.type.required", "domains.request.fields", "domain.soa_email.format"],
      editChecks("export function checkSentDomainCreateMaster(", 'addIssueAt(issues, "soa_email", "required");', ";"),
    ],
    [
      "createDomain/master_ips",
      "a slave without masters is accepted",
      ["domain.master_ips.type", "domain.type.required", "domains.request.fields"],
      editChecks("export function checkSentDomainCreateSlave(", 'addIssueAt(issues, "master_ips", "required");', ";"),
      editChecks("export function checkSentDomainCreateSlave(", 'addIssue(issues, "items", 1);', ";"),
    ],
    [
      "createDomainRecord/priority",
      "an A record with a priority is accepted",
      ["record.priority.types"],
      editChecks("export function checkSentDomainRecordCreateA(", 'addIssueAt(issues, "priority", "const", 0);', ";"),
    ],
    [
      "createDomainRecord/tag",
      "an A record with a tag is accepted",
      ["record.tag.types", "record.tag.values"],
      editChecks("export function checkSentDomainRecordCreateA(", 'addIssueAt(issues, "tag", "false");', ";"),
    ],
    [
      "createDomainRecord/null-mx",
      "a null MX is accepted beside another MX",
      ["record.null-mx"],
      editFeature("domains/records")("async function assertMxFits(", "if (excludes)", "if (false)"),
    ],
    [
      "createToken/scopes",
      "a token may have scopes that its creator has not",
      ["token.create.scopes.ceiling"],
      {
        file: "packages/server/dist/gen/scopes.js",
        within: "export const scopeCeilings",
        find: "createToken: [",
        replace: "createNothing: [",
      },
    ],
    [
      "createToken/expiry",
      "an expiry in the past is accepted",
      ["token.create.expiry"],
      editFeature("profile/credential-handlers")("function expiryOf(", "if (!(time > now))", "if (!(time > 0))"),
    ],
    [
      "sendPhoneCode/phone_number",
      "a number that the country cannot have is accepted",
      ["phone.send.phone_number", "phone.send"],
      editFeature("profile/phone")(
        "async function internationalOf(",
        "if (parsed?.countryCallingCode",
        "if (parsed !== undefined) return parsed.number;\n    if (parsed?.countryCallingCode",
      ),
    ],
  ]);
}

function defaults(): readonly Fault[] {
  const created = "export const normalizeSentInstanceCreate =";
  const config = "export const normalizeSentConfigCreate =";
  return createFaults("default", 29, [
    [
      "createInstance/booted",
      "an instance is not booted by default",
      ["instance.create.booted", "instance.create.booted-default"],
      editChecks(created, "booted: true", "booted: false"),
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
      editChecks(created, "swap_size: 512, ", ""),
    ],
    [
      "createInstance/label",
      "an instance without a label is called after its number alone",
      ["instance.label.default", "instance.create.label"],
      editFeature("instances/handlers")(
        "createInstance: async",
        "label: body.label ?? `compute${id}`",
        "label: body.label ?? `${id}-compute`",
      ),
    ],
    [
      "createInstance/backups_enabled",
      "an instance has backups by default",
      ["instance.create.backups-enabled"],
      editChecks(created, "backups_enabled: false", "backups_enabled: true"),
    ],
    [
      "createInstanceConfig/kernel",
      "a config boots no kernel of the platform by default",
      ["config.kernel.default", "config.create.kernel"],
      editChecks(config, "compute/latest-64bit", "compute/grub2"),
    ],
    [
      "createInstanceConfig/run_level",
      "a config is for a single user by default",
      ["config.create.run-level", "config.run-level"],
      editChecks(config, 'run_level: "default"', 'run_level: "single"'),
    ],
    [
      "createInstanceConfig/helpers",
      "the helpers of a config are off by default",
      ["config.helpers.network", "config.create.helpers", "config.helpers"],
      editChecks(config, "network: true", "network: false"),
      editChecks("export const normalizeSentConfigHelpersCreate =", "network: true", "network: false"),
    ],
    [
      "createInstanceConfig/memory_limit",
      "the limit is the memory of the smallest plan by default",
      ["config.memory-limit.default", "config.create.memory-limit", "config.memory-limit"],
      editValues("    createInstanceConfig: [", 'pointer: ["specs", "memory"]', 'pointer: ["specs", "vcpus"]'),
    ],
    [
      "createImage/label",
      "an image is called image by default",
      ["image.label.default", "image.create.label"],
      editFeature("images/handlers")("createImage: async", "label = disk.label", 'label = "image"'),
      editValues("    createImage: [", 'pointer: ["label"] } }', 'pointer: ["filesystem"] } }'),
    ],
    [
      "createCluster/control_plane",
      "a cluster is highly available by default",
      ["cluster.ha.type", "cluster.create.request"],
      editChecks(
        "export const normalizeSentClusterCreate =",
        "control_plane: { high_availability: false }",
        "control_plane: { high_availability: true }",
      ),
    ],
    [
      "createClusterPool/autoscaler",
      "an autoscaler is on by default",
      ["pool.create.request", "pool.autoscaler.max-needs-min", "pool.autoscaler.min-needs-max"],
      editChecks(
        "export const normalizeSentPoolCreate =",
        "autoscaler: { enabled: false }",
        "autoscaler: { enabled: true }",
      ),
    ],
    [
      "createToken/scopes",
      "a token has all scopes by default",
      ["token.create.scopes.default", "token.create.scopes"],
      editValues(
        "    createToken: [",
        'set: { kind: "from", from: { root: "caller", name: "scopes", pointer: [] } }',
        'set: { kind: "value", value: "*" }',
      ),
    ],
    [
      "createDomain/status",
      "a domain is disabled by default",
      ["domain.status.default", "domain.moves.default"],
      editChecks("export const normalizeSentDomainCreate =", 'status: "active"', 'status: "disabled"'),
    ],
    [
      "restoreInstanceBackup/overwrite",
      "the target is overwritten by default",
      ["backup.restore.overwrite"],
      editChecks("export const normalizeSentBackupRestore =", "overwrite: false", "overwrite: true"),
    ],
    [
      "listTags/page_size",
      "a page has 25 items by default",
      ["list.page-size.open", "tag.list.query"],
      editOperations("tags")("export const listTags", "default: 100", "default: 25"),
    ],
  ]);
}
