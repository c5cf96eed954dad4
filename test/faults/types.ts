import { createFaults } from "./create-faults.js";
import { editChecks } from "./edited-files.js";
import type { SourceEdit, Fault } from "./fault.js";

/** Faults of required fields and JSON types. */
export const typeFaults: readonly Fault[] = [...required(), ...coerced(), ...nulls()];

/** A missing required field gets an invented value. */
function required(): readonly Fault[] {
  const absent = (of: string, field: string, variable: string, made: string): SourceEdit =>
    editChecks(
      of,
      `addIssueAt(issues, "${field}", "required");`,
      `if (${variable} !== null) value["${field}"] = ${made}; else addIssueAt(issues, "${field}", "required");`,
    );
  return createFaults("required", 19, [
    [
      "createInstance/region",
      "without a region it is us-east",
      ["instance.create.region-required"],
      absent("export function checkSentInstanceCreate(", "region", "regionValue", '"us-east"'),
    ],
    [
      "createInstance/type",
      "without a type it is the smallest",
      ["instance.create.type-required"],
      absent("export function checkSentInstanceCreate(", "type", "typeValue", '"g6-nanode-1"'),
    ],
    [
      "createInstanceSnapshot/label",
      "without a label it is called snapshot",
      ["backup.snapshot.label.required"],
      absent("export function checkSentSnapshotCreate(", "label", "labelValue", '"snapshot"'),
    ],
    [
      "createInstanceConfig/label",
      "without a label it is called config",
      ["config.label.required"],
      absent("export function checkSentConfigCreate(", "label", "labelValue", '"config"'),
    ],
    [
      "createInstanceConfig/devices",
      "without devices it has none",
      ["config.devices.required"],
      absent("export function checkSentConfigCreate(", "devices", "devicesValue", "{}"),
    ],
    [
      "uploadImage/region",
      "without a region it is us-east",
      ["image.upload.region.required"],
      absent("export function checkSentImageUpload(", "region", "regionValue", '"us-east"'),
    ],
    [
      "createCluster/node_pools",
      "without pools it has none",
      ["cluster.create.required.pools", "cluster.pools.required"],
      absent("export function checkSentClusterCreate(", "node_pools", "nodePoolsValue", "[]"),
    ],
    [
      "createCluster/label",
      "without a label it is called cluster",
      ["cluster.create.required.label"],
      absent("export function checkSentClusterCreate(", "label", "labelValue", '"cluster"'),
    ],
    [
      "createSSHKey/label",
      "without a label it is called key",
      ["sshkey.create.label", "sshkey.create"],
      absent("export function checkSentSSHKeyCreate(", "label", "labelValue", '"key"'),
    ],
    [
      "createTag/label",
      "without a label it is called tag",
      ["tag.create.label"],
      absent("export function checkSentTagCreate(", "label", "labelValue", '"tag"'),
    ],
  ]);
}

/** Values of another type are coerced. */
function coerced(): readonly Fault[] {
  const read = (of: string, line: string, field: string, how: string): SourceEdit =>
    editChecks(of, line, `${how.replaceAll("$", `value["${field}"]`)};\n        ${line}`);
  const number = 'if (typeof $ === "string" && $ !== "" && !Number.isNaN(Number($))) $ = Number($)';
  const text = 'if (typeof $ === "number") $ = String($)';
  return createFaults("coerced", 21, [
    [
      "createInstance/swap_size",
      '"512" counts as 512',
      ["instance.create.swap-size"],
      read(
        "export function checkSentInstanceCreate(",
        'const swapSizeValue = value["swap_size"];',
        "swap_size",
        `${number}; else if ($ !== undefined && $ !== null && typeof $ !== "number") $ = 512`,
      ),
    ],
    [
      "createInstance/booted",
      "any value counts as a boolean",
      ["instance.create.booted"],
      read(
        "export function checkSentInstanceCreate(",
        'const bootedValue = value["booted"];',
        "booted",
        "if ($ !== undefined && $ !== null) $ = Boolean($)",
      ),
    ],
    [
      "createInstance/group",
      "a number counts as a text",
      ["instance.create.group"],
      read(
        "export function checkSentInstanceCreate(",
        'const groupValue = value["group"];',
        "group",
        "if ($ !== undefined && $ !== null) $ = String($)",
      ),
    ],
    [
      "updateInstance/watchdog_enabled",
      "any value counts as a boolean",
      ["instance.update.watchdog"],
      read(
        "export function checkSentInstanceUpdate(",
        'const watchdogEnabledValue = value["watchdog_enabled"];',
        "watchdog_enabled",
        "if ($ !== undefined && $ !== null) $ = Boolean($)",
      ),
    ],
    [
      "createInstanceConfig/comments",
      "a number counts as a text",
      ["config.create.comments"],
      read(
        "export function checkSentConfigCreate(",
        'const commentsValue = value["comments"];',
        "comments",
        "if ($ !== undefined && $ !== null) $ = String($)",
      ),
    ],
    [
      "updateProfile/email_notifications",
      "any value counts as a boolean",
      ["profile.update.email_notifications"],
      read(
        "export function checkSentProfileUpdate(",
        'const emailNotificationsValue = value["email_notifications"];',
        "email_notifications",
        "if ($ !== undefined && $ !== null) $ = Boolean($)",
      ),
    ],
    [
      "createToken/label",
      "a number counts as a text",
      ["token.create.label"],
      read(
        "export function checkSentTokenCreate(",
        'const labelValue = value["label"];',
        "label",
        `${text}; else if ($ !== undefined && $ !== null) $ = String($)`,
      ),
    ],
    [
      "createDomainRecord/ttl_sec",
      '"300" counts as 300',
      ["record.ttl_sec.type"],
      read(
        "export function checkSentDomainRecordCreate(",
        'const ttlSecValue = value["ttl_sec"];',
        "ttl_sec",
        `${number}; else if ($ !== undefined && $ !== null && typeof $ !== "number") $ = 300`,
      ),
    ],
  ]);
}

