import { editChecks } from "./edited-files.js";
import type { Fault, WireChange } from "./fault.js";
import { withBody, type ProxyResponse } from "./proxy.js";

const errorShape = ["error.body", "error.errors.array", "error.reason.string"];

const failed: ProxyResponse = {
  status: 500,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ errors: [{ reason: "The service failed" }] }),
};

/** Faults of HTTP: bodies, media types, methods, status codes, ids in paths, error bodies. */
export const httpFaults: readonly Fault[] = [
  ...wired(
    30,
    "malformed-500",
    "a body that is not JSON gives 500",
    { onRequest: (asked) => (isJson(asked.body) ? asked : failed) },
    [
      ["createInstance", ["format.json.requests", "error.400.validation", "instance.create.body"]],
      ["updateProfile", ["format.json.requests", "error.400.validation", "profile.update.request"]],
      ["createDomainRecord", ["format.json.requests", "error.400.validation", "records.create"]],
      ["updateCluster", ["format.json.requests", "error.400.validation", "cluster.update.request"]],
    ],
  ),
  ...wired(
    31,
    "media-type",
    "a body of any media type is read as JSON",
    { onRequest: (asked) => ({ ...asked, headers: { ...asked.headers, "content-type": "application/json" } }) },
    [
      ["createTag", ["format.content-type", "tag.create.operation"]],
      ["updateImage", ["format.content-type", "image.update.operation"]],
      ["createToken", ["format.content-type", "token.create"]],
      ["createDomain", ["format.content-type", "domains.create"]],
    ],
  ),
  ...wired(
    32,
    "method-404",
    "an undocumented method gets 404",
    {
      anyMethod: true,
      onResponse: (answer) =>
        answer.status === 405 ? withBody({ ...answer, status: 404 }, { errors: [{ reason: "Not found" }] }) : answer,
    },
    [
      ["bootInstance", ["instance.boot.operation"]],
      ["getRegion", ["region.get.operation"]],
    ],
  ),
  ...wired(
    32,
    "no-allow",
    "405 has no Allow",
    {
      anyMethod: true,
      onResponse: (answer) =>
        answer.status === 405
          ? {
              ...answer,
              headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name !== "allow")),
            }
          : answer,
    },
    [
      ["listTags", ["tag.list.operation"]],
      ["getZoneFile", ["zone-file.read"]],
    ],
  ),
  ...wired(
    33,
    "success-201",
    "a creation gets 201",
    { onResponse: (answer) => (answer.status === 200 ? { ...answer, status: 201 } : answer) },
    [
      ["createInstance", ["instance.create.response", "instance.create.operation"]],
      ["createCluster", ["cluster.create.operation", "answer.status.open"]],
      ["createDomain", ["domains.create", "answer.status.open"]],
    ],
  ),
  ...wired(
    33,
    "success-204",
    "a deletion gets 204 without a body",
    { onResponse: (answer) => (answer.status === 200 ? { ...answer, status: 204, body: "" } : answer) },
    [
      ["deleteImage", ["answer.empty.deletes", "image.delete.operation"]],
      ["deleteDomainRecord", ["answer.empty.deletes", "records.delete"]],
    ],
  ),
  ...wired(
    33,
    "not-204",
    "the grants of an unrestricted user are an empty object",
    {
      onResponse: (answer) =>
        answer.status === 204
          ? withBody({ ...answer, status: 200, headers: { ...answer.headers, "content-type": "application/json" } }, {})
          : answer,
    },
    [["getGrants", ["answer.204.grants", "grants.get"]]],
  ),
  ...wired(
    33,
    "no-json-type",
    "the response has the media type of text",
    { onResponse: (answer) => ({ ...answer, headers: { ...answer.headers, "content-type": "text/plain" } }) },
    [["listKubeVersions", ["format.json.answers", "version.list.operation"]]],
  ),
  {
    id: "oversized/updatePreferences",
    class: 34,
    operation: "updatePreferences",
    requirements: ["preferences.length", "limits.preferences", "preferences.update"],
    description: "preferences of any size are stored",
    edits: [editChecks("export function checkPreferences(", 'addIssue(issues, "serialized", 65535);', ";")],
  },
  ...wired(
    35,
    "odd-id-500",
    "an id that is not a number gives 500",
    { onRequest: (asked) => (/\/[^/?]*[^/?0-9][^/?]*(?:\?|$)/.test(asked.target) ? failed : asked) },
    [
      ["getInstance", ["id.path.compute", "instance.get.operation", "error.404.missing"]],
      ["getDomain", ["domains.read", "error.404.missing", "domain.id.type"]],
      ["deleteToken", ["token.delete", "error.404.missing", "token.id"]],
      ["getCluster", ["cluster.get.operation", "error.404.missing", "cluster.id.type"]],
    ],
  ),
  ...wired(
    40,
    "error-body",
    "an error is an object with a message",
    { onResponse: (answer) => (answer.status >= 400 ? withBody(answer, { message: "Something is wrong" }) : answer) },
    [
      ["createInstance", errorShape],
      ["getDomain", errorShape],
      ["listEvents", errorShape],
    ],
  ),
  ...wired(
    40,
    "error-texts",
    "errors are a list of texts",
    { onResponse: onErrors((entries) => entries.map(({ reason }) => reason)) },
    [
      ["updateCluster", errorShape],
      ["createTag", errorShape],
      ["createSSHKey", errorShape],
    ],
  ),
  ...wired(
    41,
    "first-only",
    "of several errors only the first is reported",
    { onResponse: onErrors((entries) => entries.slice(0, 1)) },
    [
      ["createInstance", ["error.errors.each"]],
      ["createDomain", ["error.errors.each"]],
      ["createCluster", ["error.errors.each"]],
    ],
  ),
  ...wired(
    41,
    "other-field",
    "errors name another field",
    {
      onResponse: onErrors((entries) =>
        entries.map(({ field, ...rest }) => (field === undefined ? rest : { ...rest, field: "body" })),
      ),
    },
    [
      ["updateInstance", ["error.field.cause"]],
      ["createDomainRecord", ["error.field.cause"]],
      ["createToken", ["error.field.cause"]],
    ],
  ),
  ...wired(
    41,
    "last-part",
    "errors name only the last segment of a field",
    {
      onResponse: onErrors((entries) =>
        entries.map(({ field, ...rest }) =>
          typeof field === "string" ? { ...rest, field: field.split(".").at(-1) } : rest,
        ),
      ),
    },
    [
      ["createClusterPool", ["error.field.path"]],
      ["createInstanceConfig", ["error.field.path"]],
    ],
  ),
  ...wired(
    42,
    "stack",
    "an error reveals its location in the code",
    {
      onResponse: onErrors((entries) =>
        entries.map((entry) => ({
          ...entry,
          stack: "Error: refused\n    at createInstance (/srv/api/instances.js:12:9)",
        })),
      ),
    },
    [
      ["createInstance", ["error.body", "error.errors.array"]],
      ["getImage", ["error.body", "error.errors.array"]],
      ["updateDomain", ["error.body", "error.errors.array"]],
    ],
  ),
];

type Entry = Readonly<Record<string, unknown>>;

function wired(
  number: number,
  what: string,
  description: string,
  wire: WireChange,
  rows: readonly (readonly [operation: string, requirements: readonly string[]])[],
): readonly Fault[] {
  return rows.map(([operation, requirements]) => ({
    id: `${what}/${operation}`,
    class: number,
    operation,
    requirements,
    description,
    wire,
  }));
}

function onErrors(change: (entries: readonly Entry[]) => unknown): (answer: ProxyResponse) => ProxyResponse {
  return (answer) => {
    if (answer.status < 400) return answer;
    const { errors } = JSON.parse(answer.body) as { readonly errors: readonly Entry[] };
    return withBody(answer, { errors: change(errors) });
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return text === "";
  }
}
