import { createFaults } from "./create-faults.js";
import { editMutability, editErrors, editFeature, editRuntime, editStates } from "./edited-files.js";
import type { SourceEdit, Fault } from "./fault.js";
import { stuckJobFaults } from "./stuck-jobs.js";

/** Faults of states, transitions and jobs. */
export const lifecycleFaults: readonly Fault[] = [...allowed(), ...rejectedTransitions(), ...stuckJobFaults, ...busy()];

function allowed(): readonly Fault[] {
  return createFaults("illegal-transition", 54, [
    [
      "bootInstance/running",
      "a running instance is booted",
      ["instance.create.booted-by-boot", "instance.moves.booting", "instance.boot.operation"],
      editStates("    bootInstance: [", '["offline", "unpowered"]', '["offline", "unpowered", "running"]'),
      editFeature("instances/power")(
        "async function startBoot(",
        'if (state !== "offline" && state !== "unpowered")',
        "if (false)",
      ),
      editFeature("instances/power")(
        "async function startBoot(",
        'instanceStatus.transition(state, "bootInstance", "booting")',
        '"booting"',
      ),
    ],
    [
      "deleteInstance/cloning",
      "an instance is deleted while it is cloned",
      ["instance.delete.not-cloning", "instance.delete.cloning-unchanged", "instance.delete.cloned-or-restored"],
      editStates("    deleteInstance: [", '"provisioning",', '"provisioning", "cloning",'),
      editFeature("instances/lifecycle")(
        "export async function deleteInstance(",
        'instanceStatus.transition(instance.state, "deleteInstance", "deleting")',
        '"deleting"',
      ),
    ],
    [
      "deleteInstance/restoring",
      "an instance is deleted while it is restored",
      [
        "instance.delete.not-restoring",
        "instance.delete.restoring-unchanged",
        "instance.versioning.delete-restoring",
        "instance.delete.cloned-or-restored",
      ],
      editStates("    deleteInstance: [", '"provisioning",', '"provisioning", "restoring",'),
      editFeature("instances/lifecycle")(
        "export async function deleteInstance(",
        'instanceStatus.transition(instance.state, "deleteInstance", "deleting")',
        '"deleting"',
      ),
    ],
    [
      "sendPhoneCode/verified",
      "a code is sent to a user with a verified number",
      ["phone.delete.before-change", "phone.rule.change"],
      editStates("    sendPhoneCode: [", '["none", "code_sent"]', '["none", "code_sent", "verified"]'),
      {
        file: "packages/server/dist/gen/errors.js",
        within: "    sendPhoneCode: [",
        find: 'id: "phone-number-verified", when: {',
        replace:
          'id: "phone-number-verified", when: { body: (_value, issues) => void issues.push({ path: [], code: "false" }),',
      },
    ],
    [
      "verifyPhoneNumber/expired",
      "an expired code is accepted",
      ["phone.code.lifetime", "phone.verify.unexpired", "phone.rule.lifetime", "limits.phone-code"],
      editFeature("profile/phone")("export function phoneState(", "sent.expires > now", "true"),
    ],
    [
      "enableTwoFactor/unanswered",
      "a secret is issued before the questions are answered",
      ["two-factor.enable.questions", "questions.before-two-factor"],
      editStates("    enableTwoFactor: [", '["answered"]', '["answered", "unanswered"]'),
    ],
    [
      "enableTwoFactor/enabled",
      "a secret is issued although two-factor authentication is on",
      ["two-factor.enable.state", "two-factor.enable"],
      editStates("    enableTwoFactor: [", '["disabled", "secret_issued"]', '["disabled", "secret_issued", "enabled"]'),
      editFeature("profile/handlers")(
        "enableTwoFactor: async",
        'machine.transition(before, "enableTwoFactor", "secret_issued")',
        '"secret_issued"',
      ),
      editErrors(
        "    enableTwoFactor: [",
        "target: checkTwoFactorAuthTrue",
        'target: (_value, issues) => void issues.push({ path: [], code: "false" })',
      ),
    ],
    [
      "confirmTwoFactor/expired",
      "an expired secret is confirmed",
      ["two-factor.secret.until-expiry"],
      editFeature("profile/two-factor")("export function twoFactorState(", "(expires ?? 0) <= now", "false"),
    ],
    [
      "confirmTwoFactor/any-code",
      "any code confirms",
      ["two-factor.confirm.current"],
      editFeature("profile/handlers")(
        "confirmTwoFactor: async",
        "if (!isCurrentCode(tfa_code, user.twoFactor, work.now))",
        "if (false)",
      ),
    ],
    [
      "verifyPhoneNumber/any-code",
      "any code verifies",
      ["phone.verify.same-user", "phone.rule.same-user", "phone.verify"],
      editFeature("profile/handlers")("verifyPhoneNumber: async", "if (user.phone?.code !== otp_code)", "if (false)"),
    ],
    [
      "updateCluster/k8s_version",
      "a version is skipped",
      ["cluster.version.update.next"],
      editRuntime("conditions/mutability")(
        "async function isAllowedChange(",
        "isEqual(values[index + 1], sent)",
        "values.indexOf(sent) > index",
      ),
    ],
    [
      "updateCluster/high_availability",
      "high availability is turned off",
      ["cluster.ha.irreversible"],
      editMutability(
        "export const mutability ",
        'error: "high-availability-irreversible",',
        'error: "high-availability-irreversible", pointer: ["none"],',
      ),
    ],
    [
      "updateProfile/ip_whitelist_enabled",
      "the whitelist is switched on",
      ["profile.ip_whitelist_enabled.never-on", "profile.ip_whitelist_enabled.one-way"],
      editMutability(
        "export const mutability ",
        '{ pointer: ["ip_whitelist_enabled"], rule: "one-way", to: false, error: "ip-whitelist-stays-off" },',
        "",
      ),
      editErrors(
        "function checkUpdateProfileIpWhitelistStaysOffBody(",
        "if (ipWhitelistEnabledValue === undefined)",
        "if (true)",
      ),
    ],
    [
      "bootInstance/no-config",
      "one of several configs is booted without a choice",
      ["instance.boot.none-last-booted", "instance.errors.boot"],
      editFeature("instances/power")("async function configToBoot(", "if (others.length === 0)", "if (true)"),
    ],
  ]);
}

