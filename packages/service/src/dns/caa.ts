import type { DomainRecord } from "@cloud-compute/server";

export type CaaTag = NonNullable<DomainRecord["tag"]>;

/** Whether a target is one for a tag, as the description has them: an issuer, any name of an issuer, or where to report. */
export function isCaaTarget(tag: CaaTag, target: string): boolean {
  return tests[tag](target);
}

/** A host name as records point at: labels of letters, digits, `-` and `_`, with no period at its end. */
export function isHostTarget(host: string): boolean {
  return host.length <= 253 && hosts.test(host);
}

const hosts =
  /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*$/;

const reports = /^(?:https?:\/\/[^\s]*[^\s.]|mailto:[^\s@]+@[^\s@]*[^\s@.])$/;

const tests = {
  issue: isHostTarget,
  issuewild: (target) => target.startsWith("*.") && isHostTarget(target.slice(2)),
  iodef: (target) => target.length <= 255 && (reports.test(target) || hosts.test(target)),
} satisfies Record<CaaTag, (target: string) => boolean>;
