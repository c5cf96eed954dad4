import type { Fault } from "./fault.js";
import { checks, operations } from "./files.js";
import { faultsOf, type Row } from "./rows.js";

/** Bounds of numbers, lengths and lists, and how they are counted. */
export const bounds: readonly Fault[] = [...below(), ...above(), ...counted(), ...empty(), ...lists(), ...large()];

function below(): readonly Fault[] {
  return faultsOf("below-minimum", 13, [
    pageSize(
      "listInstances",
      "instances",
      "24 items a page are accepted",
      ["list.page-size.open"],
      "value < 25",
      "value < 24",
    ),
    pageSize("listTags", "tags", "24 items a page are accepted", ["list.page-size.open"], "value < 25", "value < 24"),
    page("listDomains", "domains", ["list.page.current"]),
    page("listEvents", "events", ["list.page.current"]),
    [
      "createInstance/label",
      "a label of 2 characters is accepted",
      ["instance.label.min-length", "instance.limits.label"],
      checks("export function checkSentInstanceLabel(", "isShorter(value, 3)", "isShorter(value, 2)"),
    ],
    [
      "createInstance/root_pass",
      "a password of 6 characters is accepted",
      ["instance.create.root-pass-min", "instance.limits.root-pass"],
      checks("export function checkSentInstanceCreate(", "isShorter(rootPassValue, 7)", "isShorter(rootPassValue, 6)"),
    ],
    [
      "createInstance/swap_size",
      "a swap disk of -1 MB is accepted",
      ["instance.create.swap-size", "instance.limits.swap-size"],
      checks("export function checkSentInstanceCreate(", "swapSizeValue < 0", "swapSizeValue < -1"),
    ],
    [
      "updateInstance/alerts.cpu",
      "a limit of -1 is accepted",
      ["instance.alerts.cpu", "instance.update.alerts", "instance.alerts.integers"],
      checks("export function checkSentInstanceAlertsUpdate(", "cpuValue < 0", "cpuValue < -1"),
    ],
    [
      "createTag/label",
      "a tag of 2 characters is accepted",
      ["tag.label.min", "tag.label.limit", "tag.create.label.length"],
      checks("export function checkSentTagCreate(", "isShorter(labelValue, 3)", "isShorter(labelValue, 2)"),
    ],
    [
      "createClusterPool/count",
      "a pool without nodes is accepted",
      ["pool.count.min", "pool.create.request"],
      checks("export function checkSentPoolCreate(", "countValue < 1", "countValue < 0"),
    ],
    [
      "answerSecurityQuestions/response",
      "an answer of 2 characters is accepted",
      ["answer.response", "answer.item"],
      checks("export function checkSentSecurityAnswer(", "isShorter(responseValue, 3)", "isShorter(responseValue, 2)"),
    ],
    [
      "createInstanceConfig/memory_limit",
      "a limit of -1 is accepted",
      ["config.memory-limit", "config.create.memory-limit"],
      checks("export function checkSentConfigCreate(", "memoryLimitValue < 0", "memoryLimitValue < -1"),
    ],
  ]);
}

