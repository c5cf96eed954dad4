import type { EntityGrant, Grants } from "@cloud-compute/server";
import { entityKinds, type EntityKind } from "../../access/grants.js";
import type { UserRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";

/** The grants of a user on existing entities, with their current labels. */
export async function grantsResponse(work: Pick<UnitOfWork, "tx">, { grants }: UserRow): Promise<Grants> {
  const listed: Grants = { ...grants };
  for (const kind of Object.keys(entityKinds) as EntityKind[])
    listed[kind] = await withLabels(work, grants[kind], kind);
  return listed;
}

async function withLabels(
  work: Pick<UnitOfWork, "tx">,
  grants: readonly EntityGrant[],
  kind: EntityKind,
): Promise<EntityGrant[]> {
  if (grants.length === 0) return [];
  const ids = grants.map(({ id }) => id);
  const entities = await entitiesOf[kind](work, ids);
  if (entities === undefined) return [...grants];
  const labels = new Map(entities.map(({ id, label }) => [id, label] as const));
  return grants.flatMap((grant) => {
    const label = labels.get(grant.id);
    return label === undefined ? [] : [{ ...grant, label }];
  });
}

interface Entity {
  readonly id: number | null;
  readonly label: string;
}

/** The entities of some ids. Undefined for a kind that this service does not implement. */
const entitiesOf: Readonly<
  Record<EntityKind, (work: Pick<UnitOfWork, "tx">, ids: readonly number[]) => Promise<readonly Entity[] | undefined>>
> = {
  domain: async ({ tx }, ids) => (await tx.domains.findIn("id", ids)).map(({ id, domain }) => ({ id, label: domain })),
  image: async ({ tx }, numbers) =>
    (await tx.images.findIn("number", numbers)).map(({ number, label }) => ({ id: number, label })),
  compute: ({ tx }, ids) => tx.instances.findIn("id", ids),
  longview: async () => undefined,
  nodebalancer: ({ tx }, ids) => tx.nodebalancers.findIn("id", ids),
  stackscript: ({ tx }, ids) => tx.stackscripts.findIn("id", ids),
  volume: ({ tx }, ids) => tx.volumes.findIn("id", ids),
};
