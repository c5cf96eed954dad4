import type { EventEntity } from "@cloud-compute/server";
import type { Area } from "../context.js";
import { renderingOf } from "../dns/zone.js";
import type { JobHandlers } from "../platform/jobs.js";
import { inTurns } from "../platform/turns.js";
import type { DomainRow } from "../store/rows.js";
import { iso } from "../store/tx.js";
import type { Work } from "../work.js";

export const zones: Area<"getZoneFile"> = {
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
    await ((await tx.zones.get(domain.id)) === undefined ? tx.zones.add(zone) : tx.zones.put(zone));
    const errors = shortened(problems);
    if (errors !== domain.errors) await tx.domains.change(domain, { errors });
  },
};

/**
 * The zone is another one from now on, and has another serial. That of an active domain is rendered a little later, with whatever changes until then;
 * that of a disabled one is not.
 */
export async function zoneChanged(work: Work, domain: DomainRow): Promise<DomainRow> {
  const { tx, now } = work;
  const changed = await tx.domains.change(domain, { serial: nextSerial(domain.serial, now) });
  const subject = zoneSubject(domain);
  if (changed.status === "disabled") await work.cancel(subject);
  else if ((await tx.jobs.first({ kind: "render", subject })) === undefined) await zoneBegins(work, changed);
  return changed;
}

/** The zone is rendered a little later, unless its domain is disabled. Nothing of it is waiting for that. */
export async function zoneBegins(work: Work, domain: DomainRow): Promise<void> {
  const { account, status } = domain;
  if (status !== "disabled")
    await work.begin({ account, kind: "render", subject: zoneSubject(domain), takes: "render" });
}

/** What was rendered is gone, and nothing of it is rendered any more. */
export async function zoneWithdrawn(work: Work, domain: DomainRow): Promise<void> {
  await work.cancel(zoneSubject(domain));
  await work.tx.zones.remove([domain.id]);
}

/**
 * The serial after another: the day and a number, as is the custom, or simply the next one when a day has more changes than that. They grow as those
 * of the DNS do, in 32 bits (RFC 1982), where 1 follows the largest.
 */
export function nextSerial(before: number, now: number): number {
  const dated = Number(`${iso(now).slice(0, 10).replaceAll("-", "")}00`);
  const next = before >= largestSerial ? 1 : before + 1;
  return dated > next && dated <= largestSerial && dated - next < 2 ** 31 ? dated : next;
}

const largestSerial = 2 ** 32 - 1;

/** A domain as events name it. */
export function domainEntity({ id, domain }: DomainRow): EventEntity {
  return { id, label: domain, type: "domain", url: `/v4/domains/${id}` };
}

/** What jobs of a zone are about. */
function zoneSubject({ id }: DomainRow): string {
  return `domain ${id}`;
}

/** As much of what is wrong as the field holds. */
function shortened(problems: readonly string[]): string {
  let text = "";
  for (const [index, problem] of problems.entries()) {
    const more = `\n… and ${problems.length - index} more`;
    if (text.length + problem.length + more.length > mostCharacters) return text + more;
    text += index === 0 ? problem : `\n${problem}`;
  }
  return text;
}

const mostCharacters = 65_535;
