import { isJsonObject } from "@plumbline/kit/model";
import { createFaults } from "./create-faults.js";
import { editChecks, editFeature, editRuntime, editService } from "./edited-files.js";
import type { SourceEdit, Fault } from "./fault.js";
import type { ProxyResponse, ProxyRequest } from "./proxy.js";

/** Faults of updates: read-only fields, kept fields, and rejected, lost and repeated updates. */
export const updateFaults: readonly Fault[] = [...readOnly(), ...merging(), ...partly(), ...lost(), ...repeated()];

function readOnly(): readonly Fault[] {
  return createFaults("read-only-written", 44, [
    [
      "updateInstance/region",
      "an instance moves to the region that is sent",
      ["instance.region.fixed", "instance.update.operation"],
      editChecks("const instanceUpdateFields ", '"alerts",', '"alerts", "region",'),
      editFeature("instances/handlers")(
        "updateInstance: async",
        "label: body.label ?? target.label,",
        "label: body.label ?? target.label, region: body.region ?? target.region,",
      ),
    ],
    [
      "updateDomain/created",
      "the time of creation is what is sent",
      ["domains.update", "domains.update.request", "domain.update.optional", "domains.request.fields"],
      editChecks(
        "export const normalizeSentDomainUpdateChange =",
        "known: domainCreateFields",
        'known: new Set([...domainCreateFields, "created"])',
      ),
    ],
    [
      "updateDomainRecord/created",
      "the time of creation is what is sent",
      ["record.created", "records.update", "records.update.request"],
      editChecks(
        "export const normalizeSentDomainRecordUpdateChange =",
        "known: domainRecordCreateFields",
        'known: new Set([...domainRecordCreateFields, "created"])',
      ),
    ],
    [
      "updateDomainRecord/type",
      "the type of a record changes",
      ["record.type.update"],
      {
        file: "packages/server/dist/gen/mutability.js",
        within: "export const mutability ",
        find: 'updateDomainRecord: [{ pointer: ["type"], rule: "immutable", error: "record-type-fixed" }],',
        replace: "",
      },
      {
        file: "packages/server/dist/gen/errors.js",
        within: "export const conditionalErrors ",
        find: 'updateDomainRecord: [{ id: "record-type-fixed", when: { changes: ["type"] }, pointer: [] }],',
        replace: "",
      },
    ],
    [
      "updateToken/scopes",
      "a token gets the scopes that are sent",
      ["token.no-renewal", "token.update.operation", "token.update"],
      editChecks(
        "export const normalizeSentTokenUpdate =",
        "known: labelFields",
        'known: new Set(["label", "scopes"])',
      ),
      editFeature("profile/credential-handlers")(
        "updateToken: async",
        "body: { label = target.label } }",
        "body: { label = target.label, scopes = target.scopes } }",
      ),
      editFeature("profile/credential-handlers")(
        "updateToken: async",
        "if (label === target.label)",
        "if (label === target.label && scopes === target.scopes)",
      ),
      editFeature("profile/credential-handlers")(
        "updateToken: async",
        "patch(target, { label })",
        "patch(target, { label, scopes })",
      ),
    ],
    [
      "updateSSHKey/ssh_key",
      "a key becomes the one that is sent",
      ["sshkey.update.label-only", "sshkey.update"],
      editChecks(
        "export const normalizeSentSSHKeyUpdate =",
        "known: labelFields",
        'known: new Set(["label", "ssh_key"])',
      ),
      editFeature("profile/credential-handlers")(
        "updateSSHKey: async",
        "body: { label = target.label } }",
        "body: { label = target.label, ssh_key = target.ssh_key } }",
      ),
      editFeature("profile/credential-handlers")(
        "updateSSHKey: async",
        "if (label === target.label)",
        "if (label === target.label && ssh_key === target.ssh_key)",
      ),
      editFeature("profile/credential-handlers")(
        "updateSSHKey: async",
        "patch(target, { label })",
        "patch(target, { label, ssh_key })",
      ),
    ],
  ]);
}

