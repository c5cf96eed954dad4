import type { InstanceType, Kernel, KubeVersion, ResourceLoaders, SecurityQuestion } from "@cloud-compute/server";
import type { LoadQuery } from "@plumbline/server-runtime";
import type { Context, StoredRows } from "../context.js";
import { stateOfImage } from "../features/images/lifecycle.js";
import { poolResponses } from "../features/kube/lifecycle.js";
import {
  isRecent,
  isRemembered,
  phoneState,
  profileOf,
  securityQuestions,
  twoFactorState,
} from "../features/profile/lifecycle.js";
import { instanceTypes, kernels, kubeVersions } from "../platform/catalogue.js";
import type { Rows, UserRow } from "../store/rows.js";
import type { TableName } from "../store/tables.js";

/** How to look up the resources that a request names, and who owns them. */
export const resources: ResourceLoaders<Context, StoredRows> = {
  Instance: {
    load: rows("instances"),
    owner: ({ account }) => ({ account }),
    states: { InstanceStatus: ({ state }) => state },
  },
  Backup: { load: rows("backups"), parent: ({ instance }) => instance },
  Config: { load: rows("configs"), parent: ({ instance }) => instance },
  Image: {
    load: rows("images"),
    owner: ({ account }) => ({ account: account ?? "" }),
    states: { ImageStatus: stateOfImage },
  },
  Region: { load: rows("regions") },
  Tag: {
    load: async (query, { work, caller }) => {
      // A label identifies a tag within an account.
      const account = caller?.account.id ?? null;
      return work.tx.tags.find({ account, [query.by]: { in: query.values } });
    },
    owner: ({ account }) => ({ account }),
  },
  Domain: { load: rows("domains"), owner: ({ account }) => ({ account }) },
  Volume: { load: rows("volumes"), owner: ({ account }) => ({ account }) },
  NodeBalancer: { load: rows("nodebalancers"), owner: ({ account }) => ({ account }) },
  Cluster: { load: rows("clusters"), owner: ({ account }) => ({ account }) },
  Node: { load: rows("nodes"), parent: ({ pool }) => pool },
  Pool: {
    load: async ({ by, values }, { work }) => poolResponses(work, await work.tx.pools.findIn(by, values)),
    parent: ({ cluster }) => cluster,
  },
  KubeVersion: { load: ({ values }) => withIds<KubeVersion>(kubeVersions, values) },
  Profile: {
    own: async ({ work, caller }) => {
      const user = await work.tx.users.get(caller?.user ?? "");
      return user && profileOf(user, work);
    },
    states: {
      PhoneVerification: ({ user, asOf }) => phoneState(user, asOf),
      SecurityAnswering: ({ user }) => (Object.keys(user.answers).length > 0 ? "answered" : "unanswered"),
      TwoFactor: ({ user, asOf }) => twoFactorState(user, asOf),
    },
  },
  App: { load: rows("apps"), owner: ({ user }) => ({ user }) },
  Device: { load: rowsThat("devices", isRemembered), owner: ({ user }) => ({ user }) },
  Login: { load: rowsThat("logins", isRecent), owner: ({ user }) => ({ user }) },
  SecurityQuestion: { load: ({ values }) => withIds<SecurityQuestion>(securityQuestions, values) },
  SSHKey: { load: rows("sshkeys"), owner: ({ user }) => ({ user }) },
  // Access tokens of apps are not listed as tokens.
  Token: { load: rowsThat("tokens", ({ kind }) => kind === "personal"), owner: ({ user }) => ({ user }) },
  DomainRecord: { load: rows("records"), parent: ({ domain }) => domain },
  Event: { load: rows("events"), owner: ({ account }) => ({ account }) },
  User: {
    load: async ({ values }, { work }) => (await work.tx.users.findIn("id", values)).map(userResponse),
    owner: ({ account }) => ({ account: account.name }),
  },
  InstanceType: { load: ({ values }) => withIds<InstanceType>(instanceTypes, values) },
  StackScript: { load: rows("stackscripts"), owner: ({ account }) => ({ account }) },
  Disk: { load: rows("disks"), parent: ({ instance }) => instance },
  Kernel: { load: ({ values }) => withIds<Kernel>(kernels, values) },
};

function rows<Name extends TableName>(name: Name) {
  return ({ by, values }: LoadQuery<string | number>, { work }: Context): Rows[Name][] | Promise<Rows[Name][]> =>
    // A collection returns rows of its name. TypeScript cannot infer that for a type parameter.
    work.tx[name].load(by, values) as Rows[Name][] | Promise<Rows[Name][]>;
}

/** Rows that exist only while a condition holds. */
function rowsThat<Name extends TableName>(name: Name, holds: (row: Rows[Name], work: Context["work"]) => boolean) {
  const load = rows(name);
  return async (query: LoadQuery<string | number>, context: Context): Promise<Rows[Name][]> =>
    (await load(query, context)).filter((row) => holds(row, context.work));
}

function withIds<Row extends { readonly id: string | number }>(
  all: readonly Row[],
  ids: readonly (string | number)[],
): Row[] {
  return all.filter(({ id }) => ids.includes(id));
}

function userResponse({ id, account, profile }: UserRow): StoredRows["User"] {
  return { username: id, restricted: profile.restricted, account: { name: account } };
}
