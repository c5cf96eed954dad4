import { errors } from "@cloud-compute/server";
import type { Caller } from "../../access/caller.js";
import { callerNow } from "../../access/credentials.js";
import { grantsOf } from "../../access/grants.js";
import { importingOf, type ImportedZone } from "../../dns/imported.js";
import { eachInTurns, inTurns } from "../../platform/turns.js";
import type { DomainRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";

/** The caller, if the permission to add domains still holds after the transfer. */
export async function adderOfDomains(work: UnitOfWork, before: Caller): Promise<Caller> {
  const caller = await callerNow(work, before);
  if (caller.restricted && !(await grantsOf(caller, work)).global.add_domains) throw errors.notPermitted();
  return caller;
}

/** Transfers a zone from another nameserver. */
export async function receiveZone(
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

/** Copies the records of a domain to another. */
export async function cloneCopiesRecords(
  { tx, date }: UnitOfWork,
  { from, to }: { readonly from: DomainRow; readonly to: DomainRow },
): Promise<void> {
  await eachInTurns(await tx.records.findInTurns({ domain: from.id }), ({ id: _id, ...record }) =>
    tx.records.add({ ...record, domain: to.id, created: date, updated: date }),
  );
}

/** Adds the records of a transferred zone to a domain. */
export async function importCopiesZone(
  { tx, date }: UnitOfWork,
  { id }: DomainRow,
  { records }: ImportedZone,
): Promise<void> {
  await eachInTurns(records, (record) => tx.records.add({ ...record, domain: id, created: date, updated: date }));
}
