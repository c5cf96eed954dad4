import { errors, type CreateDomainHandlerInput, type Domain } from "@cloud-compute/server";
import type { Caller } from "../../access/caller.js";
import { grantCreator } from "../../access/grants.js";
import type { DomainRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { nextSerial } from "./zones.js";

/** The fields of a new domain. */
export type NewDomain = Omit<Domain, "id" | "created" | "updated" | "errors">;

/** Adds a domain with an unused name, and grants it to its creator. The serial of its zone is later than `after`. */
export async function addDomain(
  work: UnitOfWork,
  caller: Caller,
  { after = 0, ...fields }: NewDomain & { readonly after?: number },
): Promise<DomainRow> {
  const { tx, date, now } = work;
  const key = fields.domain.toLowerCase();
  await assertNameIsFree(work, { key });
  const domain = await tx.domains.add({
    ...fields,
    key,
    account: caller.account.id,
    serial: nextSerial(after, now),
    created: date,
    updated: date,
    errors: "",
  });
  await grantCreator(caller, work, { kind: "domain", id: domain.id, label: domain.domain });
  return domain;
}

/** A name is unique on the platform. If another account enters it meanwhile, the transaction runs again. */
export async function assertNameIsFree(
  { tx }: UnitOfWork,
  { id, key }: Pick<DomainRow, "key"> & Partial<DomainRow>,
): Promise<void> {
  const other = await tx.domains.locate(key);
  if (other !== undefined && other.id !== id) throw errors.domainTaken();
}

/** The fields of a domain in a body. The server has added defaults and rounded seconds. */
export function newDomainFields({
  domain,
  type,
  soa_email = "",
  description = "",
  group = "",
  master_ips = [],
  axfr_ips = [],
  refresh_sec,
  retry_sec,
  expire_sec,
  ttl_sec,
}: CreateDomainHandlerInput["body"]): Omit<NewDomain, "tags" | "status"> {
  // The server has rounded the seconds, which the types of bodies do not express.
  const seconds = { refresh_sec, retry_sec, expire_sec, ttl_sec } as Pick<
    Domain,
    "refresh_sec" | "retry_sec" | "expire_sec" | "ttl_sec"
  >;
  return { domain, type, soa_email, description, group, master_ips, axfr_ips, ...seconds };
}
