import { domainStatus, filterable, page, type Domain, type DomainRecord } from "@cloud-compute/server";
import { callerOf } from "../../access/caller.js";
import { grantsEnd } from "../../access/grants.js";
import type { TagHandlers } from "../../context.js";
import { initialState } from "../../platform/initial-state.js";
import type { DomainRow, RecordRow } from "../../store/rows.js";
import { isSameRow } from "../../store/same-row.js";
import { domainEntity } from "../events/lifecycle.js";
import { ensureTags } from "../tags/lifecycle.js";
import { adderOfDomains, cloneCopiesRecords, importCopiesZone, receiveZone } from "./copies.js";
import { addDomain, assertNameIsFree, newDomainFields } from "./lifecycle.js";
import { assertSrvFields, protocolLabel, serviceLabel, targetOf } from "./record-fields.js";
import { assertMxFits, recordZoneEvent } from "./records.js";
import { startZone, updateZone, withdrawZone } from "./zones.js";

export const domainHandlers: TagHandlers<
  | "listDomains"
  | "createDomain"
  | "getDomain"
  | "updateDomain"
  | "deleteDomain"
  | "cloneDomain"
  | "importDomain"
  | "listDomainRecords"
  | "createDomainRecord"
  | "getDomainRecord"
  | "updateDomainRecord"
  | "deleteDomainRecord"
  | "getZoneFile"
> = {
  listDomains: async ({ query, headers, listScope }, { work }) => {
    const listQuery = { query, listScope, filter: headers["X-Filter"], filterable: filterable.listDomains };
    const { items, total } = await work.tx.domains.list({}, listQuery);
    return { status: 200, body: page(query, items, total) };
  },

  createDomain: async ({ body }, context) => {
    const { work } = context;
    const caller = callerOf(context);
    const begins = initialState(domainStatus, "createDomain", { body });
    const tags = await ensureTags(work, caller.account.id, body.tags ?? []);
    const domain = await addDomain(work, caller, { ...newDomainFields(body), tags, status: begins.to });
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
    if (isSameRow(changed, target)) return { status: 200, body: target };
    if (changed.key !== target.key) await assertNameIsFree(work, changed);
    // update-domain-renders
    const domain = await updateZone(work, { ...changed, updated: work.date }, target);
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

  cloneDomain: async ({ target, body }, context) => {
    const { work } = context;
    const caller = callerOf(context);
    const begins = initialState(domainStatus, "cloneDomain", { target });
    // clone-copies-domain
    const { id: _id, account: _account, key: _key, serial: _serial, created: _c, updated: _u, ...fields } = target;
    const domain = await addDomain(work, caller, {
      ...fields,
      domain: body.domain,
      status: begins.to,
    });
    await cloneCopiesRecords(work, { from: target, to: domain });
    // clone-domain-renders
    await startZone(work, domain);
    // clone-domain-event
    await work.recordEvent({
      account: domain.account,
      action: "dns_zone_create",
      username: caller.user,
      entity: domainEntity(domain),
    });
    return { status: 200, body: domain };
  },

  importDomain: async ({ body }, context) => {
    const { account } = callerOf(context);
    const zone = await receiveZone(body, context);
    // A separate transaction, so that a slow nameserver does not block other requests.
    return context.work.elsewhere(account.id, async (work) => {
      const caller = await adderOfDomains(work, callerOf(context));
      const begins = initialState(domainStatus, "importDomain");
      const domain = await addDomain(work, caller, {
        ...zone.fields,
        domain: body.domain,
        type: "master",
        status: begins.to,
        description: "",
        group: "",
        tags: [],
        master_ips: [],
        axfr_ips: [],
        after: zone.serial,
      });
      await importCopiesZone(work, domain, zone);
      // import-domain-renders
      await startZone(work, domain);
      // import-domain-event
      await work.recordEvent({
        account: domain.account,
        action: "dns_zone_import",
        username: caller.user,
        entity: domainEntity(domain),
      });
      return { status: 200, body: domain };
    });
  },

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
    if (isSameRow(changed, record)) return { status: 200, body: record };
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

  getZoneFile: async ({ target }, { work }) => {
    const zone = await work.tx.zones.get(target.id);
    return { status: 200, body: { zone_file: zone?.lines ?? [] } };
  },
};
