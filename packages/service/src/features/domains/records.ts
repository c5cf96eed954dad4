import { errors, filterable, page, type DomainRecord } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import type { DomainRow, RecordRow } from "../../store/rows.js";
import { callerOf, type UnitOfWork } from "../../unit-of-work.js";
import { assertSrvFields, protocolLabel, serviceLabel, targetOf } from "./record-fields.js";
import { domainEntity, updateZone } from "./zones.js";

export const recordHandlers: TagHandlers<
  "listDomainRecords" | "createDomainRecord" | "getDomainRecord" | "updateDomainRecord" | "deleteDomainRecord"
> = {
  listDomainRecords: async ({ target, query, headers }, { work }) => {
    const listQuery = { query, filter: headers["X-Filter"], filterable: filterable.listDomainRecords };
    const { items, total } = await work.tx.records.list({ domain: target.id }, listQuery);
    return { status: 200, body: page(query, items, total) };
  },

  createDomainRecord: async ({ target: domain, body }, context) => {
    const { work, address } = context;
    const { type, name = "", target, priority = 0, weight = 0, port = 0, service, protocol, tag, ttl_sec } = body;
    const record = {
      domain: domain.id,
      type,
      name,
      target: targetOf({ type, target }, { domain: domain.domain, address }),
      priority,
      weight,
      port,
      service: service === undefined ? null : serviceLabel(service),
      protocol: protocol === undefined ? null : protocolLabel(protocol),
      tag: tag ?? null,
      // The server has rounded it.
      ttl_sec: (ttl_sec ?? 0) as DomainRecord["ttl_sec"],
      created: work.date,
      updated: work.date,
    };
    await assertMxFits(work, record);
    const added = await work.tx.records.add(record);
    // create-record-renders
    await updateZone(work, domain);
    // create-record-event
    await recordZoneEvent(context, domain, "dns_record_create");
    return { status: 200, body: added };
  },

  getDomainRecord: ({ target }) => ({ status: 200, body: target }),

  updateDomainRecord: async ({ target: record, refs: { domainId: domain }, body }, context) => {
    const { work, address } = context;
    const { target, service, protocol, ttl_sec, ...fields } = body;
    assertSrvFields(record, body);
    const changed: RecordRow = {
      ...record,
      ...fields,
      target:
        target === undefined || target === record.target
          ? record.target
          : targetOf({ type: record.type, target }, { domain: domain.domain, address }),
      service: service === undefined ? record.service : serviceLabel(service),
      protocol: protocol === undefined ? record.protocol : protocolLabel(protocol),
      // The server has rounded it.
      ttl_sec: (ttl_sec ?? record.ttl_sec) as DomainRecord["ttl_sec"],
    };
    if (JSON.stringify(changed) === JSON.stringify(record)) return { status: 200, body: record };
    await assertMxFits(work, changed);
    const updated = await work.tx.records.patch(changed, { updated: work.date });
    // update-record-renders
    await updateZone(work, domain);
    // update-record-event
    await recordZoneEvent(context, domain, "dns_record_update");
    return { status: 200, body: updated };
  },

  deleteDomainRecord: async ({ target: record, refs: { domainId: domain } }, context) => {
    const { work } = context;
    await work.tx.records.remove([record.id]);
    // delete-record-renders
    await updateZone(work, domain);
    // delete-record-event
    await recordZoneEvent(context, domain, "dns_record_delete");
    return { status: 200, body: {} };
  },
};

/** A null MX is the only MX record of a domain, regardless of the names. */
async function assertMxFits(
  { tx }: UnitOfWork,
  record: Omit<RecordRow, "id"> & { readonly id?: number },
): Promise<void> {
  if (record.type !== "MX") return;
  const all = await tx.records.find({ domain: record.domain, type: "MX" });
  const others = all.filter(({ id }) => id !== record.id);
  const excludes = record.target === "" ? others.length > 0 : others.some(({ target }) => target === "");
  if (excludes) throw errors.nullMxConflict();
}

function recordZoneEvent(
  context: Parameters<typeof callerOf>[0] & { readonly work: UnitOfWork },
  domain: DomainRow,
  action: "dns_record_create" | "dns_record_update" | "dns_record_delete",
): Promise<unknown> {
  const { account } = domain;
  return context.work.recordEvent({ account, action, username: callerOf(context).user, entity: domainEntity(domain) });
}
