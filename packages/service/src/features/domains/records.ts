import { errors } from "@cloud-compute/server";
import { callerOf } from "../../access/caller.js";
import type { DomainRow, RecordRow } from "../../store/rows.js";
import type { UnitOfWork } from "../../unit-of-work.js";
import { domainEntity } from "../events/lifecycle.js";

/** A null MX is the only MX record of a domain, regardless of the names. */
export async function assertMxFits(
  { tx }: UnitOfWork,
  record: Omit<RecordRow, "id"> & { readonly id?: number },
): Promise<void> {
  if (record.type !== "MX") return;
  const all = await tx.records.find({ domain: record.domain, type: "MX" });
  const others = all.filter(({ id }) => id !== record.id);
  const excludes = record.target === "" ? others.length > 0 : others.some(({ target }) => target === "");
  if (excludes) throw errors.nullMxConflict();
}

/** Records an event about the records of a domain. */
export function recordZoneEvent(
  context: Parameters<typeof callerOf>[0] & { readonly work: UnitOfWork },
  domain: DomainRow,
  action: "dns_record_create" | "dns_record_update" | "dns_record_delete",
): Promise<unknown> {
  const { account } = domain;
  return context.work.recordEvent({ account, action, username: callerOf(context).user, entity: domainEntity(domain) });
}
