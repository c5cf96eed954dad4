import { isIPv4, isIPv6 } from "node:net";
import { errors, type DomainRecord } from "@cloud-compute/server";
import { isHostTarget } from "../../dns/caa.js";
import { isName } from "../../dns/names.js";

/** Completes a target: with the caller's own address, or with the domain for the host of an SRV record. */
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

/**
 * Checks the fields that only SRV records have. The generated server leaves fields that the platform completes to this check.
 *
 * @throws when another type has one of them
 */
export function assertSrvFields(
  { type }: Pick<DomainRecord, "type">,
  sent: Partial<Pick<DomainRecord, "service" | "protocol">>,
): void {
  if (type === "SRV") return;
  for (const field of ["service", "protocol"] as const)
    if (sent[field] != null) throw errors.invalidRequest({ field, reason: "must be null" });
}

/** An IPv4-mapped IPv6 address counts as IPv4. */
function remoteAddress(type: "A" | "AAAA", address = ""): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%[^]*$/, "");
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
