// Zones that come and go with events.
import {
  createDomain, createDomainRecord, deleteDomain, listDomainRecords,
  type Client, type Domain, type DomainRecord,
} from "@cloud-compute/client";
import type * as api from "@cloud-compute/client";

export type Target = DomainRecord["target"];
type Row = Pick<api.DomainRecord, "type" | "target">;

export async function open(client: Client, domain: string): Promise<Domain> {
  return createDomain(client, { body: { domain, type: "master", soa_email: "events@example.com" } });
}

export async function openMany(client: Client, names: readonly string[]): Promise<Domain[]> {
  const zones: Domain[] = [];
  for (const domain of names) {
    const zone = await createDomain(client, {
      body: {
        domain,
        type: "master",
        soa_email: "events@example.com", // read by the whole team
      },
    });
    zones.push(zone);
  }
  return zones;
}

export async function point(client: Client, { id }: Domain, target: Target): Promise<DomainRecord> {
  return createDomainRecord(client, { path: { domainId: id }, body: { type: "A", name: "www", target } });
}

export async function rows(client: Client, { id }: Domain): Promise<Row[]> {
  const { data } = await listDomainRecords(client, { path: { domainId: id } });
  return data.map(({ type, target }: DomainRecord): Row => ({ type, target }));
}

export async function close(client: Client, { id }: Domain): Promise<void> {
  await deleteDomain(client, { path: { domainId: id } });
}
