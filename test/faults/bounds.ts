import { createFaults, type FaultRow } from "./create-faults.js";
import { editChecks, editOperations } from "./edited-files.js";
import type { Fault } from "./fault.js";

/** Bounds of numbers and lengths. */
export const boundFaults: readonly Fault[] = [...below(), ...above()];

function below(): readonly Fault[] {
  return createFaults("below-minimum", 13, [
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
      editChecks("export function checkInstanceLabel(", "isShorter(value, 3)", "isShorter(value, 2)"),
    ],
    [
      "createInstance/root_pass",
      "a password of 6 characters is accepted",
      ["instance.create.root-pass-min", "instance.limits.root-pass"],
      editChecks(
        "export function checkSentInstanceCreate(",
        "isShorter(rootPassValue, 7)",
        "isShorter(rootPassValue, 6)",
      ),
    ],
    [
      "createInstance/swap_size",
      "a swap disk of -1 MB is accepted",
      ["instance.create.swap-size", "instance.limits.swap-size"],
      editChecks("export function checkSentInstanceCreate(", "swapSizeValue < 0", "swapSizeValue < -1"),
    ],
    [
      "updateInstance/alerts.cpu",
      "a limit of -1 is accepted",
      ["instance.alerts.cpu", "instance.update.alerts", "instance.alerts.integers"],
      editChecks("export function checkSentInstanceAlertsUpdate(", "cpuValue < 0", "cpuValue < -1"),
    ],
    [
      "createTag/label",
      "a tag of 2 characters is accepted",
      ["tag.label.min", "tag.label.limit", "tag.create.label.length"],
      editChecks("export function checkSentTagCreate(", "isShorter(labelValue, 3)", "isShorter(labelValue, 2)"),
    ],
    [
      "createClusterPool/count",
      "a pool without nodes is accepted",
      ["pool.count.min", "pool.create.request"],
      editChecks("export function checkSentPoolCreate(", "countValue < 1", "countValue < 0"),
    ],
    [
      "answerSecurityQuestions/response",
      "an answer of 2 characters is accepted",
      ["answer.response", "answer.item"],
      editChecks(
        "export function checkSentSecurityAnswer(",
        "isShorter(responseValue, 3)",
        "isShorter(responseValue, 2)",
      ),
    ],
    [
      "createInstanceConfig/memory_limit",
      "a limit of -1 is accepted",
      ["config.memory-limit", "config.create.memory-limit"],
      editChecks("export function checkSentConfigCreate(", "memoryLimitValue < 0", "memoryLimitValue < -1"),
    ],
  ]);
}

