import type { EntityGrant, Grants } from "@cloud-compute/server";
import type { Area } from "../context.js";
import { entityKinds, type EntityKind } from "../grants.js";
import type { UserRow } from "../store/rows.js";
import type { Work } from "../work.js";
import { userOf } from "./users.js";

export const grantsShown: Area<"getGrants"> = {
  getGrants: async (_input, context) => {
    const user = await userOf(context);
    if (!user.profile.restricted) return { status: 204 };
    return { status: 200, body: await shownGrants(context.work, user) };
  },
};

/** What a user holds on what is still there, by the names that it has now. */
export async function shownGrants(work: Pick<Work, "tx">, { grants, account }: UserRow): Promise<Grants> {
  const shown: Grants = { ...grants };
  for (const kind of Object.keys(entityKinds) as EntityKind[])
    shown[kind] = await named(work, grants[kind], { kind, account });
  return shown;
}

async function named(
  work: Pick<Work, "tx">,
  held: readonly EntityGrant[],
  { kind, account }: { readonly kind: EntityKind; readonly account: string },
): Promise<EntityGrant[]> {
  if (held.length === 0) return [];
  const ids = held.map(({ id }) => id);
  const entities = await entitiesOf[kind](work, ids);
  if (entities === undefined) return [...held];
  const labels = new Map(
    entities.filter((each) => each.account === account).map(({ id, label }) => [id, label] as const),
  );
  return held.flatMap((grant) => {
    const label = labels.get(grant.id);
    return label === undefined ? [] : [{ ...grant, label }];
  });
}

interface Entity {
  readonly id: number | null;
  readonly account: string | null;
  readonly label: string;
}

/** The entities of some ids; undefined for a kind that this service has none of. */
const entitiesOf: Readonly<
  Record<EntityKind, (work: Pick<Work, "tx">, ids: readonly number[]) => Promise<readonly Entity[] | undefined>>
> = {
  domain: async ({ tx }, ids) =>
    (await tx.domains.among("id", ids)).map(({ id, account, domain }) => ({ id, account, label: domain })),
  image: async ({ tx }, numbers) =>
    (await tx.images.among("number", numbers)).map(({ number, account, label }) => ({ id: number, account, label })),
  compute: ({ tx }, ids) => tx.instances.among("id", ids),
  longview: async () => undefined,
  nodebalancer: ({ tx }, ids) => tx.nodebalancers.among("id", ids),
  stackscript: ({ tx }, ids) => tx.stackscripts.among("id", ids),
  volume: ({ tx }, ids) => tx.volumes.among("id", ids),
};
