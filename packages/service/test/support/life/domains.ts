import * as api from "@cloud-compute/client";
import { tagOf } from "./instances.js";
import type { Act, Walk } from "./walk.js";

/** Actions on domains and their records. */
export const domains: readonly Act[] = [
  createDomain,
  createDomain,
  async (walk) => {
    if ((await walk.domains()).length >= most) return;
    await walk.ask(api.importDomain, { body: { domain: nameOf(walk), remote_nameserver: walk.nameserver } });
  },
  inDomain(async (walk, path) => {
    await walk.ask(api.getDomain, { path });
    await walk.ask(api.getZoneFile, { path });
  }),
  inDomain((walk, path) => {
    const { random } = walk;
    const description = `value ${random.below(1000)}`;
    const status = random.one(["active", "disabled"] as const);
    const body = random.one([{ description }, { status }, { tags: [tagOf(walk)] }, { domain: nameOf(walk) }]);
    return walk.ask(api.updateDomain, { path, body });
  }),
  inDomain((walk, path) => walk.ask(api.deleteDomain, { path })),
  async (walk) => {
    const there = await walk.domains();
    const domain = walk.some(there);
    if (domain === undefined || there.length >= most) return;
    await walk.ask(api.cloneDomain, { path: { domainId: domain.id }, body: { domain: nameOf(walk) } });
  },
  inDomain(createRecord),
  inDomain(createRecord),
  inRecord((walk, path) => walk.ask(api.getDomainRecord, { path })),
  inRecord((walk, path) => {
    const body = walk.random.one([{ name: `www${walk.random.below(9)}` }, { ttl_sec: 3600 }, { target: "192.0.2.9" }]);
    return walk.ask(api.updateDomainRecord, { path, body });
  }),
  inRecord((walk, path) => walk.ask(api.deleteDomainRecord, { path })),
];

const most = 8;

/** Two accounts may request the same name. */
function nameOf({ random }: Walk): string {
  return `d${random.below(30)}.example.com`;
}

async function createDomain(walk: Walk): Promise<void> {
  if ((await walk.domains()).length >= most) return;
  const tags = walk.person.restricted && walk.chance(80) ? {} : { tags: [tagOf(walk)] };
  const master = { type: "master", soa_email: "admin@example.com" } as const;
  const slave = { type: "slave" as const, master_ips: ["192.0.2.53"] };
  await walk.ask(api.createDomain, {
    body: { domain: nameOf(walk), ...(walk.chance(80) ? master : slave), ...tags },
  });
}

async function createRecord(walk: Walk, path: { readonly domainId: number }): Promise<void> {
  const listed = await walk.ask(api.listDomainRecords, { path, headers: { "X-Filter": { type: { "+neq": "TXT" } } } });
  if (listed === undefined || listed.results > 20) return;
  const name = `www${walk.random.below(9)}`;
  const body: api.DomainRecordCreate = walk.random.one([
    { type: "A", name, target: "192.0.2.7" },
    { type: "AAAA", name, target: "2001:db8::7" },
    { type: "MX", target: walk.chance(20) ? "" : "mail.example.net", priority: 10 },
    { type: "CNAME", name: `alias${walk.random.below(9)}`, target: "example.net" },
    { type: "SRV", service: "sip", protocol: "tcp", target: "sip", priority: 1, weight: 1, port: 5060 },
    { type: "CAA", name: "", tag: "issue", target: "ca.example.net" },
    { type: "TXT", name, target: "some text" },
  ] as const);
  await walk.ask(api.createDomainRecord, { path, body });
}

function inDomain(act: (walk: Walk, path: { readonly domainId: number }) => Promise<unknown>): Act {
  return async (walk) => {
    const domain = walk.some(await walk.domains());
    if (domain !== undefined) await act(walk, { domainId: domain.id });
  };
}

function inRecord(
  act: (walk: Walk, path: { readonly domainId: number; readonly recordId: number }) => Promise<unknown>,
): Act {
  return inDomain(async (walk, path) => {
    const { data = [] } = (await walk.ask(api.listDomainRecords, { path })) ?? {};
    const record = walk.some(data);
    if (record !== undefined) await act(walk, { ...path, recordId: record.id });
  });
}
