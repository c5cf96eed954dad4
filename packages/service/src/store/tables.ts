import type { Rows } from "./rows.js";

/**
 * The storage of a resource: a table with the complete row as JSON in `doc`, and columns for look-ups, filters and orders. Every write derives the
 * columns from the row, so that the two never differ.
 */
export interface Table {
  readonly id: "integer" | "text";
  /** By their path in the row. */
  readonly columns: Readonly<Record<string, "text" | "integer" | "boolean">>;
  /** Lists of texts in the row that can be searched for an item. Only for tables with integer ids. */
  readonly lists?: readonly string[];
  /**
   * Columns of texts that users choose, which `+contains` searches by an index. Only for tables with integer ids. A list has few different values of
   * other columns, or few rows.
   */
  readonly texts?: readonly string[];
  readonly indexes?: readonly (readonly string[])[];
  readonly unique?: readonly (readonly string[])[];
  /** The column by which rows are counted as they come and go, so that the total of a list does not depend on its length. */
  readonly counted?: string;
}

export const tables: Readonly<Record<TableName, Table>> = {
  settings: { id: "text", columns: {} },
  accounts: { id: "text", columns: {} },
  users: { id: "text", columns: { account: "text" }, indexes: [["account"]] },
  tokens: {
    id: "integer",
    columns: { user: "text", hash: "text", kind: "text", app: "integer", label: "text", created: "text" },
    indexes: [["user"], ["app"]],
    unique: [["hash"]],
  },
  apps: { id: "integer", columns: { user: "text", created: "text", expiry: "text" }, indexes: [["user"]] },
  devices: { id: "integer", columns: { user: "text", expiry: "text" }, indexes: [["user"]] },
  logins: { id: "integer", columns: { user: "text", datetime: "text" }, indexes: [["user"]] },
  sshkeys: { id: "integer", columns: { user: "text" }, indexes: [["user"]] },
  preferences: { id: "text", columns: { user: "text" } },
  messages: { id: "integer", columns: { to: "text", sent: "text" } },
  instances: {
    id: "integer",
    columns: { account: "text", label: "text", region: "text", image: "text", group: "text", cluster: "integer" },
    lists: ["tags", "ipv4"],
    texts: ["label", "group"],
    counted: "account",
    indexes: [
      ["account", "label"],
      ["account", "region"],
      ["account", "image"],
      ["account", "group"],
      ["account", "id"],
      ["cluster"],
    ],
  },
  addresses: {
    id: "text",
    columns: { account: "text", kind: "text", instance: "integer" },
    indexes: [["account", "kind", "instance"], ["instance"]],
  },
  disks: { id: "integer", columns: { instance: "integer" }, indexes: [["instance"]] },
  configs: { id: "integer", columns: { instance: "integer", label: "text" }, indexes: [["instance"]] },
  backups: { id: "integer", columns: { instance: "integer", type: "text", status: "text" }, indexes: [["instance"]] },
  images: {
    id: "text",
    columns: {
      account: "text",
      number: "integer",
      label: "text",
      deprecated: "boolean",
      is_public: "boolean",
      size: "integer",
      type: "text",
      vendor: "text",
      ticket: "text",
    },
    indexes: [["account"], ["is_public"], ["number"]],
    unique: [["ticket"]],
  },
  regions: { id: "text", columns: {} },
  tags: {
    id: "integer",
    columns: { account: "text", label: "text" },
    unique: [["account", "label"]],
    counted: "account",
  },
  volumes: {
    id: "integer",
    columns: { account: "text", label: "text", compute_id: "integer", cluster: "integer" },
    lists: ["tags"],
    indexes: [["account"], ["compute_id"], ["cluster"]],
  },
  nodebalancers: {
    id: "integer",
    columns: { account: "text", label: "text", cluster: "integer" },
    lists: ["tags"],
    indexes: [["cluster"]],
    unique: [["account", "label"]],
  },
  stackscripts: { id: "integer", columns: { account: "text" } },
  clusters: {
    id: "integer",
    columns: { account: "text", label: "text", region: "text", k8s_version: "text" },
    lists: ["tags"],
    unique: [["account", "label"]],
  },
  pools: {
    id: "integer",
    columns: { account: "text", cluster: "integer" },
    lists: ["tags"],
    indexes: [["cluster"]],
  },
  nodes: {
    id: "text",
    columns: { pool: "integer", cluster: "integer", instance_id: "integer", position: "integer" },
    indexes: [["pool"], ["cluster"], ["instance_id"]],
  },
  domains: {
    id: "integer",
    columns: { account: "text", domain: "text", group: "text", key: "text" },
    lists: ["tags"],
    texts: ["domain", "group"],
    indexes: [["account"]],
    unique: [["key"]],
    counted: "account",
  },
  records: {
    id: "integer",
    columns: { domain: "integer", type: "text", name: "text", target: "text", tag: "text" },
    texts: ["name", "target"],
    indexes: [["domain", "type"]],
    counted: "domain",
  },
  zones: { id: "integer", columns: {} },
  events: {
    id: "integer",
    columns: {
      account: "text",
      action: "text",
      created: "text",
      username: "text",
      "entity.id": "text",
      "entity.type": "text",
      "secondary_entity.id": "text",
      "secondary_entity.type": "text",
    },
    indexes: [["account", "id"], ["account", "created"], ["created"]],
    counted: "account",
  },
  jobs: {
    id: "integer",
    columns: { account: "text", due: "integer", nature: "text", kind: "text", subject: "text" },
    indexes: [["due"], ["account", "due"], ["nature", "due"], ["subject"], ["kind", "subject"]],
  },
};

export type TableName = keyof Rows;

/** Sequences of unique numbers: ids of tables, and addresses. */
export type Sequence = TableName | "public_addresses" | "private_addresses";

export const sequences: readonly string[] = [...Object.keys(tables), "public_addresses", "private_addresses"];
