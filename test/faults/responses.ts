import { editFeature, editSerializers } from "./edited-files.js";
import type { Fault } from "./fault.js";
import { withBody, type ProxyResponse } from "./proxy.js";

/** Faults of responses: missing, wrong and undocumented fields, errors, times. */
export const responseFaults: readonly Fault[] = [
  ...changed(36, "missing-field", [
    ["getInstance", "host_uuid", ["instance.host-uuid.type"], (body) => without(body, "host_uuid")],
    [
      "createInstance",
      "specs.gpus",
      ["instance.specs.object", "instance.specs.disk"],
      (body) => at(body, "specs", (specs) => without(specs, "gpus")),
    ],
    [
      "listInstanceBackups",
      "snapshot.in_progress",
      ["backup.listing.snapshot.in-progress"],
      (body) => at(body, "snapshot", (snapshot) => without(snapshot, "in_progress")),
    ],
    [
      "listInstanceConfigs",
      "data.root_device",
      ["config.root-device"],
      (body) => items(body, (config) => without(config, "root_device")),
    ],
    ["getImage", "is_public", ["image.is-public"], (body) => without(body, "is_public")],
    [
      "listRegions",
      "data.capabilities",
      ["region.capabilities.array"],
      (body) => items(body, (region) => without(region, "capabilities")),
    ],
    ["listClusters", "pages", ["list.pages.integer", "list.pages.total"], (body) => without(body, "pages")],
    [
      "getClusterPool",
      "autoscaler.max",
      ["pool.reply.open"],
      (body) => at(body, "autoscaler", (autoscaler) => without(autoscaler, "max")),
    ],
    [
      "getProfile",
      "referrals",
      ["profile.referrals.type", "profile.reply-fields"],
      (body) => without(body, "referrals"),
    ],
    ["getDomainRecord", "priority", ["record.priority.meaning"], (body) => without(body, "priority")],
    [
      "listEvents",
      "data.action",
      ["event.fields.open", "event.list.open"],
      (body) => items(body, (event) => without(event, "action")),
    ],
  ]),
  ...changed(37, "wrong-type", [
    ["getInstance", "id", ["instance.id.type"], (body) => at(body, "id", String)],
    [
      "updateInstance",
      "alerts.cpu",
      ["instance.alerts.cpu", "instance.alerts.integers"],
      (body) => at(body, "alerts", (alerts) => at(alerts, "cpu", () => null)),
    ],
    ["createInstanceSnapshot", "configs", ["backup.configs"], (body) => at(body, "configs", () => null)],
    ["listImages", "data.size", ["image.size"], (body) => items(body, (image) => at(image, "size", String))],
    ["listTags", "results", ["list.results.integer"], (body) => at(body, "results", String)],
    [
      "getCluster",
      "control_plane.high_availability",
      ["cluster.ha.type"],
      (body) => at(body, "control_plane", (plane) => at(plane, "high_availability", String)),
    ],
    [
      "getDomain",
      "tags",
      ["domain.tags.type"],
      (body) => at(body, "tags", (tags) => (Array.isArray(tags) ? tags.join(",") : tags)),
    ],
    [
      "getZoneFile",
      "zone_file",
      ["zone-file.response", "zone-file.lines"],
      (body) => at(body, "zone_file", () => null),
    ],
    ["getInstance", "status", ["instance.status.values"], (body) => at(body, "status", () => "busy")],
  ]),
  ...changed(38, "more-fields", [
    [
      "getInstance",
      "owner",
      ["instance.get.response", "instance.get.operation"],
      (body) => withField(body, "owner", "admin"),
    ],
    [
      "createImage",
      "disk_id",
      ["image.create.operation", "image.create.response"],
      (body) => withField(body, "disk_id", 1),
    ],
    [
      "listTokens",
      "data.user",
      ["token.list.reply", "token.list"],
      (body) => items(body, (token) => withField(token, "user", "admin")),
    ],
    ["getClusterNode", "ip", ["node.reply.open", "node.get.operation"], (body) => withField(body, "ip", "198.18.0.1")],
    ["getDomain", "serial", ["domains.read", "domains.read.response"], (body) => withField(body, "serial", 2026010100)],
    [
      "deleteTag",
      "deleted",
      ["answer.empty.deletes", "tag.delete.operation"],
      (body) => withField(body, "deleted", true),
    ],
    ["listRegions", "next", ["list.envelope", "region.list.reply"], (body) => withField(body, "next", null)],
  ]),
  ...secrets(),
  ...changed(43, "time", [
    [
      "getInstance",
      "created",
      ["format.date.iso", "format.date.utc", "instance.created.type"],
      (body) => at(body, "created", zoneless),
    ],
    [
      "getImage",
      "created",
      ["format.date.iso", "format.date.utc", "image.created"],
      (body) => at(body, "created", (time) => Date.parse(String(time)) / 1000),
    ],
    [
      "createToken",
      "created",
      ["format.date.iso", "format.date.utc", "token.created"],
      (body) => at(body, "created", offset),
    ],
    [
      "getDomainRecord",
      "updated",
      ["format.date.iso", "format.date.utc", "record.updated"],
      (body) => at(body, "updated", (time) => String(time).replace("T", " ")),
    ],
    [
      "listEvents",
      "data.created",
      ["format.date.iso", "format.date.utc", "event.fields.open"],
      (body) => items(body, (event) => at(event, "created", zoneless)),
    ],
    [
      "getSSHKey",
      "created",
      ["format.date.iso", "format.date.utc", "sshkey.created"],
      (body) => at(body, "created", (time) => new Date(String(time)).toUTCString()),
    ],
  ]),
];

