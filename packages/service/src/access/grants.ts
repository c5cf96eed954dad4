import type { EntityGrant, Grants } from "@cloud-compute/server";
import type { UnitOfWork } from "../unit-of-work.js";
import type { Caller } from "./caller.js";

/** The lists of the grants, and the type of their entities in events. */
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

/** A new user holds nothing. */
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

/** The grants of a user as the server checks them: images have their complete id. */
export async function grantsOf({ user }: Caller, { tx }: UnitOfWork): Promise<HeldGrants> {
  const { grants } = await tx.users.getOrThrow(user);
  return { ...grants, image: grants.image.map((each) => ({ ...each, id: `private/${each.id}` })) };
}

export interface HeldGrants extends Omit<Grants, "image"> {
  readonly image: readonly { readonly id: string; readonly permissions: EntityGrant["permissions"] }[];
}

/** The ids that a restricted user may read, by the kind that events use. */
export async function grantedIds(
  caller: Caller,
  work: UnitOfWork,
): Promise<readonly { readonly type: string; readonly ids: readonly (number | string)[] }[]> {
  const grants = await grantsOf(caller, work);
  return (Object.keys(entityKinds) as EntityKind[]).map((kind) => ({
    type: entityKinds[kind],
    ids: grants[kind].flatMap(({ id, permissions }) => (permissions === null ? [] : [id])),
  }));
}

/** Deletes all grants on a deleted entity. */
export async function grantsEnd(
  { tx }: Pick<UnitOfWork, "tx">,
  { account, kind, id }: { readonly account: string; readonly kind: EntityKind; readonly id: number | null },
): Promise<void> {
  for (const user of await tx.users.find({ account })) {
    const remaining = user.grants[kind].filter((each) => each.id !== id);
    if (remaining.length < user.grants[kind].length)
      await tx.users.update({ ...user, grants: { ...user.grants, [kind]: remaining } });
  }
}

/** Grants a restricted user read_write on an entity that it created. */
export async function grantCreator(
  caller: Caller,
  work: UnitOfWork,
  entity: { readonly kind: EntityKind; readonly id: number; readonly label: string },
): Promise<void> {
  if (!caller.restricted) return;
  const { kind, id, label } = entity;
  const user = await work.tx.users.getOrThrow(caller.user);
  const entries = [
    ...user.grants[kind].filter((each) => each.id !== id),
    { id, label, permissions: "read_write" as const },
  ];
  await work.tx.users.update({ ...user, grants: { ...user.grants, [kind]: entries } });
}
