import { isIPv4, isIPv6 } from "node:net";
import { errors, type DomainRecord } from "@cloud-compute/server";
import { isHostTarget } from "../dns/caa.js";
import { isName } from "../dns/names.js";

/** What a target becomes that the platform completes: the caller's own address, and the host of an SRV record within the domain. */
export function targetOf(
  { type, target }: Pick<DomainRecord, "type" | "target">,
  { domain, address }: { readonly domain: string; readonly address: string | undefined },
): string {
  if ((type === "A" || type === "AAAA") && target === "[remote_addr]") return remoteAddress(type, address);
  return type === "SRV" && !target.includes(".") ? hostWithin(target, domain) : target;
}

/** A service has an underscore before it and a period after it. */
export function serviceLabel(service: string): string {
  return `_${service.replace(/^_/, "").replace(/\.$/, "")}.`;
}

/** A protocol has an underscore before it. */
export function protocolLabel(protocol: string): string {
  return `_${protocol.replace(/^_/, "")}`;
}

/** Throws the refusal of what SRV records alone have: the server leaves what the platform completes to be judged here. */
export function judgeServiceFields(
  { type }: Pick<DomainRecord, "type">,
  sent: Partial<Pick<DomainRecord, "service" | "protocol">>,
): void {
  if (type === "SRV") return;
  for (const field of ["service", "protocol"] as const)
    if (sent[field] != null) throw errors.invalidRequest({ field, reason: "must be null" });
}

/** An address that holds an IPv4 address in one of IPv6 is of the former. */
function remoteAddress(type: "A" | "AAAA", address = ""): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  if (type === "A" ? isIPv4(plain) : isIPv6(plain)) return plain;
  const family = type === "A" ? "IPv4" : "IPv6";
  throw errors.invalidRequest({ field: "target", reason: `Your request did not come from an ${family} address` });
}

function hostWithin(host: string, domain: string): string {
  const whole = `${host}.${domain.replace(/^\*\./, "")}`;
  if (!isHostTarget(host)) throw errors.invalidRequest({ field: "target", reason: "must be the name of a host" });
  if (!isName(whole))
    throw errors.invalidRequest({ field: "target", reason: "With the domain added it is too long for a host name" });
  return whole;
}