function above(): readonly Fault[] {
  return faultsOf("above-maximum", 14, [
    pageSize(
      "listImages",
      "images",
      "501 items a page are accepted",
      ["list.page-size.open"],
      "value > 500",
      "value > 501",
    ),
    pageSize(
      "listTokens",
      "profile",
      "501 items a page are accepted",
      ["list.page-size.open"],
      "value > 500",
      "value > 501",
    ),
    [
      "updateInstance/label",
      "a label of 65 characters is accepted",
      ["instance.label.max-length", "instance.limits.label"],
      checks(
        "export function checkSentInstanceLabel(",
        "(value.length > 64 && isLonger(value, 64))",
        "(value.length > 65 && isLonger(value, 65))",
      ),
    ],
    [
      "createInstance/root_pass",
      "a password of 129 characters is accepted",
      ["instance.create.root-pass-max", "instance.limits.root-pass"],
      checks(
        "export function checkSentInstanceCreate(",
        "isLonger(rootPassValue, 128)",
        "isLonger(rootPassValue, 129)",
      ),
    ],
    [
      "createInstance/stackscript_data",
      "data of 65536 characters is accepted",
      ["instance.errors.stackscript-data", "instance.create.stackscript-data"],
      checks("export function checkSentInstanceCreate(", "> 65535)", "> 65536)"),
    ],
    [
      "createInstanceSnapshot/label",
      "a label of 256 characters is accepted",
      ["backup.snapshot.label.max", "backup.snapshot.label.limit"],
      checks("export function checkSentSnapshotCreate(", "isLonger(labelValue, 255)", "isLonger(labelValue, 256)"),
    ],
    [
      "createInstanceSnapshot/label/refused",
      "a label of 255 characters is refused",
      ["backup.snapshot.label.max", "backup.snapshot.label.limit"],
      checks(
        "export function checkSentSnapshotCreate(",
        "(labelValue.length > 255 && isLonger(labelValue, 255))",
        "labelValue.length >= 255",
      ),
    ],
    [
      "createInstanceConfig/label",
      "a label of 49 characters is accepted",
      ["config.label.max", "config.label.limit"],
      checks("export function checkSentConfigCreate(", "isLonger(labelValue, 48)", "isLonger(labelValue, 49)"),
    ],
    [
      "updateImage/description",
      "a description of 65001 characters is accepted",
      ["image.update.description.max", "image.update.description.limit"],
      checks(
        "export function checkImageUpdate(",
        "isLonger(descriptionValue, 65000)",
        "isLonger(descriptionValue, 65001)",
      ),
    ],
    [
      "createCluster/label",
      "a label of 33 characters is accepted",
      ["cluster.label.max", "cluster.label.create-length"],
      checks("export function checkSentClusterCreate(", "isLonger(labelValue, 32)", "isLonger(labelValue, 33)"),
    ],
    [
      "updateClusterPool/count",
      "a pool of 101 nodes is accepted",
      ["pool.count.max", "pool.update.request"],
      checks("export function checkSentPoolUpdate(", "countValue > 100", "countValue > 101"),
    ],
    [
      "updatePreferences",
      "preferences of 65536 characters are accepted",
      ["preferences.length", "limits.preferences"],
      checks("export function checkPreferences(", "> 65535)", "> 65536)"),
    ],
    [
      "updatePreferences/refused",
      "preferences of 65535 characters are refused",
      ["preferences.length", "limits.preferences"],
      checks("export function checkPreferences(", "> 65535)", ">= 65535)"),
    ],
    [
      "createSSHKey/label",
      "a label of 65 characters is accepted",
      ["sshkey.create.label", "limits.sshkey-label", "sshkey.label.length"],
      checks("export function checkSentSSHKeyCreate(", "isLonger(labelValue, 64)", "isLonger(labelValue, 65)"),
    ],
    [
      "updateToken/label",
      "a label of 101 characters is accepted",
      ["token.update.label", "limits.token-label", "token.label.length"],
      checks("export function checkSentTokenUpdate(", "isLonger(labelValue, 100)", "isLonger(labelValue, 101)"),
    ],
    [
      "createDomain/description",
      "a description of 256 characters is accepted",
      ["domain.description.length", "domain.limits.description"],
      checks(
        "export function checkSentDomainCreate(",
        "isLonger(descriptionValue, 255)",
        "isLonger(descriptionValue, 256)",
      ),
    ],
    [
      "createDomainRecord/priority",
      "a priority of 256 is accepted",
      ["record.priority.maximum", "record.limits.priority"],
      checks("export function checkSentDomainRecordCreate(", "priorityValue > 255", "priorityValue > 256"),
    ],
    [
      "updateDomainRecord/weight",
      "a weight of 65535 is refused",
      ["record.weight.maximum", "record.limits.weight"],
      checks("export function checkSentDomainRecordUpdate(", "weightValue > 65535", "weightValue >= 65535"),
    ],
    [
      "answerSecurityQuestions/response",
      "an answer of 18 characters is accepted",
      ["answer.response", "answer.item"],
      checks("export function checkSentSecurityAnswer(", "isLonger(responseValue, 17)", "isLonger(responseValue, 18)"),
    ],
  ]);
}