type Change = (body: unknown) => unknown;

/** Faults of successful JSON responses. */
function changed(
  number: number,
  what: string,
  rows: readonly (readonly [operation: string, field: string, requirements: readonly string[], change: Change])[],
): readonly Fault[] {
  return rows.map(([operation, field, requirements, change]) => ({
    id: `${what}/${operation}/${field}`,
    class: number,
    operation,
    requirements,
    description: `${field} of the response: ${what.replaceAll("-", " ")}`,
    wire: {
      onResponse: (answer): ProxyResponse =>
        answer.status >= 300 || answer.body === "" ? answer : withBody(answer, change(JSON.parse(answer.body))),
    },
  }));
}

function secrets(): readonly Fault[] {
  const full = [
    {
      ...editFeature("profile/credential-handlers")(
        "createToken: async",
        "...tokenFields(secret)",
        "...tokenFields(secret), token: secret",
      ),
    },
    editSerializers(
      "function serializeToken(",
      'truncate(serializeScalar(fields["token"]), 16)',
      'serializeScalar(fields["token"])',
    ),
  ];
  const requirements = ["token.token.full-once", "token.token.first-16", "token.token"];
  return [
    {
      id: "secret/getToken",
      class: 39,
      operation: "getToken",
      requirements,
      description: "a token is shown in full in every read",
      edits: full,
    },
    {
      id: "secret/listTokens",
      class: 39,
      operation: "listTokens",
      requirements,
      description: "tokens are listed in full",
      edits: full,
    },
    {
      id: "secret/updateToken",
      class: 39,
      operation: "updateToken",
      requirements,
      description: "a token is shown in full when it is renamed",
      edits: full,
    },
    {
      id: "secret/createInstance",
      class: 39,
      operation: "createInstance",
      requirements: ["instance.create.root-pass", "instance.create.response", "instance.create.operation"],
      description: "the password of the request is in the response",
      wire: {
        onResponse: (answer, asked): ProxyResponse => {
          if (answer.status !== 200) return answer;
          const sent = JSON.parse(asked.body) as { readonly root_pass?: unknown };
          return sent.root_pass === undefined
            ? answer
            : withBody(answer, withField(JSON.parse(answer.body), "root_pass", sent.root_pass));
        },
      },
    },
    {
      id: "secret/confirmTwoFactor",
      class: 39,
      operation: "confirmTwoFactor",
      requirements: ["two-factor.confirm.reply", "two-factor.confirm"],
      description: "the secret is in the response with the scratch code",
      wire: {
        onResponse: (answer): ProxyResponse =>
          answer.status === 200
            ? withBody(answer, withField(JSON.parse(answer.body), "secret", "JBSWY3DPEHPK3PXP"))
            : answer,
      },
    },
  ];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function without(value: unknown, field: string): unknown {
  return Object.fromEntries(Object.entries(fieldsOf(value)).filter(([name]) => name !== field));
}

function withField(value: unknown, field: string, now: unknown): unknown {
  return { ...fieldsOf(value), [field]: now };
}

function at(value: unknown, field: string, change: Change): unknown {
  const fields = fieldsOf(value);
  return field in fields ? { ...fields, [field]: change(fields[field]) } : value;
}

function items(value: unknown, change: Change): unknown {
  return at(value, "data", (data) => (Array.isArray(data) ? data.map(change) : data));
}

function zoneless(time: unknown): unknown {
  return typeof time === "string" ? time.replace("Z", "") : time;
}

function offset(time: unknown): unknown {
  return typeof time === "string" ? time.replace("Z", "+00:00") : time;
}
