import type { Edit, Fault } from "./fault.js";
import { changes, errors, handlers, runtime, states } from "./files.js";
import { faultsOf } from "./rows.js";

/** Faults of states, transitions and jobs. */
export const lifecycle: readonly Fault[] = [...allowed(), ...refused(), ...stuck(), ...busy()];

function allowed(): readonly Fault[] {
  return faultsOf("illegal-transition", 54, [
    [
      "bootInstance/running",
      "a running instance is booted",
      ["instance.create.booted-by-boot", "instance.moves.booting", "instance.boot.operation"],
      states("    bootInstance: [", '["offline", "unpowered"]', '["offline", "unpowered", "running"]'),
      handlers("power")("async function boot(", 'if (state !== "offline" && state !== "unpowered")', "if (false)"),
      handlers("power")(
        "async function boot(",
        'instanceStatus.transition(state, "bootInstance", "booting")',
        '"booting"',
      ),
    ],
    [
      "deleteInstance/cloning",
      "an instance is deleted while it is cloned",
      ["instance.delete.not-cloning", "instance.delete.cloning-unchanged", "instance.delete.cloned-or-restored"],
      states("    deleteInstance: [", '"provisioning",', '"provisioning", "cloning",'),
      handlers("instances")(
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
      states("    deleteInstance: [", '"provisioning",', '"provisioning", "restoring",'),
      handlers("instances")(
        "export async function deleteInstance(",
        'instanceStatus.transition(instance.state, "deleteInstance", "deleting")',
        '"deleting"',
      ),
    ],
    [
      "sendPhoneCode/verified",
      "a code is sent to a user with a verified number",
      ["phone.delete.before-change", "phone.rule.change"],
      states("    sendPhoneCode: [", '["none", "code_sent"]', '["none", "code_sent", "verified"]'),
      {
        file: "packages/server/dist/gen/errors.js",
        within: "    sendPhoneCode: [",
        find: 'id: "phone-number-verified", when: {',
        replace:
          'id: "phone-number-verified", when: { body: (_value, faults) => void faults.push({ path: [], code: "never" }),',
      },
    ],
    [
      "verifyPhoneNumber/expired",
      "an expired code is accepted",
      ["phone.code.lifetime", "phone.verify.unexpired", "phone.rule.lifetime", "limits.phone-code"],
      handlers("phone")("export function phoneState(", "sent.expires > now", "true"),
    ],
    [
      "enableTwoFactor/unanswered",
      "a secret is issued before the questions are answered",
      ["two-factor.enable.questions", "questions.before-two-factor"],
      states("    enableTwoFactor: [", '["answered"]', '["answered", "unanswered"]'),
    ],
    [
      "enableTwoFactor/enabled",
      "a secret is issued although two-factor authentication is on",
      ["two-factor.enable.state", "two-factor.enable"],
      states("    enableTwoFactor: [", '["disabled", "secret_issued"]', '["disabled", "secret_issued", "enabled"]'),
      handlers("two-factor")(
        "enableTwoFactor: async",
        'machine.transition(before, "enableTwoFactor", "secret_issued")',
        '"secret_issued"',
      ),
      errors(
        "    enableTwoFactor: [",
        "target: checkUpdateProfileTwoFactorUnconfirmedBody",
        'target: (_value, faults) => void faults.push({ path: [], code: "never" })',
      ),
    ],
    [
      "confirmTwoFactor/expired",
      "an expired secret is confirmed",
      ["two-factor.secret.until-expiry"],
      handlers("two-factor")("export function twoFactorState(", "(expires ?? 0) <= now", "false"),
    ],
    [
      "confirmTwoFactor/any-code",
      "any code confirms",
      ["two-factor.confirm.current"],
      handlers("two-factor")(
        "confirmTwoFactor: async",
        "if (!isCurrent(tfa_code, user.twoFactor, work.now))",
        "if (false)",
      ),
    ],
    [
      "verifyPhoneNumber/any-code",
      "any code verifies",
      ["phone.verify.same-user", "phone.rule.same-user", "phone.verify"],
      handlers("phone")("verifyPhoneNumber: async", "if (user.phone?.code !== otp_code)", "if (false)"),
    ],
    [
      "updateCluster/k8s_version",
      "a version is skipped",
      ["cluster.version.update.next"],
      runtime("changes")(
        "async function mayBecome(",
        "isEqual(values[index + 1], sent)",
        "values.indexOf(sent) > index",
      ),
    ],
    [
      "updateCluster/high_availability",
      "high availability is turned off",
      ["cluster.ha.irreversible"],
      changes(
        "export const changes ",
        'error: "high-availability-irreversible",',
        'error: "high-availability-irreversible", pointer: ["none"],',
      ),
    ],
    [
      "updateProfile/ip_whitelist_enabled",
      "the whitelist is switched on",
      ["profile.ip_whitelist_enabled.never-on", "profile.ip_whitelist_enabled.one-way"],
      changes(
        "export const changes ",
        '{ pointer: ["ip_whitelist_enabled"], rule: "one-way", to: false, error: "ip-whitelist-stays-off" },',
        "",
      ),
      errors(
        "function checkUpdateProfileIpWhitelistStaysOffBody(",
        "if (ipWhitelistEnabledValue === undefined)",
        "if (true)",
      ),
    ],
    [
      "bootInstance/no-config",
      "one of several configs is booted without a choice",
      ["instance.boot.none-last-booted", "instance.errors.boot"],
      handlers("power")("async function configToBoot(", "if (others.length === 0)", "if (true)"),
    ],
  ]);
}

function refused(): readonly Fault[] {
  return faultsOf("legal-transition-refused", 55, [
    [
      "deleteInstance/suspended",
      "an instance that is suspended is not deleted",
      ["instance.delete.suspended", "instance.versioning.delete-suspended"],
      states("    deleteInstance: [", '"suspended",', ""),
    ],
    [
      "deleteInstance/provisioning",
      "an instance that is provisioned is not deleted",
      ["instance.moves.deleting", "instance.delete.operation"],
      states("    deleteInstance: [", '"provisioning",', ""),
    ],
    [
      "cloneInstance/cloning",
      "an instance that is cloned is not cloned again",
      ["instance.clone.concurrent", "instance.limits.clones", "instance.clone.operation"],
      states(
        "    cloneInstance: [",
        '["running", "offline", "unpowered", "cloning"]',
        '["running", "offline", "unpowered"]',
      ),
    ],
    [
      "sendPhoneCode/again",
      "a code is sent only once",
      ["phone.send.resend", "phone.send.state"],
      states("    sendPhoneCode: [", '["none", "code_sent"]', '["none"]'),
    ],
    [
      "enableTwoFactor/again",
      "a secret is issued only once",
      ["two-factor.enable.state", "two-factor.enable"],
      states("    enableTwoFactor: [", '["disabled", "secret_issued"]', '["disabled"]'),
    ],
    [
      "updateDomain/active",
      "a disabled domain stays disabled",
      ["domain.moves.updated"],
      handlers("domains")(
        "updateDomain: async",
        "status: status === undefined ?",
        'status: status === "active" && target.status === "disabled" ? (() => { throw errors.invalidRequest({ field: "status", reason: "The domain is disabled" }); })() : status === undefined ?',
      ),
    ],
    [
      "bootInstance/one-config",
      "the only config is not booted by default",
      ["instance.boot.one-config"],
      handlers("power")("async function configToBoot(", "if (others.length === 0)", "if (false)"),
    ],
    [
      "deleteImage/pending",
      "an image that waits for its data is not deleted",
      ["image.delete.permanent", "image.delete.operation"],
      handlers("images")(
        "deleteImage: async",
        'imageStatus.transition(target.status, "deleteImage", "$gone");',
        'if (target.status === "pending_upload") throw errors.notPermitted();',
      ),
    ],
    [
      "updateCluster/k8s_version",
      "the next version is rejected",
      ["cluster.version.update.next"],
      runtime("changes")(
        "async function mayBecome(",
        "index + 1 < values.length && isEqual(values[index + 1], sent)",
        "false",
      ),
    ],
    [
      "enableInstanceBackups/again",
      "backups that are on are not enabled again",
      ["backup.enable.operation"],
      handlers("backup-service")(
        "enableInstanceBackups: async",
        "await backupsEnabled(work, target);",
        'if (target.backups.enabled) throw Object.assign(new Error("on"), { code: "plumbline/refused", id: "invalid-request", detail: {} });\n        await backupsEnabled(work, target);',
      ),
    ],
  ]);
}

function stuck(): readonly Fault[] {
  return faultsOf("stuck", 56, [
    [
      "bootInstance",
      "an instance stays in the state booting",
      ["instance.moves.booting", "instance.create.booted-by-boot", "instance.boot.operation"],
      handlers("power")(
        "export const powerJobs",
        'boot: (work, job) => ends(work, job, "running")',
        'boot: (work, job) => ends(work, job, "booting")',
      ),
    ],
    [
      "createInstance/offline",
      "an instance is offline when it is provisioned",
      ["instance.create.booted", "instance.create.booted-default", "instance.create.runs"],
      handlers("instances")(
        "export const instanceJobs",
        'data["ends"] === "running" ? "running" : "offline"',
        '"offline"',
      ),
    ],
    [
      "createInstance/at-once",
      "an instance runs before it is provisioned",
      ["instance.create.response", "instance.create.booted", "instance.create.deployed"],
      handlers("instances")("createInstance: async", "state: begins.to,", "state: begins.then[0] ?? begins.to,"),
    ],
    [
      "createInstanceSnapshot",
      "a snapshot never succeeds",
      ["backup.status", "backup.status.values.states", "backup.status.moves.open", "backup.snapshot.operation"],
      handlers("backups")("    backup: async", "await succeed(work, backup);", ""),
    ],
    [
      "createCluster",
      "a cluster is never ready",
      ["cluster.states.open", "cluster.ready.time", "cluster.create.operation"],
      handlers("clusters")(
        "export const clusterJobs",
        'data["ends"] === "ready" ? "ready" : cluster.status',
        "cluster.status",
      ),
    ],
    [
      "createImage",
      "an image stays in the state creating",
      ["image.status", "image.status.values", "image.create.operation", "image.moves.created"],
      handlers("images")(
        "export async function imageReady(",
        'imageStatus.shown(data["ends"]) ?? image.status',
        "image.status",
      ),
    ],
    [
      "restoreInstanceBackup",
      "an instance runs when it is restored",
      ["backup.restore.operation"],
      handlers("restore")(
        "export const restoreJobs",
        'await enter(work, target, "offline", { before: null });',
        'await enter(work, target, "running", { before: null });',
      ),
    ],
    [
      "cloneInstance/source",
      "a cloned instance stays in the state cloning",
      ["instance.clone.operation"],
      handlers("clones")(
        "async function sourceIsDone(",
        'await enter(work, source, source.before ?? "offline", { before: null });',
        "",
      ),
    ],
    [
      "cloneInstance/target",
      "a clone runs as soon as it exists",
      ["instance.clone.operation", "instance.clone.new"],
      handlers("clones")("    clone: async", 'target.before ?? "offline"', '"running"'),
    ],
    [
      "createClusterPool",
      "the nodes of a pool are never ready",
      ["node.states.open", "pool.create.operation"],
      handlers("nodes")("    nodeJoin: async", 'job.data["ends"] === "ready" ? "ready" : node.status', "node.status"),
    ],
    [
      "listClusterApiEndpoints",
      "endpoints are shown before the cluster is ready",
      ["cluster.ready.time", "endpoints.list.operation"],
      errors(
        "function checkListClusterApiEndpointsEndpointsNotReadyTarget(",
        'if (statusValue !== "not_ready")',
        "if (true)",
      ),
    ],
  ]);
}

function busy(): readonly Fault[] {
  const target = (operation: string): Edit =>
    states(
      `    ${operation}: [`,
      '["running", "offline", "unpowered"], else: "target-busy"',
      '["running", "offline", "unpowered", "provisioning", "booting", "rebuilding", "restoring", "cloning", "shutting_down", "rebooting", "migrating", "stopped", "deleting"], else: "target-busy"',
    );
  return faultsOf("while-busy", 57, [
    [
      "createInstanceSnapshot",
      "a snapshot is taken while the instance is busy",
      ["backup.snapshot.operation"],
      errors("function checkCreateInstanceSnapshotInstanceBusyTarget(", "if (statusValue === undefined)", "if (true)"),
    ],
    [
      "restoreInstanceBackup",
      "a backup is restored to a busy target",
      ["backup.restore.operation", "backup.restore.compute-id"],
      target("restoreInstanceBackup"),
      handlers("restore")("restoreInstanceBackup: async", "if (!isIdle(state))", "if (false)"),
      handlers("restore")(
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
      handlers("clones")("function becomesTarget(", "if (!isIdle(state))", "if (false)"),
      handlers("clones")(
        "function becomesTarget(",
        'instanceStatus.transition(state, "cloneInstance:compute_id", "rebuilding")',
        '"rebuilding"',
      ),
    ],
    [
      "bootInstance",
      "an instance that is busy is booted",
      ["instance.create.booted-by-boot", "instance.boot.operation"],
      states(
        "    bootInstance: [",
        '["offline", "unpowered"]',
        '["offline", "unpowered", "booting", "provisioning", "rebooting", "shutting_down", "cloning", "restoring", "rebuilding", "migrating", "stopped", "deleting"]',
      ),
      handlers("power")("async function boot(", 'if (state !== "offline" && state !== "unpowered")', "if (false)"),
      handlers("power")(
        "async function boot(",
        'instanceStatus.transition(state, "bootInstance", "booting")',
        '"booting"',
      ),
    ],
  ]);
}
