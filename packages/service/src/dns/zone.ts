import type { Domain, DomainRecord } from "@cloud-compute/server";
import { isName, isWithin, mailboxOf, ownerOf, type Owner } from "./names.js";
import { dataOf, type RecordData } from "./record-data.js";
import { inOneStep, inSteps, type Steps } from "./steps.js";

/** The nameservers of the platform, which every zone has. */
export const nameservers: readonly string[] = ["ns1.cloud-compute.example", "ns2.cloud-compute.example"];

/** A zone that nameservers can load, and diagnostics for the records that it leaves out. */
export interface RenderedZone {
  readonly lines: string[];
  readonly problems: readonly string[];
}

/**
 * The lines of a zone. A record that would make nameservers reject the complete zone is left out and reported. Of two records that exclude each
 * other, the older one stays.
 */
export function renderZone(domain: ZoneDomain, records: readonly DomainRecord[]): RenderedZone {
  return inOneStep(renderingOf(domain, records));
}

/** A domain with the serial of its zone. */
export type ZoneDomain = Domain & { readonly serial: number };

/** The same in steps: a large zone takes too long to block other requests. */
export function* renderingOf(domain: ZoneDomain, records: readonly DomainRecord[]): Steps<RenderedZone> {
  const { id, domain: name, type, master_ips, ttl_sec } = domain;
  const problems = problemsOfName(name);
  const nameserverLines = nameservers.map((host) => ({ owner: apex(name), type: "NS", text: `${host}.` }));
  const written = yield* recordsThatFit(name, records, problems);
  const lines = new Set<string>();
  yield* inSteps<Line>([...nameserverLines, ...written], ({ owner, type: kind, text, ttl }) => {
    lines.add([owner.display, ...(ttl === undefined ? [] : [ttl]), "IN", kind, text].join(" "));
  });
  return {
    lines: [
      `; ${name} [${id}]`,
      ...(type === "slave" ? [`; slave of ${master_ips.join(", ")}`] : []),
      `$TTL ${ttl_sec || defaults.ttl}`,
      `@ IN SOA ${soaOf(domain, problems)}`,
      ...lines,
    ],
    problems,
  };
}

/** Defaults in seconds, for which the API has 0. */
const defaults = { refresh: 14_400, retry: 14_400, expire: 1_209_600, ttl: 86_400 };

/** The data of an SOA record. The last number is the cache time of missing names. */
function soaOf(domain: Parameters<typeof renderZone>[0], problems: string[]): string {
  const { domain: name, soa_email, serial, refresh_sec, retry_sec, expire_sec, ttl_sec } = domain;
  const mailbox = soa_email === "" ? undefined : mailboxOf(soa_email);
  if (soa_email !== "" && mailbox === undefined) problems.push(`soa_email: ${soa_email} is too long for an SOA record`);
  const numbers = [
    serial,
    refresh_sec || defaults.refresh,
    retry_sec || defaults.retry,
    expire_sec || defaults.expire,
    ttl_sec || defaults.ttl,
  ];
  return [`${nameservers[0]}.`, mailbox ?? `hostmaster.${name}.`, ...numbers].join(" ");
}

interface Line {
  readonly owner: Owner;
  readonly type: string;
  readonly text: string;
  readonly ttl?: number;
}

interface PlacedRecord extends Line {
  readonly record: DomainRecord;
  readonly data: RecordData;
}