function nulls(): readonly Fault[] {
  const forbidden = (of: string, find: string, replace: string): SourceEdit => editChecks(of, find, replace);
  const create = "export function checkSentInstanceCreate(";
  return [
    ...createFaults("null-accepted", 22, [
      [
        "createInstance/authorized_keys",
        "null is accepted as a key",
        ["instance.create.authorized-keys"],
        forbidden(
          create,
          "const item = authorizedKeysValue[index];",
          'const item = (authorizedKeysValue[index] ??= "");',
        ),
      ],
      [
        "createInstance/tags",
        "null is accepted as a tag",
        ["instance.create.tags"],
        forbidden(create, "const item = tagsValue[index];", 'const item = (tagsValue[index] ??= "null");'),
      ],
      [
        "createSSHKey/label",
        "null is accepted for a required label",
        ["sshkey.create.label", "sshkey.create"],
        forbidden(
          "export function checkSentSSHKeyCreate(",
          'addIssueAt(issues, "label", "required");',
          'if (labelValue === null) value["label"] = "null"; else addIssueAt(issues, "label", "required");',
        ),
      ],
      [
        "createInstanceSnapshot/label",
        "null is accepted for a required label",
        ["backup.snapshot.label.required"],
        forbidden(
          "export function checkSentSnapshotCreate(",
          'addIssueAt(issues, "label", "required");',
          'if (labelValue === null) value["label"] = "null"; else addIssueAt(issues, "label", "required");',
        ),
      ],
    ]),
    ...createFaults("null-rejected", 23, [
      [
        "createInstanceConfig/comments",
        "null is rejected, though comments may be null",
        ["config.comments.nullable", "config.create.comments"],
        editChecks(
          "export function checkSentConfigCreate(",
          'typeof commentsValue !== "string" && commentsValue !== null',
          'typeof commentsValue !== "string"',
        ),
      ],
      [
        "updateImage/description",
        "null is rejected, though a description may be null",
        ["image.update.description.nullable"],
        editChecks("export function checkImageUpdate(", "else if (descriptionValue !== null)", "else"),
      ],
      [
        "updateProfile/authorized_keys",
        "null is rejected, though the keys may be null",
        ["profile.update.authorized_keys", "profile.authorized_keys.nullable"],
        editChecks("export function checkSentProfileUpdate(", "else if (authorizedKeysValue !== null)", "else"),
      ],
      [
        "createToken/expiry",
        "null is rejected, though an expiry may be null",
        ["token.create.expiry", "token.create.no-expiry", "token.expiry.nullable"],
        editChecks("export function checkSentTokenCreate(", "else if (expiryValue !== null)", "else"),
      ],
      [
        "createInstance/label",
        "null is rejected, though it counts as absent",
        ["instance.create.label", "instance.label.default"],
        editChecks(create, "if (labelValue !== undefined && labelValue !== null) {", "if (labelValue !== undefined) {"),
      ],
      [
        "createDomain/group",
        "null is rejected, though it counts as absent",
        ["domain.group.length", "domains.create", "domains.request.fields"],
        editChecks(
          "export function checkSentDomainCreate(",
          "if (groupValue !== undefined && groupValue !== null) {",
          "if (groupValue !== undefined) {",
        ),
      ],
    ]),
  ];
}
