import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** The address of a nameserver. */
export interface NameserverAddress {
  readonly address: string;
  readonly port: number;
}

/** Addresses that are allowed in addition to public ones. */
export interface AddressPolicy {
  /** This machine by its loopback addresses. */
  readonly allowsLoopback: boolean;
  /** Private networks, and this machine by its other addresses. */
  readonly allowsPrivate?: boolean | undefined;
}

/**
 * Resolves a host or an address, with an optional port, to the allowed addresses. The policy checks addresses instead of names, since a name may
 * resolve to any address, now or a moment later.
 */
export async function resolveNameserver(nameserver: string, allowed: AddressPolicy): Promise<NameserverAddress[]> {
  const { host, port } = hostAndPort(nameserver);
  if (host === "" || !(port >= 1 && port <= 65_535)) return [];
  const addresses = isIP(host) === 0 ? (await lookup(host, { all: true })).map(({ address }) => address) : [host];
  const blocked = blockedFor(allowed);
  return addresses.filter((address) => isAllowedAddress(address, blocked)).map((address) => ({ address, port }));
}

/** `host`, `host:port`, `[address]`, `[address]:port`. A text with several colons and without brackets is an IPv6 address. */
function hostAndPort(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, host, port] = /^(?:\[([^[\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (bracketed === undefined && host === undefined) return { host: isIP(text) === 6 ? text : "", port: defaultPort };
  return { host: bracketed ?? host ?? "", port: port === undefined ? defaultPort : Number(port) };
}

const defaultPort = 53;

/** An IPv6 address that embeds an IPv4 address has to be allowed as both. */
function isAllowedAddress(address: string, blocked: readonly BlockList[]): boolean {
  const embedded = isIP(address) === 6 ? embeddedIn(address) : undefined;
  return [withoutZone(address), ...(embedded === undefined ? [] : [embedded])].every((each) => {
    const family = isIP(each) === 6 ? "ipv6" : "ipv4";
    return blocked.every((list) => !list.check(each, family));
  });
}

function blockedFor({ allowsLoopback, allowsPrivate = false }: AddressPolicy): readonly BlockList[] {
  return [never, ...(allowsLoopback ? [] : [loopback]), ...(allowsPrivate ? [] : [privateNetworks, ownAddresses()])];
}

/** Never allowed: multicast and broadcast addresses, and link-local ones, such as the metadata services of clouds. */
const never = networks([
  "169.254.0.0/16",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "fe80::/10",
  "ff00::/8",
  // The metadata service of AWS and compatible clouds, within the unique-local addresses.
  "fd00:ec2::254/128",
  // Tunnels that end at the embedded IPv4 address (Teredo).
  "2001::/32",
]);

/** This machine. */
const loopback = networks(["0.0.0.0/8", "127.0.0.0/8", "::/128", "::1/128"]);

/**
 * RFC 6890: private networks, those of carriers, of IETF protocols and of benchmarks, unique-local and site-local ones, and NAT64 of a local
 * network.
 */
const privateNetworks = networks([
  "10.0.0.0/8",
  "100.64.0.0/10",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "64:ff9b:1::/48",
  "100::/64",
  "fc00::/7",
  "fec0::/10",
]);

/** The current addresses of this machine. Interfaces may come and go. */
function ownAddresses(): BlockList {
  const list = new BlockList();
  for (const { address, family, internal } of Object.values(networkInterfaces()).flatMap((each) => each ?? []))
    if (!internal) list.addAddress(withoutZone(address), family === "IPv6" ? "ipv6" : "ipv4");
  return list;
}

function networks(all: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of all) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

/** The IPv4 address in an IPv6 address: mapped, compatible, translated (SIIT), of NAT64, or of 6to4. */
function embeddedIn(address: string): string | undefined {
  const groups = groupsOf(address);
  const start = groups.slice(0, 6).join(":");
  const isAtEnd = ["0:0:0:0:0:ffff", "0:0:0:0:0:0", "0:0:0:0:ffff:0", "64:ff9b:0:0:0:0"].includes(start);
  if (isAtEnd) return ipv4Of(groups.slice(6));
  return groups[0] === "2002" ? ipv4Of(groups.slice(1, 3)) : undefined;
}

/** The eight groups of an IPv6 address in hexadecimal, without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const plain = new URL(`http://[${withoutZone(address)}]`).hostname.slice(1, -1);
  const [front = "", back] = plain.split("::");
  const [left, right] = [front, back ?? ""].map((part) => part.split(":").filter((each) => each !== ""));
  const gap = back === undefined ? 0 : 8 - (left?.length ?? 0) - (right?.length ?? 0);
  return [...(left ?? []), ...Array.from<string>({ length: gap }).fill("0"), ...(right ?? [])];
}

function ipv4Of(groups: readonly string[]): string {
  return groups
    .map((each) => Number.parseInt(each, 16))
    .flatMap((each) => [each >> 8, each & 255])
    .join(".");
}

function withoutZone(address: string): string {
  return address.replace(/%[^]*$/, "");
}
