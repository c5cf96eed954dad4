import { domainStatus, errors } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import { callerNow } from "../../access/credentials.js";
import { importingOf, type ImportedZone } from "../../dns/imported.js";
import { eachInTurns, inTurns } from "../../platform/turns.js";
import type { DomainRow } from "../../store/rows.js";
import { grantsOf } from "../../access/grants.js";
import { callerOf, type Caller, type UnitOfWork } from "../../unit-of-work.js";
import { addDomain } from "./handlers.js";
import { domainEntity, startZone } from "./zones.js";

export const domainCopyHandlers: TagHandlers<"cloneDomain" | "importDomain"> = {
  cloneDomain: async ({ target, body }, context) => {
    const { work } = context;
    const caller = callerOf(context);
    const begins = domainStatus.initial("cloneDomain", { target });
    // clone-copies-domain
    const { id: _id, account: _account, key: _key, serial: _serial, created: _c, updated: _u, ...fields } = target;
    const domain = await addDomain(work, caller, {
      ...fields,
      domain: body.domain,
      status: begins?.to ?? "active",
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
    const zone = await transferred(body, context);
    // A separate transaction, so that a slow nameserver does not block other requests.
    return context.work.elsewhere(account.id, async (work) => {
      const caller = await adderOfDomains(work, callerOf(context));
      const begins = domainStatus.initial("importDomain");
      const domain = await addDomain(work, caller, {
        ...zone.fields,
        domain: body.domain,
        type: "master",
        status: begins?.to ?? "active",
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
};

/** The caller, if the permission to add domains still holds after the transfer. */
async function adderOfDomains(work: UnitOfWork, before: Caller): Promise<Caller> {
  const caller = await callerNow(work, before);
  if (caller.restricted && !(await grantsOf(caller, work)).global.add_domains) throw errors.notPermitted();
  return caller;
}

async function transferred(
  { domain, remote_nameserver }: { readonly domain: string; readonly remote_nameserver: string },
  { work, signal }: { readonly work: UnitOfWork; readonly signal: AbortSignal },
): Promise<ImportedZone> {
  const { allowsLoopback, allowsPrivate } = work;
  // Loaded on demand.
  const [{ TransferError }, { transferInSteadyTime }] = await Promise.all([
    import("../../dns/axfr.js"),
    import("../../dns/steady-transfer.js"),
  ]);
  const transfer = { zone: domain, nameserver: remote_nameserver, allowsLoopback, allowsPrivate, signal };
  try {
    return await inTurns(importingOf(await transferInSteadyTime(transfer)));
  } catch (error) {
    // The reason stays private: it would reveal the open ports of other machines.
    throw error instanceof TransferError ? errors.transferRejected() : error;
  }
}

async function cloneCopiesRecords(
  { tx, date }: UnitOfWork,
  { from, to }: { readonly from: DomainRow; readonly to: DomainRow },
): Promise<void> {
  await eachInTurns(await tx.records.findInTurns({ domain: from.id }), ({ id: _id, ...record }) =>
    tx.records.add({ ...record, domain: to.id, created: date, updated: date }),
  );
}

async function importCopiesZone({ tx, date }: UnitOfWork, { id }: DomainRow, { records }: ImportedZone): Promise<void> {
  await eachInTurns(records, (record) => tx.records.add({ ...record, domain: id, created: date, updated: date }));
}