/** Lengths in 16-bit units, and not in characters. */
function counted(): readonly Fault[] {
  return faultsOf("counted-in-units", 15, [
    [
      "createInstanceSnapshot/label",
      "a character beyond 16 bits counts twice",
      ["backup.snapshot.label.max", "backup.snapshot.label.limit"],
      checks("export function checkSentSnapshotCreate(", " && isLonger(labelValue, 255)", ""),
    ],
    [
      "createTag/label",
      "a character beyond 16 bits counts twice",
      ["tag.label.max", "tag.label.limit", "tag.create.label.length"],
      checks("export function checkSentTagCreate(", " && isLonger(labelValue, 50)", ""),
    ],
    [
      "createToken/label",
      "a character beyond 16 bits counts twice",
      ["token.create.label", "limits.token-label"],
      checks("export function checkSentTokenCreate(", " && isLonger(labelValue, 100)", ""),
    ],
    [
      "createSSHKey/label",
      "a character beyond 16 bits counts twice",
      ["sshkey.create.label", "limits.sshkey-label"],
      checks("export function checkSentSSHKeyCreate(", " && isLonger(labelValue, 64)", ""),
    ],
    [
      "updateDomain/description",
      "a character beyond 16 bits counts twice",
      ["domain.description.length", "domain.limits.description"],
      checks("export function checkSentDomainUpdate(", " && isLonger(descriptionValue, 255)", ""),
    ],
    [
      "createInstanceConfig/label",
      "a label is counted in bytes",
      ["config.label.max", "config.label.limit"],
      checks(
        "export function checkSentConfigCreate(",
        "(labelValue.length > 48 && isLonger(labelValue, 48))",
        "Buffer.byteLength(labelValue) > 48",
      ),
    ],
  ]);
}

function empty(): readonly Fault[] {
  return faultsOf("empty", 24, [
    [
      "createInstanceSnapshot/label",
      "an empty label is accepted",
      ["backup.snapshot.label.min", "backup.snapshot.label.limit"],
      checks("export function checkSentSnapshotCreate(", "labelValue.length === 0 || ", ""),
    ],
    [
      "createInstanceConfig/label",
      "an empty label is accepted",
      ["config.label.min", "config.label.limit"],
      checks("export function checkSentConfigCreate(", "labelValue.length === 0 || ", ""),
    ],
    [
      "createToken/label",
      "an empty label is accepted",
      ["token.create.label", "limits.token-label"],
      checks("export function checkSentTokenCreate(", "labelValue.length === 0 || ", ""),
    ],
    [
      "updateImage/description",
      "an empty description is accepted",
      ["image.update.description.min", "image.update.description.limit"],
      checks("export function checkImageUpdate(", "descriptionValue.length === 0 || ", ""),
    ],
    [
      "createCluster/label",
      "an empty label is accepted",
      ["cluster.label.min", "cluster.label.create-length"],
      checks("export function checkSentClusterCreate(", "labelValue.length === 0 || ", ""),
    ],
    [
      "createDomain/group",
      "an empty group is accepted",
      ["domain.group.length", "domain.limits.group"],
      checks("export function checkSentDomainCreate(", "groupValue.length === 0 || ", ""),
    ],
  ]);
}

