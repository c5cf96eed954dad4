import { domainStatus, errors, filterable, page, type CreateDomainRequest, type Domain } from "@cloud-compute/server";
import type { Area } from "../context.js";
import { grantCreator, grantsEnd } from "../grants.js";
import type { DomainRow } from "../store/rows.js";
import { callerOf, type Caller, type Work } from "../work.js";
import { ensureTags } from "./tagging.js";
import { domainEntity, nextSerial, zoneBegins, zoneChanged, zoneWithdrawn } from "./zones.js";

export const domains: Area<"listDomains" | "createDomain" | "getDomain" | "updateDomain" | "deleteDomain"> = {
  listDomains: async ({ query, headers, visible }, { work }) => {
    const wish = { query, visible, filter: headers["X-Filter"], filterable: filterable.listDomains };
    const { items, total } = await work.tx.domains.list({}, wish);
    return { status: 200, body: page(query, items, total) };
  },

  createDomain: async ({ body }, context) => {
    const { work } = context;
    const caller = callerOf(context);
    const begins = domainStatus.initial("createDomain", { body });
    const tags = await ensureTags(work, caller.account.id, body.tags ?? []);
    const domain = await addDomain(work, caller, { ...fieldsOf(body), tags, status: begins?.to ?? "active" });
    // create-domain-renders
    await zoneBegins(work, domain);
    // create-domain-event
    await work.tell({
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
      ...(fields as Partial<Domain>), // The server has rounded the seconds.
      domain: name,
      key: name.toLowerCase(),
      status: status === undefined ? target.status : domainStatus.transition(target.status, "updateDomain", status),
      tags: tags === undefined ? target.tags : await ensureTags(work, target.account, tags),
    };
    if (JSON.stringify(changed) === JSON.stringify(target)) return { status: 200, body: target };
    if (changed.key !== target.key) await judgeName(work, changed);
    // update-domain-renders
    const domain = await zoneChanged(work, { ...changed, updated: work.date });
    // update-domain-event
    await work.tell({
      account: domain.account,
      action: "dns_zone_update",
      username: callerOf(context).user,
      entity: domainEntity(domain),
    });
    return { status: 200, body: domain };
  },

  deleteDomain: async ({ target }, context) => {
    const { work } = context;
    domainStatus.transition(target.status, "deleteDomain", "$gone");
    await zoneWithdrawn(work, target);
    await work.tx.records.take({ domain: target.id });
    await work.tx.domains.remove([target.id]);
    await grantsEnd(work, { account: target.account, kind: "domain", id: target.id });
    // delete-domain-event
    await work.tell({
      account: target.account,
      action: "dns_zone_delete",
      username: callerOf(context).user,
      entity: domainEntity(target),
    });
    return { status: 200, body: {} };
  },
};

/** What is asked for of a domain that is made. */
export type NewDomain = Omit<Domain, "id" | "created" | "updated" | "errors">;

/** Adds a domain of a name that nobody has, which its creator may change. Its zone has a serial later than `after`. */
export async function addDomain(
  work: Work,
  caller: Caller,
  { after = 0, ...fields }: NewDomain & { readonly after?: number },
): Promise<DomainRow> {
  const { tx, date, now } = work;
  const key = fields.domain.toLowerCase();
  await judgeName(work, { key });
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

/** A name is had once on the whole platform. Accounts write at the same time, so that it is looked for again when nobody else can take it. */
async function judgeName({ tx }: Work, { id, key }: Pick<DomainRow, "key"> & Partial<DomainRow>): Promise<void> {
  await tx.alone(`domain ${key}`);
  const found = await tx.domains.first({ key });
  if (found !== undefined && found.id !== id) throw errors.domainTaken();
}

/** The fields of a domain as a body has them, which the server has filled and rounded. */
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
}: CreateDomainRequest["body"]): Omit<NewDomain, "tags" | "status"> {
  // The server has rounded the seconds, which the types of bodies do not tell.
  const seconds = { refresh_sec, retry_sec, expire_sec, ttl_sec } as Pick<
    Domain,
    "refresh_sec" | "retry_sec" | "expire_sec" | "ttl_sec"
  >;
  return { domain, type, soa_email, description, group, master_ips, axfr_ips, ...seconds };
}
