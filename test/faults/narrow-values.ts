import { createFaults } from "./create-faults.js";
import { editFeature, editLimits, editService } from "./edited-files.js";
import type { Fault } from "./fault.js";
import type { ProxyRequest, ProxyResponse } from "./proxy.js";

/** Faults that only narrow values show: emptied lists, one kind of a record, lengths within a pattern, unknown ids, old codes, another token. */
export const narrowValueFaults: readonly Fault[] = [
  ...emptied(),
  ...kinds(),
  ...lengths(),
  ...unknownIds(),
  ...codes(),
  ...tokens(),
];

function emptied(): readonly Fault[] {
  const row = (operation: string, field: string, empty: unknown, requirements: readonly string[]): Fault => ({
    id: `emptied/${operation}/${field}`,
    class: 25,
    operation,
    requirements,
    description: `${field} can be emptied, though it is required`,
    wire: {
      onRequest: (asked): ProxyRequest =>
        changed(asked, (body) => (JSON.stringify(body[field]) === JSON.stringify(empty) ? without(body, field) : body)),
    },
  });
  return [
    row("updateDomain", "master_ips", [], ["domain.master_ips.type", "domain.master_ips.slave"]),
    row("updateDomain", "soa_email", "", [
      "domain.soa_email.master",
      "domain.update.optional",
      "domains.update.request",
      "domain.soa_email.format",
    ]),
  ];
}

function kinds(): readonly Fault[] {
  const rejected = (["NS", "MX", "CNAME", "SRV", "PTR"] as const).map((type) => ({
    id: `trailing-period/createDomainRecord/${type}-rejected`,
    class: 18,
    operation: "createDomainRecord",
    requirements: [
      "record.target.period",
      "record.target.use",
      "record.target.ptr",
      "record.target.caa",
      "record.target.no-period",
    ],
    description: `a target with a trailing period is rejected for ${type}`,
    wire: {
      onRequest: (asked: ProxyRequest): ProxyRequest | ProxyResponse =>
        isDotted(asked, [type]) ? rejection("target") : asked,
    },
  }));
  const accepted = (["A", "AAAA", "CAA"] as const).map((type) => ({
    id: `trailing-period/createDomainRecord/${type}-accepted`,
    class: 18,
    operation: "createDomainRecord",
    requirements: ["record.target.period", "record.target.use", "record.target.no-period", "record.target.caa"],
    description: `a target with a trailing period is accepted for ${type}`,
    wire: {
      onRequest: (asked: ProxyRequest): ProxyRequest =>
        isDotted(asked, [type])
          ? changed(asked, (body) => ({ ...body, target: String(body["target"]).replace(/\.$/, "") }))
          : asked,
    },
  }));
  return [...rejected, ...accepted];
}

function lengths(): readonly Fault[] {
  const row = (
    operation: string,
    field: string,
    { what, limit, to }: { readonly what: string; readonly limit: RegExp; readonly to?: string },
    requirements: readonly string[],
  ): Fault => ({
    id: `pattern-length/${operation}/${field}-${what}`,
    class: 16,
    operation,
    requirements,
    description: `${field}: a text is ${to === undefined ? "rejected" : "accepted"} at the length of its pattern: ${what}`,
    wire: {
      onRequest: (asked): ProxyRequest | ProxyResponse => {
        const value = bodyOf(asked)?.[field];
        if (typeof value !== "string" || !limit.test(value)) return asked;
        return to === undefined
          ? rejection(field)
          : changed(asked, (body) => ({ ...body, [field]: value.replace(limit, to) }));
      },
    },
  });
  const service = ["record.service.type"];
  const name = ["domain.domain.labels", "domain.domain.syntax", "domain.limits.labels"];
  return [
    row("createDomainRecord", "service", { what: "62", limit: /^_?[A-Za-z0-9-]{62}\.?$/ }, service),
    row(
      "createDomainRecord",
      "service",
      { what: "63", limit: /^(_?[A-Za-z0-9-]{62})[A-Za-z0-9](\.?)$/, to: "$1$2" },
      service,
    ),
    row("createDomainRecord", "protocol", { what: "63", limit: /^(_?[A-Za-z0-9-]{62})[A-Za-z0-9]$/, to: "$1" }, [
      "record.protocol.type",
    ]),
    row("createDomain", "domain", { what: "label-63", limit: /^[^.]{63}\./ }, name),
    row("createDomain", "domain", { what: "label-64", limit: /^([^.]{63})[^.]\./, to: "$1." }, name),
    row("cloneDomain", "domain", { what: "label-64", limit: /^([^.]{63})[^.]\./, to: "$1." }, [
      ...name,
      "domains.clone.domain",
      "domains.clone.length",
    ]),
    row("createDomain", "domain", { what: "top-1", limit: /\.([a-z])$/, to: ".$1x" }, name),
    row("sendPhoneCode", "phone_number", { what: "32", limit: /^(.{31}).$/, to: "+15551234567" }, [
      "phone.send.phone_number",
    ]),
    row("createCluster", "k8s_version", { what: "4-digits", limit: /^\d{4}\.\d+$/, to: "1.29" }, [
      "cluster.version.form",
      "cluster.version.type",
    ]),
  ];
}

