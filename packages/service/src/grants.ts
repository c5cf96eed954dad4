import type { EntityGrant, Grants } from "@cloud-compute/server";
import type { Caller, Work } from "./work.js";

/** The lists of the grants, and what their entities are called in events. */
export const entityKinds: Readonly<Record<EntityKind, string>> = {
  domain: "domain",
  image: "image",
  compute: "compute",
  longview: "longview",
  nodebalancer: "nodebalancer",
  stackscript: "stackscript",
  volume: "volume",
};

export type EntityKind = Exclude<keyof Grants, "global">;

/** What a new user holds: nothing. */
export const noGrants: Grants = {
  global: {
    account_access: null,
    add_databases: false,
    add_domains: false,
    add_firewalls: false,
    add_images: false,
    add_computes: false,
    add_longview: false,
    add_nodebalancers: false,
    add_stackscripts: false,
    add_volumes: false,
    cancel_account: false,
    longview_subscription: false,
  },
  domain: [],
  image: [],
  compute: [],
  longview: [],
  nodebalancer: [],
  stackscript: [],
  volume: [],
};

/** The grants of a user as the server judges by them: images go by their whole id. */
export async function grantsOf({ user }: Caller, { tx }: Work): Promise<HeldGrants> {
  const { grants } = await tx.users.only(user);
  return { ...grants, image: grants.image.map((each) => ({ ...each, id: `private/${each.id}` })) };
}

export interface HeldGrants extends Omit<Grants, "image"> {
  readonly image: readonly { readonly id: string; readonly permissions: EntityGrant["permissions"] }[];
}

/** What a restricted user may read, by kind as events name it. */
export async function grantedIds(
  caller: Caller,
  work: Work,
): Promise<readonly { readonly type: string; readonly ids: readonly (number | string)[] }[]> {
  const held = await grantsOf(caller, work);
  return (Object.keys(entityKinds) as EntityKind[]).map((kind) => ({
    type: entityKinds[kind],
    ids: held[kind].flatMap(({ id, permissions }) => (permissions === null ? [] : [id])),
  }));
}

/** Nobody holds anything on what is gone. */
export async function grantsEnd(
  { tx }: Pick<Work, "tx">,
  { account, kind, id }: { readonly account: string; readonly kind: EntityKind; readonly id: number | null },
): Promise<void> {
  for (const user of await tx.users.find({ account })) {
    const left = user.grants[kind].filter((each) => each.id !== id);
    if (left.length < user.grants[kind].length)
      await tx.users.put({ ...user, grants: { ...user.grants, [kind]: left } });
  }
}

/** A restricted user who makes something gets read_write on it. */
export async function grantCreator(
  caller: Caller,
  work: Work,
  made: { readonly kind: EntityKind; readonly id: number; readonly label: string },
): Promise<void> {
  if (!caller.restricted) return;
  const { kind, id, label } = made;
  const user = await work.tx.users.only(caller.user);
  const entries = [
    ...user.grants[kind].filter((each) => each.id !== id),
    { id, label, permissions: "read_write" as const },
  ];
  await work.tx.users.put({ ...user, grants: { ...user.grants, [kind]: entries } });
}
