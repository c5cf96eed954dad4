import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** Where a nameserver may be asked. */
export interface Place {
  readonly address: string;
  readonly port: number;
}

/**
 * Where a nameserver is that is named by host or address, perhaps with a port; those places alone that may be asked. Judged are addresses and not
 * names, since a name can be that of any address, now or a moment later.
 */
export async function placesOf(
  nameserver: string,
  { allowsLoopback }: { readonly allowsLoopback: boolean },
): Promise<Place[]> {
  const { host, port } = hostAndPort(nameserver);
  if (host === "" || !(port >= 1 && port <= 65_535)) return [];
  const found = isIP(host) === 0 ? (await lookup(host, { all: true })).map(({ address }) => address) : [host];
  return found
    .filter((address) => isAskable(address, allowsLoopback ? never : notRemote))
    .map((address) => ({ address, port }));
}

/** `host`, `host:port`, `[address]`, `[address]:port`; what has several colons and no brackets is an IPv6 address. */
function hostAndPort(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, host, port] = /^(?:\[([^[\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (bracketed === undefined && host === undefined) return { host: isIP(text) === 6 ? text : "", port: usualPort };
  return { host: bracketed ?? host ?? "", port: port === undefined ? usualPort : Number(port) };
}

const usualPort = 53;

function isAskable(address: string, alsoNot: readonly BlockList[]): boolean {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  return [...never, ...alsoNot].every((list) => !list.check(address, family));
}

/** Nobody's nameserver: what is told to everybody, and what a link keeps for itself, such as what clouds tell their machines. */
const never = [blocked(["169.254.0.0/16", "224.0.0.0/4", "255.255.255.255/32", "fe80::/10", "ff00::/8"])];

/** This machine itself. */
const notRemote = [blocked(["0.0.0.0/8", "127.0.0.0/8", "::/128", "::1/128"])];

function blocked(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}
