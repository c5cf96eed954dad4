import type { Rows } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";

/** A new NodeBalancer of an account, with addresses of the ranges that are reserved for documentation. */
export async function addNodeBalancer(
  { tx, date }: UnitOfWork,
  of: Pick<Rows["nodebalancers"], "account" | "label" | "region" | "cluster" | "tags">,
): Promise<Rows["nodebalancers"]> {
  const id = await tx.nodebalancers.nextId();
  return tx.nodebalancers.add({
    ...of,
    id,
    hostname: `nb-${id}.${of.region}.nodebalancer.cloud-compute.example`,
    ipv4: `203.0.113.${1 + ((id - 1) % 254)}`,
    ipv6: `2001:db8:ffff::${id.toString(16)}`,
    client_conn_throttle: 0,
    created: date,
    transfer: { in: 0, out: 0, total: 0 },
  });
}