function merging(): readonly Fault[] {
  const instance = "updateInstance: async";
  return createFaults("merged-wrongly", 45, [
    [
      "updateInstance/alerts",
      "alerts that are not sent go back to what they were at first",
      ["instance.update.alerts"],
      editFeature("instances/handlers")(
        instance,
        "{ ...target.alerts, ...body.alerts }",
        "body.alerts === undefined ? target.alerts : { cpu: 90 * target.specs.vcpus, io: 10000, network_in: 10, network_out: 10, transfer_quota: 80, ...body.alerts }",
      ),
    ],
    [
      "updateInstance/backups.schedule",
      "a window that is not sent is none",
      ["instance.update.schedule-day", "instance.update.schedule-window", "instance.update.backups"],
      editFeature("instances/handlers")(
        instance,
        "schedule: { ...target.backups.schedule, ...schedule }",
        "schedule: schedule === undefined ? target.backups.schedule : { day: null, window: null, ...schedule }",
      ),
    ],
    [
      "updateInstance/tags",
      "tags are added to those that are there",
      ["instance.update.tags"],
      editFeature("instances/handlers")(
        instance,
        "ensureTags(work, target.account, body.tags)",
        "ensureTags(work, target.account, [...target.tags, ...body.tags])",
      ),
    ],
    [
      "updateCluster/tags",
      "tags are added to those that are there",
      ["cluster.tags.removed-by-omission"],
      editFeature("kube/handlers")(
        "updateCluster: async",
        "ensureTags(work, target.account, body.tags)",
        "ensureTags(work, target.account, [...target.tags, ...body.tags])",
      ),
    ],
    [
      "updateClusterPool/autoscaler",
      "bounds that are not sent go back to the count",
      ["pool.update.request", "pool.autoscaler.max-needs-min"],
      editFeature("kube/handlers")(
        "updateClusterPool: async",
        "{ ...before.autoscaler, ...body.autoscaler }",
        "body.autoscaler === undefined ? before.autoscaler : { enabled: false, min: before.count, max: before.count, ...body.autoscaler }",
      ),
    ],
    [
      "updatePreferences",
      "preferences are added to those that are there",
      ["preferences.update.replaces", "preferences.update"],
      editFeature("profile/handlers")(
        "updatePreferences: async",
        "preferences: body };",
        "preferences: { ...(await tx.preferences.get(preferencesId(caller)))?.preferences, ...body } };",
      ),
    ],
    [
      "updateDomain/description",
      "a description that is not sent is gone",
      ["domain.update.optional"],
      editFeature("domains/handlers")("updateDomain: async", "...fields, //", 'description: "", ...fields, //'),
    ],
    [
      "updateImage/description",
      "a description that is not sent is gone",
      ["image.update.description", "image.update.operation"],
      editFeature("images/handlers")(
        "updateImage: async",
        "{ ...target, ...body }",
        "{ ...target, description: null, ...body }",
      ),
    ],
    [
      "updateProfile/authorized_keys",
      "keys are added to those that are there",
      ["profile.update.authorized_keys"],
      editFeature("profile/handlers")(
        "updateProfile: async",
        "stored.authorized_keys : body.authorized_keys,",
        "stored.authorized_keys : body.authorized_keys && [...(stored.authorized_keys ?? []), ...body.authorized_keys],",
      ),
    ],
  ]);
}

/** A rejected update stores its valid fields. */
function partly(): readonly Fault[] {
  const rows = [
    ["updateInstance", ["instance.update.operation", "error.400.validation"]],
    ["updateProfile", ["profile.update.operation", "error.400.validation"]],
    ["updateDomain", ["domains.update", "domains.update.request", "error.400.validation"]],
    ["updateCluster", ["cluster.update.operation", "error.400.validation"]],
    ["updateDomainRecord", ["records.update", "records.update.request", "error.400.validation"]],
  ] as const;
  const onResponse = async (
    answer: ProxyResponse,
    asked: ProxyRequest,
    ask: (asked: ProxyRequest) => Promise<ProxyResponse>,
  ): Promise<ProxyResponse> => {
    if (answer.status !== 400) return answer;
    const { errors } = JSON.parse(answer.body) as { readonly errors: readonly { readonly field?: string }[] };
    const wrong = new Set(errors.map(({ field }) => field?.split(".")[0]));
    const left = Object.entries(objectOf(asked.body)).filter(([name]) => !wrong.has(name));
    if (left.length > 0) await ask({ ...asked, body: JSON.stringify(Object.fromEntries(left)) });
    return answer;
  };
  return rows.map(([operation, requirements]) => ({
    id: `partly-done/${operation}`,
    class: 46,
    operation,
    requirements,
    description: "a rejected update changes its valid fields",
    wire: { onResponse },
  }));
}

