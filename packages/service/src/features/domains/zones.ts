import { jobSubject } from "../../platform/job-subjects.js";
import type { DomainRow } from "../../store/rows.js";
import { formatDate } from "../../store/transaction.js";
import type { UnitOfWork } from "../../unit-of-work.js";

/**
 * Gives a zone a new serial. The zone of an active domain is rendered soon after, once for all changes until then. The zone of a disabled domain is
 * not rendered.
 *
 * @param before the stored row, if other fields change, too
 */
export async function updateZone(work: UnitOfWork, domain: DomainRow, before: DomainRow = domain): Promise<DomainRow> {
  const { tx, now } = work;
  const changed = { ...domain, serial: nextSerial(domain.serial, now) };
  await tx.domains.update(changed, before);
  const subject = jobSubject("domain", domain.id);
  if (changed.status === "disabled") await work.cancelJobs(subject);
  else if ((await tx.jobs.first({ kind: "render", subject })) === undefined) await startZone(work, changed);
  return changed;
}

/** Starts rendering a zone, unless its domain is disabled. A zone has at most one such job. */
export async function startZone(work: UnitOfWork, domain: DomainRow): Promise<void> {
  const { account, status } = domain;
  if (status !== "disabled") await work.startJob({ account, kind: "render", subject: jobSubject("domain", domain.id) });
}

/** Deletes a rendered zone, and cancels its jobs: zone-withdrawn. */
export async function withdrawZone(work: UnitOfWork, domain: DomainRow): Promise<void> {
  await work.cancelJobs(jobSubject("domain", domain.id));
  await work.tx.zones.remove([domain.id]);
}

/**
 * The serial after another: the date and a number, as is the custom, or the next number if a day has more changes than that. Serials grow as those
 * of the DNS do, in 32 bits (RFC 1982), where 1 follows the largest.
 */
export function nextSerial(before: number, now: number): number {
  const dated = Number(`${formatDate(now).slice(0, 10).replaceAll("-", "")}00`);
  const next = before >= largestSerial ? 1 : before + 1;
  return dated > next && dated <= largestSerial && dated - next < 2 ** 31 ? dated : next;
}

const largestSerial = 2 ** 32 - 1;