function rejectedTransitions(): readonly Fault[] {
  return createFaults("legal-transition-rejected", 55, [
    [
      "deleteInstance/suspended",
      "an instance that is suspended is not deleted",
      ["instance.delete.suspended", "instance.versioning.delete-suspended"],
      editStates("    deleteInstance: [", '"suspended",', ""),
    ],
    [
      "deleteInstance/provisioning",
      "an instance that is provisioned is not deleted",
      ["instance.moves.deleting", "instance.delete.operation"],
      editStates("    deleteInstance: [", '"provisioning",', ""),
    ],
    [
      "cloneInstance/cloning",
      "an instance that is cloned is not cloned again",
      ["instance.clone.concurrent", "instance.limits.clones", "instance.clone.operation"],
      editStates(
        "    cloneInstance: [",
        '["running", "offline", "unpowered", "cloning"]',
        '["running", "offline", "unpowered"]',
      ),
    ],
    [
      "sendPhoneCode/again",
      "a code is sent only once",
      ["phone.send.resend", "phone.send.state"],
      editStates("    sendPhoneCode: [", '["none", "code_sent"]', '["none"]'),
    ],
    [
      "enableTwoFactor/again",
      "a secret is issued only once",
      ["two-factor.enable.state", "two-factor.enable"],
      editStates("    enableTwoFactor: [", '["disabled", "secret_issued"]', '["disabled"]'),
    ],
    [
      "updateDomain/active",
      "a disabled domain stays disabled",
      ["domain.moves.updated"],
      editFeature("domains/handlers")(
        "updateDomain: async",
        "status: status === undefined ?",
        'status: status === "active" && target.status === "disabled" ? (() => { throw errors.invalidRequest({ field: "status", reason: "The domain is disabled" }); })() : status === undefined ?',
      ),
    ],
    [
      "bootInstance/one-config",
      "the only config is not booted by default",
      ["instance.boot.one-config"],
      editFeature("instances/power")("async function configToBoot(", "if (others.length === 0)", "if (false)"),
    ],
    [
      "deleteImage/pending",
      "an image that waits for its data is not deleted",
      ["image.delete.permanent", "image.delete.operation"],
      editFeature("images/handlers")(
        "deleteImage: async",
        'imageStatus.transition(target.status, "deleteImage", "$deleted");',
        'if (target.status === "pending_upload") throw errors.notPermitted();',
      ),
    ],
    [
      "updateCluster/k8s_version",
      "the next version is rejected",
      ["cluster.version.update.next"],
      editRuntime("conditions/mutability")(
        "async function isAllowedChange(",
        "index + 1 < values.length && isEqual(values[index + 1], sent)",
        "false",
      ),
    ],
    [
      "enableInstanceBackups/again",
      "backups that are on are not enabled again",
      ["backup.enable.operation"],
      editFeature("backups/handlers")(
        "enableInstanceBackups: async",
        "await enableBackups(work, target);",
        'if (target.backups.enabled) throw Object.assign(new Error("on"), { code: "plumbline/operation-error", id: "invalid-request", detail: {} });\n        await enableBackups(work, target);',
      ),
    ],
  ]);
}