function* recordsThatFit(
  zone: string,
  records: readonly DomainRecord[],
  problems: string[],
): Steps<readonly PlacedRecord[]> {
  const leaveOut = ({ id, type, name }: DomainRecord, why: string): void => {
    problems.push(`record ${id} (${type} ${name === "" ? "@" : name}): ${why}`);
  };
  const sets = new Sets(zone);
  yield* inSteps(records, (record) => {
    const owner = ownerOf(nameOf(record), zone);
    const data = dataOf(record, zone);
    if (owner === undefined) leaveOut(record, "its name is none of this zone");
    else if (data === undefined) leaveOut(record, "its target is no name of the DNS");
    else {
      const { type, ttl_sec } = record;
      const placed = { record, owner, data, type, text: data.text, ...(ttl_sec === 0 ? {} : { ttl: ttl_sec }) };
      const why = sets.add(placed);
      if (why !== undefined) leaveOut(record, why);
    }
  });
  return sets.all.filter((placed) => {
    const isReached = placed.type !== "NS" || placed.owner.display !== "@" || sets.hasAddress(placed.data.host ?? "");
    if (!isReached) leaveOut(placed.record, "its nameserver is within this zone and has no address there");
    return isReached;
  });
}

/** The name of a record. That of an SRV record consists of its service and its protocol. */
function nameOf({ type, name, service, protocol }: DomainRecord): string {
  if (type !== "SRV") return name;
  return [service, protocol].flatMap((label) => (label === null ? [] : [label.replace(/\.$/, "")])).join(".");
}

/** The records of a zone by names and types, as far as they are compatible with each other. */
class Sets {
  readonly all: PlacedRecord[] = [];
  readonly #zone: string;
  readonly #types = new Map<string, Set<string>>();
  readonly #sizes = new Map<string, number>();
  readonly #known = new Set<string>();
  readonly #ancestors = new Set<string>();

  constructor(zone: string) {
    this.#zone = zone.toLowerCase();
    this.#types.set(this.#zone, new Set(["SOA", "NS"]));
    this.#ancestors.add(this.#zone);
  }

  /** Adds a record, or returns the reason why that is impossible. A repeated record changes nothing. */
  add(placed: PlacedRecord): string | undefined {
    const { owner, type, text, data } = placed;
    const { absolute } = owner;
    if (type === "NS" && absolute.startsWith("*.")) return "a wildcard cannot be delegated";
    const line = `${absolute} ${type} ${text}`;
    if (this.#known.has(line)) return undefined;
    const types = this.#types.get(absolute) ?? new Set();
    if (type === "CNAME" && types.size > 0) return "an alias has no other records beside it";
    if (types.has("CNAME")) return "there is an alias of this name";
    const set = `${absolute} ${type}`;
    const size = (this.#sizes.get(set) ?? 0) + data.size + perRecord;
    if (size > mostBytes) return "with the others of its name and type it is too large";
    this.#known.add(line);
    this.#types.set(absolute, types.add(type));
    this.#sizes.set(set, size);
    this.#noteAncestors(absolute);
    this.all.push(placed);
    return undefined;
  }

  /** Whether a host is reachable: it is outside the zone, or has an address here, perhaps that of a wildcard. */
  hasAddress(host: string): boolean {
    if (!isWithin(host, this.#zone)) return true;
    if (this.#ancestors.has(host)) return this.#isAddress(host);
    let closest = host;
    while (!this.#ancestors.has(closest)) closest = closest.slice(closest.indexOf(".") + 1);
    return this.#isAddress(`*.${closest}`);
  }

  #isAddress(name: string): boolean {
    const types = this.#types.get(name);
    return types?.has("A") === true || types?.has("AAAA") === true;
  }

  /** A name exists as soon as there is one below it. */
  #noteAncestors(name: string): void {
    for (let each = name; !this.#ancestors.has(each); each = each.slice(each.indexOf(".") + 1))
      this.#ancestors.add(each);
  }
}

/** All records of one name and type have to fit into one message, of 65,535 bytes, with its head and its question. */
const mostBytes = 65_535 - 12 - (255 + 4);
const perRecord = 12;

function apex(zone: string): Owner {
  return { display: "@", absolute: zone.toLowerCase() };
}

function problemsOfName(name: string): string[] {
  if (name.startsWith("*.")) return [`${name}: nameservers load no zone whose name begins with an asterisk`];
  return isName(name) ? [] : [`${name}: a name of the DNS has at most 253 characters`];
}