function above(): readonly Fault[] {
  return createFaults("above-maximum", 14, [
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
      editChecks(
        "export function checkInstanceLabel(",
        "(value.length > 64 && isLonger(value, 64))",
        "(value.length > 65 && isLonger(value, 65))",
      ),
    ],
    [
      "createInstance/root_pass",
      "a password of 129 characters is accepted",
      ["instance.create.root-pass-max", "instance.limits.root-pass"],
      editChecks(
        "export function checkSentInstanceCreate(",
        "isLonger(rootPassValue, 128)",
        "isLonger(rootPassValue, 129)",
      ),
    ],
    [
      "createInstance/stackscript_data",
      "data of 65536 characters is accepted",
      ["instance.create.stackscript-data-length", "instance.limits.stackscript-data"],
      editChecks("export function checkSentInstanceCreate(", "> 65535)", "> 65536)"),
    ],
    [
      "createInstanceSnapshot/label",
      "a label of 256 characters is accepted",
      ["backup.snapshot.label.max", "backup.snapshot.label.limit"],
      editChecks("export function checkSentSnapshotCreate(", "isLonger(labelValue, 255)", "isLonger(labelValue, 256)"),
    ],
    [
      "createInstanceSnapshot/label/refused",
      "a label of 255 characters is rejected",
      ["backup.snapshot.label.max", "backup.snapshot.label.limit"],
      editChecks(
        "export function checkSentSnapshotCreate(",
        "(labelValue.length > 255 && isLonger(labelValue, 255))",
        "labelValue.length >= 255",
      ),
    ],
    [
      "createInstanceConfig/label",
      "a label of 49 characters is accepted",
      ["config.label.max", "config.label.limit"],
      editChecks("export function checkSentConfigCreate(", "isLonger(labelValue, 48)", "isLonger(labelValue, 49)"),
    ],
    [
      "updateImage/description",
      "a description of 65001 characters is accepted",
      ["image.update.description.max", "image.update.description.limit"],
      editChecks(
        "export function checkImageUpdate(",
        "isLonger(descriptionValue, 65000)",
        "isLonger(descriptionValue, 65001)",
      ),
    ],
    [
      "createCluster/label",
      "a label of 33 characters is accepted",
      ["cluster.label.max", "cluster.label.create-length"],
      editChecks("export function checkSentClusterCreate(", "isLonger(labelValue, 32)", "isLonger(labelValue, 33)"),
    ],
    [
      "updateClusterPool/count",
      "a pool of 101 nodes is accepted",
      ["pool.count.max", "pool.update.request"],
      editChecks("export function checkSentPoolUpdate(", "countValue > 100", "countValue > 101"),
    ],
    [
      "updatePreferences",
      "preferences of 65536 characters are accepted",
      ["preferences.length", "limits.preferences"],
      editChecks("export function checkPreferences(", "> 65535)", "> 65536)"),
    ],
    [
      "updatePreferences/refused",
      "preferences of 65535 characters are rejected",
      ["preferences.length", "limits.preferences"],
      editChecks("export function checkPreferences(", "> 65535)", ">= 65535)"),
    ],
    [
      "createSSHKey/label",
      "a label of 65 characters is accepted",
      ["sshkey.create.label", "limits.sshkey-label", "sshkey.label.length"],
      editChecks("export function checkSentSSHKeyCreate(", "isLonger(labelValue, 64)", "isLonger(labelValue, 65)"),
    ],
    [
      "updateToken/label",
      "a label of 101 characters is accepted",
      ["token.update.label", "limits.token-label", "token.label.length"],
      editChecks("export function checkSentTokenUpdate(", "isLonger(labelValue, 100)", "isLonger(labelValue, 101)"),
    ],
    [
      "createDomain/description",
      "a description of 256 characters is accepted",
      ["domain.description.length", "domain.limits.description"],
      editChecks(
        "export function checkSentDomainCreate(",
        "isLonger(descriptionValue, 255)",
        "isLonger(descriptionValue, 256)",
      ),
    ],
    [
      "createDomainRecord/priority",
      "a priority of 256 is accepted",
      ["record.priority.maximum", "record.limits.priority"],
      editChecks("export function checkSentDomainRecordCreate(", "priorityValue > 255", "priorityValue > 256"),
    ],
    [
      "updateDomainRecord/weight",
      "a weight of 65535 is rejected",
      ["record.weight.maximum", "record.limits.weight"],
      editChecks("export function checkSentDomainRecordUpdate(", "weightValue > 65535", "weightValue >= 65535"),
    ],
    [
      "answerSecurityQuestions/response",
      "an answer of 18 characters is accepted",
      ["answer.response", "answer.item"],
      editChecks(
        "export function checkSentSecurityAnswer(",
        "isLonger(responseValue, 17)",
        "isLonger(responseValue, 18)",
      ),
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
): FaultRow {
  return [`${operation}/page_size`, says, requirements, editOperations(area)(checkOf(area, "PageSize"), find, replace)];
}

function page(operation: string, area: string, requirements: readonly string[]): FaultRow {
  return [
    `${operation}/page`,
    "page 0 is accepted",
    requirements,
    editOperations(area)(checkOf(area, "Page"), "value < 1", "value < 0"),
  ];
}

/** The lists of an area share their checks, which are named by what they have in common; those of an only list, after it. */
function checkOf(area: string, parameter: "Page" | "PageSize"): string {
  const isOnly = ["instances", "images", "events"].includes(area);
  const shared = { Page: "IntegerAtLeast1", PageSize: "PageSize" }[parameter];
  return `function check${isOnly ? `List${area[0]?.toUpperCase()}${area.slice(1)}${parameter}` : shared}(`;
}
