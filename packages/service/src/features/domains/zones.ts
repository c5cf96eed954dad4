import type { EventEntity } from "@cloud-compute/server";
import type { TagHandlers } from "../../context.js";
import { renderingOf } from "../../dns/zone.js";
import type { JobHandlers } from "../../platform/jobs.js";
import { inTurns } from "../../platform/turns.js";
import type { DomainRow } from "../../store/rows.js";
import { formatDate } from "../../store/transaction.js";
import type { UnitOfWork } from "../../unit-of-work.js";

export const zoneHandlers: TagHandlers<"getZoneFile"> = {
  getZoneFile: async ({ target }, { work }) => {
    const zone = await work.tx.zones.get(target.id);
    return { status: 200, body: { zone_file: zone?.lines ?? [] } };
  },
};

export const zoneJobs: JobHandlers = {
  render: async ({ tx }, { subject }) => {
    const domain = await tx.domains.get(Number(subject.split(" ")[1]));
    if (domain?.status !== "active") return;
    const { lines, problems } = await inTurns(renderingOf(domain, await tx.records.findInTurns({ domain: domain.id })));
    const zone = { id: domain.id, lines };
    await ((await tx.zones.get(domain.id)) === undefined ? tx.zones.add(zone) : tx.zones.update(zone));
    const errors = shortened(problems);
    if (errors !== domain.errors) await tx.domains.patch(domain, { errors });
  },
};

/**
 * Gives a zone a new serial. The zone of an active domain is rendered soon after, once for all changes until then. The zone of a disabled domain is
 * not rendered.
 */
export async function updateZone(work: UnitOfWork, domain: DomainRow): Promise<DomainRow> {
  const { tx, now } = work;
  const changed = await tx.domains.patch(domain, { serial: nextSerial(domain.serial, now) });
  const subject = zoneSubject(domain);
  if (changed.status === "disabled") await work.cancel(subject);
  else if ((await tx.jobs.first({ kind: "render", subject })) === undefined) await startZone(work, changed);
  return changed;
}

/** Starts rendering a zone, unless its domain is disabled. A zone has at most one such job. */
export async function startZone(work: UnitOfWork, domain: DomainRow): Promise<void> {
  const { account, status } = domain;
  if (status !== "disabled")
    await work.startJob({ account, kind: "render", subject: zoneSubject(domain), takes: "render" });
}

/** Deletes a rendered zone, and cancels its jobs: zone-withdrawn. */
export async function withdrawZone(work: UnitOfWork, domain: DomainRow): Promise<void> {
  await work.cancel(zoneSubject(domain));
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

/** A domain in the format of events. */
export function domainEntity({ id, domain }: DomainRow): EventEntity {
  return { id, label: domain, type: "domain", url: `/v4/domains/${id}` };
}

/** The subject of a zone's jobs. */
function zoneSubject({ id }: DomainRow): string {
  return `domain ${id}`;
}

/** The diagnostics, as far as they fit the field. */
function shortened(problems: readonly string[]): string {
  let text = "";
  for (const [index, problem] of problems.entries()) {
    const more = `\n… and ${problems.length - index} more`;
    if (text.length + problem.length + more.length > maxCommentCharacters) return text + more;
    text += index === 0 ? problem : `\n${problem}`;
  }
  return text;
}

const maxCommentCharacters = 65_535;
