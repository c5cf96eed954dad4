import {
  domainStatus,
  errors,
  filterable,
  page,
  type CreateDomainHandlerInput,
  type Domain,
} from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import { grantCreator, grantsEnd } from "../../access/grants.js";
import type { DomainRow } from "../../store/rows.js";
import { callerOf, type Caller, type UnitOfWork } from "../../unit-of-work.js";
import { ensureTags } from "../tags/lifecycle.js";
import { domainEntity, nextSerial, startZone, updateZone, withdrawZone } from "./zones.js";

export const domainHandlers: TagHandlers<
  "listDomains" | "createDomain" | "getDomain" | "updateDomain" | "deleteDomain"
> = {
  listDomains: async ({ query, headers, listScope }, { work }) => {
    const listQuery = { query, listScope, filter: headers["X-Filter"], filterable: filterable.listDomains };
    const { items, total } = await work.tx.domains.list({}, listQuery);
    return { status: 200, body: page(query, items, total) };
  },

  createDomain: async ({ body }, context) => {
    const { work } = context;
    const caller = callerOf(context);
    const begins = domainStatus.initial("createDomain", { body });
    const tags = await ensureTags(work, caller.account.id, body.tags ?? []);
    const domain = await addDomain(work, caller, { ...fieldsOf(body), tags, status: begins?.to ?? "active" });
    // create-domain-renders
    await startZone(work, domain);
    // create-domain-event
    await work.recordEvent({
      account: domain.account,
      action: "dns_zone_create",
      username: caller.user,
      entity: domainEntity(domain),
    });
    return { status: 200, body: domain };
  },

  getDomain: ({ target }) => ({ status: 200, body: target }),

  updateDomain: async ({ target, body }, context) => {
    const { work } = context;
    const { status, tags, domain: name = target.domain, ...fields } = body;
    const changed: DomainRow = {
      ...target,
      ...(fields as Partial<Domain>), // The generated server has rounded the seconds.
      domain: name,
      key: name.toLowerCase(),
      status: status === undefined ? target.status : domainStatus.transition(target.status, "updateDomain", status),
      tags: tags === undefined ? target.tags : await ensureTags(work, target.account, tags),
    };
    if (JSON.stringify(changed) === JSON.stringify(target)) return { status: 200, body: target };
    if (changed.key !== target.key) await assertNameIsFree(work, changed);
    // update-domain-renders
    const domain = await updateZone(work, { ...changed, updated: work.date });
    // update-domain-event
    await work.recordEvent({
      account: domain.account,
      action: "dns_zone_update",
      username: callerOf(context).user,
      entity: domainEntity(domain),
    });
    return { status: 200, body: domain };
  },

  deleteDomain: async ({ target }, context) => {
    const { work } = context;
    domainStatus.transition(target.status, "deleteDomain", "$deleted");
    await withdrawZone(work, target);
    await work.tx.records.deleteReturning({ domain: target.id });
    await work.tx.domains.remove([target.id]);
    await grantsEnd(work, { account: target.account, kind: "domain", id: target.id });
    // delete-domain-event
    await work.recordEvent({
      account: target.account,
      action: "dns_zone_delete",
      username: callerOf(context).user,
      entity: domainEntity(target),
    });
    return { status: 200, body: {} };
  },
};

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

/** A name is unique on the platform. Accounts write concurrently, so the check needs a lock. */
async function assertNameIsFree(
  { tx }: UnitOfWork,
  { id, key }: Pick<DomainRow, "key"> & Partial<DomainRow>,
): Promise<void> {
  await tx.lock(`domain ${key}`);
  const found = await tx.domains.first({ key });
  if (found !== undefined && found.id !== id) throw errors.domainTaken();
}

/** The fields of a domain in a body. The server has added defaults and rounded seconds. */
function fieldsOf({
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
