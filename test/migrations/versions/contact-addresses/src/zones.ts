// The zones that a small agency keeps for its customers.
import {
  createDomain,
  createDomainRecord,
  listDomains,
  paginateList,
  toResult,
  updateDomain,
  type Client,
  type CreateDomainRecordRequest,
  type Domain,
  type DomainCreate,
} from "@cloud-compute/client";

/** Where mail about a zone goes. */
export type Contact = Domain["soa_email"];

type ZoneRecord = CreateDomainRecordRequest['body'];

const defaults = { type: "master", ttl_sec: 300 } as const;

export function zoneOf(domain: string, contact: Contact): DomainCreate {
  return {
    ...defaults,
    domain,
    soa_email: contact, // of the customer, not ours
  };
}

export async function openZone(client: Client, domain: string, contact: Contact, records: readonly ZoneRecord[]): Promise<Domain> {
  const zone = await createDomain(client, { body: zoneOf(domain, contact) });
  for (const body of records) await createDomainRecord(client, { path: { domainId: zone.id }, body });
  return zone;
}

/* Customers move: the contact changes, the zone stays. */
export async function handOver(client: Client, { id, soa_email }: Domain, contact: Contact): Promise<string> {
  if (soa_email === contact) return "unchanged"
  const { soa_email: now } = await updateDomain(client, { path: { domainId: id }, body: { soa_email: contact } });
  return `${soa_email} -> ${now}`;
}

export async function contacts(client: Client): Promise<Map<string, Pick<Domain, "id" | "soa_email">>> {
  const found = new Map<string, Pick<Domain, "id" | "soa_email">>();
  for await (const zone of paginateList(listDomains, client)) found.set(zone.domain, zone);
  return found;
}

/** Adds a record, and says why the API does not take it. */
export async function tryRecord(client: Client, domainId: number, body: ZoneRecord): Promise<string> {
  const result = await toResult(createDomainRecord(client, { path: { domainId }, body }));
  return result.ok ? `record ${result.data.type}` : `status ${result.error.status}`;
}