function lists(): readonly Fault[] {
  return faultsOf("list-bounds", 25, [
    [
      "createInstance/interfaces",
      "four interfaces are accepted",
      ["instance.create.interfaces-max", "interface.max", "instance.limits.interfaces", "config.interfaces.max"],
      checks("export function checkSentConfigInterfaces(", "value.length > 3", "value.length > 4"),
    ],
    [
      "createInstanceConfig/interfaces",
      "two public interfaces are accepted",
      ["interface.max", "config.create.interfaces", "interface.position"],
      checks("export function checkSentConfigInterfaces(", "fitting > 1", "fitting > 3"),
    ],
    [
      "answerSecurityQuestions/two",
      "two answers are accepted",
      ["questions.three", "limits.questions.three"],
      checks(
        "export function checkSentSecurityAnswers(",
        "securityQuestionsValue.length < 3",
        "securityQuestionsValue.length < 2",
      ),
    ],
    [
      "answerSecurityQuestions/repeated",
      "two answers to one question are accepted",
      ["questions.unique", "limits.questions.unique"],
      checks(
        "export function checkSentSecurityAnswers(",
        'if (!isUniqueBy(securityQuestionsValue, ["question_id"]))',
        "if (false)",
      ),
    ],
    [
      "createDomain/master_ips",
      "addresses of more than 1000 characters together are accepted",
      ["domain.limits.master_ips"],
      checks("export function checkSentDomainMasterIps(", "textLength(value) > 1000", "textLength(value) > 2000"),
    ],
    [
      "createClusterPool/disks",
      "eight disks are accepted",
      ["pool.create.request"],
      checks("export function checkSentPoolCreate(", "disksValue.length > 7", "disksValue.length > 8"),
    ],
  ]);
}

/** Integers that cannot be told from their neighbours. */
function large(): readonly Fault[] {
  return faultsOf("beyond-exact", 27, [
    [
      "createInstance/swap_size",
      "9007199254740993 is read as another number, and refused for another reason",
      ["instance.create.swap-size", "instance.limits.swap-size"],
      checks("export function checkSentInstanceCreate(", "if (!Number.isSafeInteger(swapSizeValue))", "if (false)"),
    ],
    [
      "updateInstance/alerts.io",
      "9007199254740993 is accepted, and another number is stored",
      ["instance.alerts.io", "instance.alerts.integers", "instance.update.alerts"],
      checks("export function checkSentInstanceAlertsUpdate(", "if (!Number.isSafeInteger(ioValue))", "if (false)"),
    ],
    [
      "createInstanceConfig/memory_limit",
      "9007199254740993 is accepted, and another number is stored",
      ["config.memory-limit", "config.create.memory-limit"],
      checks("export function checkSentConfigCreate(", "if (!Number.isSafeInteger(memoryLimitValue))", "if (false)"),
    ],
    [
      "createDomain/ttl_sec",
      "9007199254740993 is accepted",
      ["domain.ttl_sec.type", "domain.ttl_sec.rounding"],
      checks("export function checkSentDomainCreate(", "if (!Number.isSafeInteger(ttlSecValue))", "if (false)"),
    ],
  ]);
}

function pageSize(
  operation: string,
  area: string,
  says: string,
  requirements: readonly string[],
  find: string,
  replace: string,
): Row {
  return [`${operation}/page_size`, says, requirements, operations(area)(checkOf(area, "PageSize"), find, replace)];
}

function page(operation: string, area: string, requirements: readonly string[]): Row {
  return [
    `${operation}/page`,
    "page 0 is accepted",
    requirements,
    operations(area)(checkOf(area, "Page"), "value < 1", "value < 0"),
  ];
}

/** The lists of an area share their checks, which are named after the first of them. */
function checkOf(area: string, parameter: string): string {
  const first: Record<string, string> = { profile: "Apps" };
  const name = first[area] ?? `${area[0]?.toUpperCase()}${area.slice(1)}`;
  return `function checkList${name}${parameter}(`;
}
