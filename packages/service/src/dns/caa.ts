import type { DomainRecord } from "@cloud-compute/server";

export type CaaTag = NonNullable<DomainRecord["tag"]>;

/** Whether a target is valid for a tag, as the description states it: an issuer with its parameters (RFC 8659), or an address for reports. */
export function isCaaTarget(tag: CaaTag, target: string): boolean {
  return tests[tag](target);
}

/** A host name as the target of a record: labels of letters, digits, `-` and `_`, without a period at its end. */
export function isHostTarget(host: string): boolean {
  return host.length <= 253 && hosts.test(host);
}

const hosts =
  /^[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*$/;

function isIssuer(target: string): boolean {
  return target.length <= 255 && issuers.test(target);
}

/** A host, then parameters such as `; account=230123`. None of these ends with a period. */
const issuers = new RegExp(
  `${hosts.source.slice(0, -1)}(?:[ \\t]*;[ \\t]*[A-Za-z0-9-]+=(?:[!-:<-~]*[!-\\-/-:<-~])?)*;?$`,
);

const reports = /^(?:https?:\/\/[^\s]*[^\s.]|mailto:[^\s@]+@[^\s@]*[^\s@.])$/;

const tests = {
  issue: isIssuer,
  issuewild: isIssuer,
  iodef: (target) => target.length <= 255 && (reports.test(target) || hosts.test(target)),
} satisfies Record<CaaTag, (target: string) => boolean>;
