import type { Rows } from "./rows.js";

/**
 * The storage of a resource: a table with the complete row as JSON in `doc`, and columns for look-ups, filters and orders. Every write derives the
 * columns from the row, so that the two never differ.
 */
export interface Table {
  /**
   * Whose rows they are. Those of an account have its name in their key, and every statement names it, so that a database can keep each account
   * in one place. Those of the platform are few, change seldom, and are the same for all accounts.
   */
  readonly of: "account" | "platform";
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
  /** Indexes of the rows of an account, by columns after the account. */
  readonly indexes?: readonly (readonly string[])[];
  /** Indexes of the rows of all accounts. */
  readonly surveys?: readonly (readonly string[])[];
  readonly unique?: readonly (readonly string[])[];
  /** A column whose values are unique on the platform. A directory has the account and the id of each, so that the database keeps them unique. */
  readonly directory?: string;
  /** The table of the platform whose rows every account has besides its own. */
  readonly besides?: TableName;
  /** The column by which rows are counted as they come and go, so that the total of a list does not depend on its length. */
  readonly counted?: string;
}

const ofUser = { id: "integer", of: "account", indexes: [["user"]] } as const;

const image = {
  label: "text",
  deprecated: "boolean",
  is_public: "boolean",
  size: "integer",
  type: "text",
  vendor: "text",
} as const;

export type Tables = Readonly<Record<TableName, Table>>;

export const tables: Tables = {
  settings: { of: "platform", id: "text", columns: {} },
  accounts: { of: "account", id: "text", columns: {} },
  users: { of: "account", id: "text", columns: {}, indexes: [[]], directory: "id" },
  tokens: {
    ...ofUser,
    columns: { user: "text", hash: "text", kind: "text", app: "integer", label: "text", created: "text" },
    indexes: [["user"], ["app"]],
    directory: "hash",
  },
  apps: { ...ofUser, columns: { user: "text", created: "text", expiry: "text" } },
  devices: { ...ofUser, columns: { user: "text", expiry: "text" } },
  logins: { ...ofUser, columns: { user: "text", datetime: "text" } },
  sshkeys: { ...ofUser, columns: { user: "text" } },
  preferences: { of: "account", id: "text", columns: { user: "text" } },
  messages: { of: "account", id: "integer", columns: { to: "text", sent: "text" }, indexes: [["sent"]] },
  instances: {
    of: "account",
    id: "integer",
    columns: { label: "text", region: "text", image: "text", group: "text", cluster: "integer" },
    lists: ["tags", "ipv4"],
    texts: ["label", "group"],
    counted: "account",
    indexes: [[], ["label"], ["region"], ["image"], ["group"], ["cluster"]],
  },
  addresses: {
    of: "account",
    id: "text",
    columns: { kind: "text", instance: "integer" },
    indexes: [["kind", "instance"], ["instance"]],
  },
  disks: { of: "account", id: "integer", columns: { instance: "integer" }, indexes: [["instance"]] },
  configs: { of: "account", id: "integer", columns: { instance: "integer", label: "text" }, indexes: [["instance"]] },
  backups: {
    of: "account",
    id: "integer",
    columns: { instance: "integer", type: "text", status: "text" },
    indexes: [["instance"]],
  },
  images: {
    of: "account",
    id: "text",
    columns: { number: "integer", ticket: "text", ...image },
    indexes: [[], ["number"]],
    directory: "ticket",
    besides: "public_images",
  },
  public_images: { of: "platform", id: "text", columns: { number: "integer", ticket: "text", ...image } },
  regions: { of: "platform", id: "text", columns: {} },
  tags: {
    of: "account",
    id: "integer",
    columns: { label: "text" },
    indexes: [[]],
    unique: [["label"]],
    counted: "account",
  },
  volumes: {
    of: "account",
    id: "integer",
    columns: { label: "text", compute_id: "integer", cluster: "integer" },
    lists: ["tags"],
    indexes: [[], ["compute_id"], ["cluster"]],
  },
  nodebalancers: {
    of: "account",
    id: "integer",
    columns: { label: "text", cluster: "integer" },
    lists: ["tags"],
    indexes: [["cluster"]],
    unique: [["label"]],
  },
  stackscripts: { of: "account", id: "integer", columns: {} },
  clusters: {
    of: "account",
    id: "integer",
    columns: { label: "text", region: "text", k8s_version: "text" },
    lists: ["tags"],
    unique: [["label"]],
  },
  pools: { of: "account", id: "integer", columns: { cluster: "integer" }, lists: ["tags"], indexes: [["cluster"]] },
  nodes: {
    of: "account",
    id: "text",
    columns: { pool: "integer", cluster: "integer", instance_id: "integer", position: "integer" },
    indexes: [["pool"], ["cluster"], ["instance_id"]],
  },
  domains: {
    of: "account",
    id: "integer",
    columns: { domain: "text", group: "text", key: "text" },
    lists: ["tags"],
    texts: ["domain", "group"],
    indexes: [[]],
    directory: "key",
    counted: "account",
  },
  records: {
    of: "account",
    id: "integer",
    columns: { domain: "integer", type: "text", name: "text", target: "text", tag: "text" },
    texts: ["name", "target"],
    indexes: [["domain", "type"]],
    counted: "domain",
  },
  zones: { of: "account", id: "integer", columns: {} },
  events: {
    of: "account",
    id: "integer",
    columns: {
      action: "text",
      created: "text",
      username: "text",
      "entity.id": "text",
      "entity.type": "text",
      "secondary_entity.id": "text",
      "secondary_entity.type": "text",
    },
    indexes: [[], ["created"]],
    surveys: [["created"]],
    counted: "account",
  },
  jobs: {
    of: "account",
    id: "integer",
    columns: { due: "integer", nature: "text", kind: "text", subject: "text" },
    indexes: [["due"], ["subject"], ["kind", "subject"]],
    surveys: [["due"], ["nature", "due"]],
  },
};

export type TableName = keyof Rows;

/** The directory of a table: the account and the id by the unique name. */
export function directoryOf(table: string, column: string): string {
  return `${table}_by_${column}`;
}

/** Tables of accounts besides those of resources: the items of lists, and the numbers of rows. */
export const derivedTables = ["items", "counts"] as const;

interface Directory {
  readonly name: string;
  readonly table: string;
  readonly column: string;
}

export function directoriesOf(of: Tables): readonly Directory[] {
  return Object.entries<Table>(of).flatMap(([table, { directory }]) =>
    directory === undefined ? [] : [{ name: directoryOf(table, directory), table, column: directory }],
  );
}

export const directories: readonly Directory[] = directoriesOf(tables);

/** All tables with rows. */
export const storedTables: readonly string[] = [
  ...Object.keys(tables),
  ...derivedTables,
  ...directories.map(({ name }) => name),
];

/** Sequences of unique numbers: ids of tables, and addresses. */
export type Sequence = TableName | "public_addresses" | "private_addresses";

/** Ids that a process of several takes from a sequence at once. */
export const idsAtOnce = 32;

export const sequences: readonly string[] = [...Object.keys(tables), "public_addresses", "private_addresses"];