function unknownIds(): readonly Fault[] {
  return createFaults("unknown-id", 35, [
    [
      "getKubeVersion",
      "any version of the right form exists",
      ["version.get.operation", "version.get.response", "version.id.type"],
      editService("server/resources")(
        "    KubeVersion: {",
        "withIds(kubeVersions, values)",
        "values.map((id) => ({ id }))",
      ),
    ],
    [
      "createCluster/k8s_version",
      "a cluster is created with an unknown version of the right form",
      ["cluster.version.type", "cluster.version.form", "cluster.create.required.version"],
      editService("server/resources")(
        "    KubeVersion: {",
        "withIds(kubeVersions, values)",
        "values.filter((id) => /^\\\\d+\\\\.\\\\d+$/.test(String(id))).map((id) => ({ id }))",
      ),
    ],
  ]);
}

function codes(): readonly Fault[] {
  return createFaults("stale-code", 2, [
    [
      "verifyPhoneNumber/earlier",
      "the code of an earlier number is accepted",
      [
        "phone.verify.otp_code",
        "phone.verify",
        "phone.verify.request",
        "phone.verify.state",
        "phone.rule.lifetime",
        "phone.verify.unexpired",
      ],
      editFeature("profile/handlers")(
        "sendPhoneCode: async",
        "await work.tx.users.patch(user, { phone: sent });",
        "(globalThis.sentCodes ??= new Set()).add(`${user.id} ${sent.code}`);\n        await work.tx.users.patch(user, { phone: sent });",
      ),
      editFeature("profile/handlers")(
        "verifyPhoneNumber: async",
        "user.phone?.code !== otp_code",
        "!globalThis.sentCodes?.has(`${user.id} ${otp_code}`)",
      ),
    ],
    [
      "confirmTwoFactor/earlier-secret",
      "the code of an earlier secret is accepted",
      ["two-factor.confirm.current", "two-factor.confirm.tfa_code", "two-factor.confirm"],
      editFeature("profile/handlers")(
        "enableTwoFactor: async",
        "const expiry =",
        "(globalThis.secrets ??= new Map()).set(user.id, [...(globalThis.secrets.get(user.id) ?? []), secret]);\n        const expiry =",
      ),
      editFeature("profile/handlers")(
        "confirmTwoFactor: async",
        "!isCurrentCode(tfa_code, user.twoFactor, work.now)",
        "!globalThis.secrets?.get(user.id)?.some((secret) => isCurrentCode(tfa_code, { ...user.twoFactor, secret }, work.now))",
      ),
    ],
    [
      "confirmTwoFactor/old",
      "a code of ten minutes ago is accepted",
      ["two-factor.confirm.current", "two-factor.confirm.tfa_code", "two-factor.confirm"],
      editFeature("profile/two-factor")(
        "export function isCurrentCode(",
        "[now, now - period]",
        "Array.from({ length: 21 }, (_each, index) => now - index * period)",
      ),
    ],
  ]);
}

function tokens(): readonly Fault[] {
  return createFaults("rate", 63, [
    [
      "createInstance/per-token",
      "each token of a user has its own rate",
      ["instance.limits.create-rate-per-user", "instance.limits.create-rate"],
      editLimits("    createInstance: { rates:", 'name: "user"', 'name: "token"'),
    ],
  ]);
}

function isDotted(asked: ProxyRequest, types: readonly string[]): boolean {
  const body = bodyOf(asked);
  const target = body?.["target"];
  return types.includes(String(body?.["type"])) && typeof target === "string" && /[^.]\.$/.test(target);
}

function changed(
  asked: ProxyRequest,
  change: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): ProxyRequest {
  const body = bodyOf(asked);
  return body === undefined ? asked : { ...asked, body: JSON.stringify(change(body)) };
}

function without(body: Readonly<Record<string, unknown>>, field: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
}

function bodyOf({ body }: ProxyRequest): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function rejection(field: string): ProxyResponse {
  return {
    status: 400,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ errors: [{ field, reason: "is not valid" }] }),
  };
}