function lost(): readonly Fault[] {
  return createFaults("not-kept", 47, [
    [
      "updateInstance",
      "the response shows a change that is not stored",
      ["instance.update.operation", "instance.update.label"],
      editFeature("instances/handlers")("updateInstance: async", "await work.tx.instances.update(instance);", ""),
    ],
    [
      "updateImage",
      "the response shows a change that is not stored",
      ["image.update.operation", "image.update.label", "image.update.description"],
      editFeature("images/handlers")(
        "updateImage: async",
        "await work.tx.images.patch(target, {",
        "Object.assign({ ...target }, {",
      ),
    ],
    [
      "updateCluster",
      "the response shows a change that is not stored",
      ["cluster.update.operation", "cluster.update.request"],
      editFeature("kube/handlers")("updateCluster: async", "await work.tx.clusters.update(cluster);", ""),
    ],
    [
      "updateProfile",
      "the response shows a change that is not stored",
      ["profile.update.operation", "profile.update.email"],
      editFeature("profile/handlers")(
        "updateProfile: async",
        "await work.tx.users.patch(user, { profile: next })",
        "{ ...user, profile: next }",
      ),
    ],
    [
      "updatePreferences",
      "the response shows a change that is not stored",
      ["preferences.update", "preferences.get.reply"],
      editFeature("profile/handlers")(
        "updatePreferences: async",
        "await ((await tx.preferences.get(row.id)) === undefined ? tx.preferences.add(row) : tx.preferences.update(row));",
        "",
      ),
    ],
    [
      "updateSSHKey",
      "the response shows a change that is not stored",
      ["sshkey.update", "sshkey.update.label"],
      editFeature("profile/credential-handlers")(
        "updateSSHKey: async",
        "await work.tx.sshkeys.patch(target, { label })",
        "{ ...target, label }",
      ),
    ],
    [
      "updateToken",
      "the response shows a change that is not stored",
      ["token.update.operation", "token.update.label"],
      editFeature("profile/credential-handlers")(
        "updateToken: async",
        "await work.tx.tokens.patch(target, { label })",
        "{ ...target, label }",
      ),
    ],
    [
      "updateDomainRecord",
      "the response shows a change that is not stored",
      ["records.update", "records.update.request"],
      editFeature("domains/handlers")(
        "updateDomainRecord: async",
        "await work.tx.records.patch(changed, { updated: work.date })",
        "{ ...changed, updated: work.date }",
      ),
    ],
    [
      "answerSecurityQuestions",
      "answers are acknowledged, but not stored",
      ["question.answer", "questions.overwritten", "question.response"],
      editFeature("profile/handlers")(
        "answerSecurityQuestions: async",
        "await context.work.tx.users.patch(await userOf(context), { answers });",
        "void answers;",
      ),
    ],
  ]);
}

function repeated(): readonly Fault[] {
  const unchanged = (rule: string): SourceEdit =>
    editRuntime("conditions/mutability")(
      "async function findMutabilityViolation(",
      "if (!isChanged(sent, stored) ||",
      `if ((change.rule !== "${rule}" && !isChanged(sent, stored)) ||`,
    );
  const unique = (operation: string, id: string): readonly SourceEdit[] => [
    editRuntime("steps/limits")(
      "var checkUniqueLimits =",
      "if (except !== void 0 &&",
      `if (plan.name !== "${operation}" && except !== void 0 &&`,
    ),
    editService("server/limits")(`"${id}": async`, "other.id !== except?.id", "true"),
  ];
  return createFaults("repeat-rejected", 48, [
    [
      "updateCluster/k8s_version",
      "the current version of a cluster is rejected",
      ["cluster.version.update.next", "cluster.update.operation", "cluster.update.request"],
      unchanged("next"),
    ],
    [
      "updateDomainRecord/type",
      "the current type of a record is rejected",
      ["record.type.update", "records.update", "records.update.request"],
      unchanged("immutable"),
    ],
    [
      "updateDomain/domain",
      "the current name of a domain is rejected",
      ["domain.domain.unique", "domains.update", "domain.update.domain"],
      ...unique("updateDomain", "domain-unique"),
    ],
    [
      "updateCluster/label",
      "the current label of a cluster is rejected",
      ["cluster.label.unique", "cluster.update.operation"],
      ...unique("updateCluster", "unique-cluster-label"),
    ],
  ]);
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
