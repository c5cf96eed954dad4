import { createFaults } from "./create-faults.js";
import { editChecks } from "./edited-files.js";
import type { SourceEdit, Fault } from "./fault.js";

/** Faults of patterns, enums and formats. */
export const schemaFaults: readonly Fault[] = [...patterns(), ...enums(), ...formats()];

function patterns(): readonly Fault[] {
  const label = (find: string, replace: string): SourceEdit => editChecks("const instanceLabelPattern", find, replace);
  return createFaults("pattern", 16, [
    [
      "createInstance/label/ends",
      "a label may begin with a hyphen",
      ["instance.label.ends"],
      label("[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]$", "[A-Za-z0-9._-]*[A-Za-z0-9]$"),
    ],
    [
      "updateInstance/label/doubled",
      "a label may have two hyphens in a row",
      ["instance.label.doubled"],
      editChecks("const instanceLabelNotPattern", "--|__", "__"),
    ],
    [
      "createInstance/label/unanchored",
      "a label may begin with invalid characters",
      ["instance.label.characters"],
      label('"^[A-Za-z0-9][', '"[A-Za-z0-9]['),
    ],
    [
      "createDomain/domain",
      "a name may begin with invalid characters",
      ["domain.domain.syntax", "domain.domain.labels"],
      editChecks("const domainNamePattern", '"^(?:', '"(?:'),
    ],
    [
      "createDomainRecord/name",
      "a name may end with invalid characters",
      ["record.name.length", "records.request.fields"],
      editChecks("const namePattern", "]+$", "]+"),
    ],
    [
      "createInstanceConfig/interfaces.label",
      "the label of a VLAN may have capitals",
      ["interface.label", "interface.object"],
      editChecks("const configInterfacePurposeVlanLabelPattern", "^[a-z0-9-]+$", "[a-z0-9-]+"),
    ],
  ]);
}

function enums(): readonly Fault[] {
  return createFaults("enum", 17, [
    [
      "createInstanceConfig/run_level",
      "any run level is accepted",
      ["config.run-level.values", "config.create.run-level"],
      editChecks(
        "export function checkSentConfigCreate(",
        'runLevelValue !== "binbash"',
        'typeof runLevelValue !== "string"',
      ),
    ],
    [
      "createInstanceConfig/virt_mode",
      "any mode is accepted",
      ["config.create.virt-mode", "config.virt-mode"],
      editChecks(
        "export function checkSentConfigCreate(",
        'virtModeValue !== "fullvirt"',
        'typeof virtModeValue !== "string"',
      ),
    ],
    [
      "createInstanceConfig/interfaces.purpose",
      "any purpose is accepted",
      ["interface.purpose", "interface.purpose.values"],
      editChecks(
        "export function checkSentConfigInterface(",
        'purposeValue !== "vlan"',
        'typeof purposeValue !== "string"',
      ),
    ],
    [
      "updateInstance/backups.schedule.day",
      "any day is accepted",
      ["instance.schedule.day", "instance.update.schedule-day"],
      editChecks(
        "export function checkSentInstanceBackupScheduleUpdate(",
        "!instanceBackupScheduleUpdateDayValues.has(dayValue)",
        'typeof dayValue !== "string"',
      ),
    ],
    [
      "updateInstance/backups.schedule.window",
      "any window is accepted",
      ["instance.schedule.window-values", "instance.update.schedule-window"],
      editChecks(
        "export function checkSentInstanceBackupScheduleUpdate(",
        "!instanceBackupScheduleUpdateWindowValues.has(windowValue)",
        'typeof windowValue !== "string"',
      ),
    ],
    [
      "updateProfile/lish_auth_method",
      "any method is accepted",
      ["profile.update.lish_auth_method", "profile.lish_auth_method.values"],
      editChecks(
        "export function checkSentProfileUpdate(",
        'lishAuthMethodValue !== "disabled"',
        'typeof lishAuthMethodValue !== "string"',
      ),
    ],
    [
      "createDomain/status",
      "any status is accepted",
      ["domain.status.values", "domain.status.default"],
      editChecks(
        "export function checkSentDomainCreate(",
        'statusValue !== "active"',
        'typeof statusValue !== "string"',
      ),
    ],
    [
      "createClusterPool/disks.type",
      "any format is accepted",
      ["pool.disks.format"],
      editChecks("export function checkSentPoolDisk(", 'typeValue !== "ext4"', 'typeof typeValue !== "string"'),
    ],
  ]);
}

function formats(): readonly Fault[] {
  return createFaults("format", 18, [
    [
      "updateProfile/email",
      "an invalid address is accepted",
      ["profile.update.email", "profile.email.format"],
      editChecks("export function checkSentProfileUpdate(", "if (!isEmail(emailValue))", "if (false)"),
    ],
    [
      "createDomain/soa_email",
      "an invalid address is accepted",
      ["domain.soa_email.format"],
      editChecks("export function checkSentDomainCreate(", "if (!isEmail(soaEmailValue))", "if (false)"),
    ],
    [
      "createDomain/axfr_ips",
      "an invalid IP address is accepted",
      ["domain.axfr_ips.type", "domain.axfr_ips.purpose"],
      editChecks("export function checkDomainAxfrIps(", "anyOf(item, issues, [checkIpv4, checkIpv6]);", ""),
    ],
    [
      "createDomain/master_ips",
      "an invalid IP address is accepted",
      ["domain.master_ips.type"],
      editChecks("export function checkDomainMasterIps(", "anyOf(item, issues, [checkIpv4, checkIpv6]);", ""),
    ],
    [
      "createDomainRecord/target/A",
      "an invalid IPv4 address is accepted for an A record",
      ["record.target.use", "records.request.fields"],
      editChecks(
        "export function checkSentDomainRecordCreateA(",
        "anyOf(targetValue, issues, [checkIpv4, checkATargetRemoteAddr]);",
        "",
      ),
    ],
    [
      "createInstanceConfig/interfaces.ipam_address",
      "an invalid address with a prefix is accepted",
      ["interface.ipam-address"],
      editChecks(
        "export function checkSentConfigInterface(",
        "if (!configInterfaceIpamAddressPattern.test(ipamAddressValue))",
        "if (false)",
      ),
    ],
    [
      "createSSHKey/ssh_key",
      "a key of an unknown format is accepted",
      ["sshkey.create.ssh_key", "sshkey.formats.open"],
      editChecks("export function checkSSHPublicKey(", "if (!sshPublicKeyPattern.test(value))", "if (false)"),
      {
        file: "packages/service/dist/features/profile/credential-handlers.js",
        find: "if (!isPublicKey(ssh_key))",
        replace: "if (false)",
      },
    ],
  ]);
}