function busy(): readonly Fault[] {
  const target = (operation: string): SourceEdit =>
    editStates(
      `    ${operation}: [`,
      '["running", "offline", "unpowered"], error: "target-busy"',
      '["running", "offline", "unpowered", "provisioning", "booting", "rebuilding", "restoring", "cloning", "shutting_down", "rebooting", "migrating", "stopped", "deleting"], error: "target-busy"',
    );
  return createFaults("while-busy", 57, [
    [
      "createInstanceSnapshot",
      "a snapshot is taken while the instance is busy",
      ["backup.snapshot.operation"],
      editErrors(
        "function checkCreateInstanceSnapshotInstanceBusyTarget(",
        "if (statusValue === undefined)",
        "if (true)",
      ),
    ],
    [
      "restoreInstanceBackup",
      "a backup is restored to a busy target",
      ["backup.restore.operation", "backup.restore.compute-id"],
      target("restoreInstanceBackup"),
      editFeature("backups/handlers")("restoreInstanceBackup: async", "if (!isIdle(state))", "if (false)"),
      editFeature("backups/handlers")(
        "restoreInstanceBackup: async",
        'instanceStatus.transition(state, "restoreInstanceBackup:compute_id", "restoring")',
        '"restoring"',
      ),
    ],
    [
      "cloneInstance",
      "a clone is made onto a busy target",
      ["instance.clone.target-queued", "instance.clone.target-idle"],
      target("cloneInstance"),
      editFeature("instances/clones")("function becomesTarget(", "if (!isIdle(state))", "if (false)"),
      editFeature("instances/clones")(
        "function becomesTarget(",
        'instanceStatus.transition(state, "cloneInstance:compute_id", "rebuilding")',
        '"rebuilding"',
      ),
    ],
    [
      "bootInstance",
      "an instance that is busy is booted",
      ["instance.create.booted-by-boot", "instance.boot.operation"],
      editStates(
        "    bootInstance: [",
        '["offline", "unpowered"]',
        '["offline", "unpowered", "booting", "provisioning", "rebooting", "shutting_down", "cloning", "restoring", "rebuilding", "migrating", "stopped", "deleting"]',
      ),
      editFeature("instances/power")(
        "async function startBoot(",
        'if (state !== "offline" && state !== "unpowered")',
        "if (false)",
      ),
      editFeature("instances/power")(
        "async function startBoot(",
        'instanceStatus.transition(state, "bootInstance", "booting")',
        '"booting"',
      ),
    ],
  ]);
}
