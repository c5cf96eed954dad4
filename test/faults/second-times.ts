import { createFaults } from "./create-faults.js";
import { editErrors, editFeature, editGrants, editLimits as table, editService } from "./edited-files.js";
import type { Fault } from "./fault.js";
import type { ProxyRequest, ProxyResponse } from "./proxy.js";

/** Faults of what happens a second time, just before and after an end of time, and where a condition is false. */
export const secondTimeFaults: readonly Fault[] = [
  ...createFaults("second-time", 65, [
    [
      "updateDomain/name",
      "a domain cannot be renamed to a name that it had after another rename",
      ["domain.domain.unique", "domain.update.optional", "domains.update.request"],
      editFeature("domains/lifecycle")(
        "export async function assertNameIsFree(",
        "const other = await tx.domains.locate(key);",
        `const names = (globalThis.namesOf ??= new Map());
    const had = names.get(id) ?? new Set();
    if (id !== undefined && had.has(key)) throw errors.domainTaken();
    names.set(id, had.add(key));
    const other = await tx.domains.locate(key);`,
      ),
    ],
    [
      "updateCluster/label",
      "the label that a cluster had stays taken",
      ["cluster.label.unique"],
      editService("server/limits")(
        '"unique-cluster-label": async',
        "return other !== undefined",
        `const labels = (globalThis.labelsOf ??= new Map());
            const key = (caller?.account.id ?? "") + label;
            if (except !== undefined) labels.set((caller?.account.id ?? "") + except.label, except.id);
            if (labels.has(key) && labels.get(key) !== except?.id) return true;
            return other !== undefined`,
      ),
    ],
    [
      "updateSSHKey/label",
      "a key is renamed twice, and not again",
      ["sshkey.update.label", "sshkey.update"],
      editFeature("profile/credential-handlers")(
        "updateSSHKey: async",
        "if (label === target.label)",
        `const renames = (globalThis.renames ??= new Map());
        renames.set(target.id, (renames.get(target.id) ?? 0) + 1);
        if (label === target.label || renames.get(target.id) > 2)`,
      ),
    ],
    [
      "enableInstanceBackups/again",
      "the backup service cannot be enabled again after it was cancelled",
      ["backup.enable.operation"],
      editFeature("backups/lifecycle")(
        "export async function enableBackups(",
        "if (instance.backups.enabled)",
        `const enabledOnce = (globalThis.enabledOnce ??= new Set());
    if (instance.backups.enabled || enabledOnce.has(instance.id) || !enabledOnce.add(instance.id))`,
      ),
    ],
    [
      "deletePhoneNumber/none",
      "a user without a number cannot remove it",
      ["phone.delete.state", "phone.delete"],
      editFeature("profile/handlers")(
        "deletePhoneNumber: async",
        "const user = await userOf(context);",
        `const user = await userOf(context);
        if (user.profile.verified_phone_number === null) throw errors.wrongPhoneCode();`,
      ),
    ],
    [
      "disableTwoFactor/off",
      "two-factor authentication that is off cannot be disabled",
      ["two-factor.disable.state", "two-factor.disable"],
      editFeature("profile/two-factor")(
        "export async function twoFactorOff(",
        "const state =",
        `if (!user.profile.two_factor_auth) throw new Error("It is off.");
    const state =`,
      ),
    ],
    [
      "verifyPhoneNumber/again",
      "a code verifies a number twice",
      ["phone.verify.state", "phone.verify.unexpired"],
      editFeature("profile/handlers")(
        "verifyPhoneNumber: async",
        "{ profile, phone: null }",
        "{ profile: user.phone.isUsed ? profile : { ...profile, verified_phone_number: null }, phone: { ...user.phone, isUsed: true } }",
      ),
    ],
    [
      "deleteClusterKubeconfig/second",
      "the kubeconfig of a cluster is replaced once",
      ["kubeconfig.delete.operation", "kubeconfig.delete.regenerates"],
      editFeature("kube/kubeconfig")(
        "async function kubeconfigReplaced(",
        "if (cluster.kubeconfigToken !== null)",
        `const replaced = (globalThis.replaced ??= new Set());
    if (!replaced.has(cluster.id) && replaced.add(cluster.id))`,
      ),
    ],
    [
      "getInstance/watchdog",
      "after five boots the watchdog gives up for good",
      ["instance.watchdog.gives-up", "instance.limits.watchdog"],
      editFeature("instances/power")("export function recentBoots(", "time > now -", "time > 0 * now -"),
    ],
    [
      "sendPhoneCode/texts",
      "messages count for the hour in which one was sent, and for the next ones too",
      ["limit.general.open", "phone.send"],
      table("    phoneTexts: {", "windowSeconds: 3600", "windowSeconds: 360000"),
    ],
  ]),
  {
    id: "second-time/listDomains/page",
    class: 65,
    operation: "listDomains",
    requirements: ["list.data.current", "domains.list"],
    description: "a second page is what it was when it was read first",
    wire: { onResponse: sameSecondPage() },
  },
  ...createFaults("other-time", 66, [
    [
      "getDevice/early",
      "a device is trusted for half a minute less",
      ["limits.device-session", "device.get"],
      table("    deviceSession: {", "windowSeconds: 2592000", "windowSeconds: 2591970"),
    ],
    [
      "getLogin/early",
      "a login is shown for half a minute less",
      ["login.history", "login.get"],
      table("    loginHistory: {", "windowSeconds: 7776000", "windowSeconds: 7775970"),
    ],
    [
      "createInstance/window",
      "the window of creations is 20 seconds",
      ["instance.limits.create-rate"],
      table("    instanceCreates: {", "windowSeconds: 30", "windowSeconds: 20"),
    ],
    [
      "verifyPhoneNumber/early",
      "a code is good for nine minutes and a half",
      ["phone.code.lifetime", "phone.verify.unexpired"],
      editFeature("profile/phone")("export function newPhoneCode(", "?? 0) * 1000", "?? 0) * 1000 - 30000"),
    ],
    [
      "sendPhoneCode/window",
      "messages count for fifty minutes",
      ["limit.general.open", "phone.send"],
      table("    phoneTexts: {", "windowSeconds: 3600", "windowSeconds: 3000"),
    ],
    [
      "sendPhoneCode/most",
      "a user gets 31 messages within an hour",
      ["limit.general.open", "phone.send"],
      table("    phoneTexts: {", "max: 30", "max: 31"),
    ],
  ]),
  ...createFaults("unmet-condition", 67, [
    [
      "createClusterPool/above",
      "the upper bound of an autoscaler that is off bounds the count",
      ["cluster.create.invalid-autoscaler", "pool.create.operation"],
      editErrors("    createClusterPool: [", ...alsoDisabled("above")),
    ],
    [
      "createClusterPool/below",
      "the lower bound of an autoscaler that is off bounds the count",
      ["cluster.create.invalid-autoscaler", "pool.create.operation"],
      editErrors("    createClusterPool: [", ...alsoDisabled("below")),
    ],
    [
      "createCluster/above",
      "the upper bound of an autoscaler that is off bounds the count of a new cluster",
      ["cluster.create.invalid-autoscaler"],
      editErrors("    createCluster: [", ...alsoDisabled("above")),
    ],
    [
      "updateClusterPool/below",
      "the lower bound of an autoscaler that is turned off bounds the count",
      ["cluster.create.invalid-autoscaler", "pool.update.operation"],
      editErrors("    updateClusterPool: [", ...alsoDisabled("below")),
    ],
    [
      "createInstance/tags",
      "a restricted user cannot send an empty list of tags",
      ["instance.create.tags-unrestricted"],
      editGrants("function checkWithTags(", "if (tagsValue.length < 1)", "if (false)"),
    ],
  ]),
];

/** Remembers the second pages that it has shown. */
function sameSecondPage(): (answer: ProxyResponse, asked: ProxyRequest) => ProxyResponse {
  const pages = new Map<string, ProxyResponse>();
  return (answer, asked) => {
    const key = `${asked.target} ${asked.headers["authorization"] ?? ""}`;
    if (!/[?&]page=2(&|$)/.test(asked.target)) return answer;
    pages.set(key, pages.get(key) ?? answer);
    return pages.get(key) ?? answer;
  };
}

/** The text of an error's condition, and the same without the part about the flag. */
function alsoDisabled(side: "above" | "below"): readonly [find: string, replace: string] {
  const id = `id: "count-${side}-autoscaler",
            when: {`;
  return [
    `${id}
                sent: checkAutoscalerEnabledTrue,`,
    id,
  ];
}
