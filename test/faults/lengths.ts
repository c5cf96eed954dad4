import { createFaults } from "./create-faults.js";
import { editChecks, editHttpRuntime } from "./edited-files.js";
import type { Fault } from "./fault.js";

/** Faults of lengths, empty values, numbers of items, and large integers. */
export const lengthFaults: readonly Fault[] = [...counted(), ...empty(), ...lists(), ...large()];

/** Lengths in 16-bit units instead of characters. */
function counted(): readonly Fault[] {
  return createFaults("counted-in-units", 15, [
    [
      "createInstanceSnapshot/label",
      "a character beyond 16 bits counts twice",
      ["backup.snapshot.label.max", "backup.snapshot.label.limit"],
      editChecks("export function checkSentSnapshotCreate(", " && isLonger(labelValue, 255)", ""),
    ],
    [
      "createTag/label",
      "a character beyond 16 bits counts twice",
      ["tag.label.max", "tag.label.limit", "tag.create.label.length"],
      editChecks("export function checkSentTagCreate(", " && isLonger(labelValue, 50)", ""),
    ],
    [
      "createToken/label",
      "a character beyond 16 bits counts twice",
      ["token.create.label", "limits.token-label"],
      editChecks("export function checkSentTokenCreate(", " && isLonger(labelValue, 100)", ""),
    ],
    [
      "createSSHKey/label",
      "a character beyond 16 bits counts twice",
      ["sshkey.create.label", "limits.sshkey-label"],
      editChecks("export function checkSentSSHKeyCreate(", " && isLonger(labelValue, 64)", ""),
    ],
    [
      "updateDomain/description",
      "a character beyond 16 bits counts twice",
      ["domain.description.length", "domain.limits.description"],
      editChecks("export function checkSentDomainUpdate(", " && isLonger(descriptionValue, 255)", ""),
    ],
    [
      "createInstanceConfig/label",
      "a label is counted in bytes",
      ["config.label.max", "config.label.limit"],
      editChecks(
        "export function checkSentConfigCreate(",
        "(labelValue.length > 48 && isLonger(labelValue, 48))",
        "Buffer.byteLength(labelValue) > 48",
      ),
    ],
  ]);
}

function empty(): readonly Fault[] {
  return createFaults("empty", 24, [
    [
      "createInstanceSnapshot/label",
      "an empty label is accepted",
      ["backup.snapshot.label.min", "backup.snapshot.label.limit"],
      editChecks("export function checkSentSnapshotCreate(", "labelValue.length === 0 || ", ""),
    ],
    [
      "createInstanceConfig/label",
      "an empty label is accepted",
      ["config.label.min", "config.label.limit"],
      editChecks("export function checkSentConfigCreate(", "labelValue.length === 0 || ", ""),
    ],
    [
      "createToken/label",
      "an empty label is accepted",
      ["token.create.label", "limits.token-label"],
      editChecks("export function checkSentTokenCreate(", "labelValue.length === 0 || ", ""),
    ],
    [
      "updateImage/description",
      "an empty description is accepted",
      ["image.update.description.min", "image.update.description.limit"],
      editChecks("export function checkImageUpdate(", "descriptionValue.length === 0 || ", ""),
    ],
    [
      "createCluster/label",
      "an empty label is accepted",
      ["cluster.label.min", "cluster.label.create-length"],
      editChecks("export function checkSentClusterCreate(", "labelValue.length === 0 || ", ""),
    ],
    [
      "createDomain/group",
      "an empty group is accepted",
      ["domain.group.length", "domain.limits.group"],
      editChecks("export function checkSentDomainCreate(", "groupValue.length === 0 || ", ""),
    ],
  ]);
}

function lists(): readonly Fault[] {
  return createFaults("list-bounds", 25, [
    [
      "createInstance/interfaces",
      "four interfaces are accepted",
      ["instance.create.interfaces-max", "interface.max", "instance.limits.interfaces", "config.interfaces.max"],
      editChecks("export function checkSentConfigInterfaces(", "value.length > 3", "value.length > 4"),
    ],
    [
      "createInstanceConfig/interfaces",
      "two public interfaces are accepted",
      ["interface.max", "config.create.interfaces", "interface.position"],
      editChecks("export function checkSentConfigInterfaces(", "fitting > 1", "fitting > 3"),
    ],
    [
      "answerSecurityQuestions/two",
      "two answers are accepted",
      ["questions.three", "limits.questions.three"],
      editChecks(
        "export function checkSentSecurityAnswers(",
        "securityQuestionsValue.length < 3",
        "securityQuestionsValue.length < 2",
      ),
    ],
    [
      "answerSecurityQuestions/repeated",
      "two answers to one question are accepted",
      ["questions.unique", "limits.questions.unique"],
      editChecks(
        "export function checkSentSecurityAnswers(",
        'if (!isUniqueBy(securityQuestionsValue, ["question_id"]))',
        "if (false)",
      ),
    ],
    [
      "createDomain/master_ips",
      "addresses of more than 1000 characters together are accepted",
      ["domain.limits.master_ips"],
      editChecks("export function checkDomainMasterIps(", "textLength(value) > 1000", "textLength(value) > 2000"),
    ],
    [
      "createClusterPool/disks",
      "eight disks are accepted",
      ["pool.disks.max-items", "pool.disks.limit"],
      editChecks("export function checkSentPoolCreate(", "disksValue.length > 7", "disksValue.length > 8"),
    ],
  ]);
}

/** Integers beyond the exact range of doubles. */
function large(): readonly Fault[] {
  // The text of a body is checked before its values.
  const readsInexactNumbers = editHttpRuntime("decode/json-text")(
    "function readJson(",
    "addFirstInexactNumber(text, issues);",
    ";",
  );
  return createFaults("beyond-exact", 27, [
    [
      "createInstance/swap_size",
      "9007199254740993 is read as another number, and rejected for another reason",
      ["instance.create.swap-size", "instance.limits.swap-size"],
      editChecks("export function checkSentInstanceCreate(", "if (!Number.isSafeInteger(swapSizeValue))", "if (false)"),
      readsInexactNumbers,
    ],
    [
      "updateInstance/alerts.io",
      "9007199254740993 is accepted, and another number is stored",
      ["instance.alerts.io", "instance.alerts.integers", "instance.update.alerts"],
      editChecks("export function checkSentInstanceAlertsUpdate(", "if (!Number.isSafeInteger(ioValue))", "if (false)"),
      readsInexactNumbers,
    ],
    [
      "createInstanceConfig/memory_limit",
      "9007199254740993 is accepted, and another number is stored",
      ["config.memory-limit", "config.create.memory-limit"],
      editChecks(
        "export function checkSentConfigCreate(",
        "if (!Number.isSafeInteger(memoryLimitValue))",
        "if (false)",
      ),
      readsInexactNumbers,
    ],
    [
      "createDomain/ttl_sec",
      "9007199254740993 is accepted",
      ["domain.ttl_sec.type", "domain.ttl_sec.rounding"],
      editChecks("export function checkSentDomainCreate(", "if (!Number.isSafeInteger(ttlSecValue))", "if (false)"),
      readsInexactNumbers,
    ],
  ]);
}
