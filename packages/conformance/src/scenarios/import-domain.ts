import type { Json, ScenarioContext } from "@plumbline/conformance-runtime";
import { openNameserver, type ZoneRecord } from "./nameserver.js";
import { member, text } from "./values.js";

/** Imports a domain from a nameserver that first rejects the transfer, which is an error, and then allows it. */
export async function importDomain(context: ScenarioContext): Promise<Json> {
  let rejects = true;
  const nameserver = await openNameserver((zone) => (rejects ? [] : recordsOf(zone)));
  context.onEnd(() => nameserver.close());
  const error = await context.runStep({
    call: "importDomain",
    body: { domain: { $unique: "domain" }, remote_nameserver: nameserver.address },
    expect: { status: 400, error: { field: "remote_nameserver" }, requirements: ["domains.import.transfer"] },
  });
  const domain = text(error, "request", "body", "domain");
  rejects = false;
  const imported = await context.runStep({
    call: "importDomain",
    body: { domain, remote_nameserver: nameserver.address },
    expect: { status: 200, body: likeTheZone(domain) },
  });
  const path = { domainId: member(imported, "body", "id") };
  await context.runStep({ call: "getDomain", path, expect: { status: 200, body: likeTheZone(domain) } });
  await context.runStep({ call: "listDomainRecords", path, expect: { status: 200, body: theRecords(domain) } });
  await context.runStep({ call: "getZoneFile", path, expect: { status: 200, body: rendered }, until: true });
  return null;
}

/** Opens a nameserver for a zone of the given domain until the case ends. Returns the domain and the address of the nameserver. */
export async function nameServer(context: ScenarioContext): Promise<Json> {
  const domain = text(context.inputs, "domain");
  const nameserver = await openNameserver(recordsOf);
  context.onEnd(() => nameserver.close());
  return { domain, address: nameserver.address };
}

function recordsOf(zone: string): readonly ZoneRecord[] {
  const soa: ZoneRecord = {
    type: "SOA",
    name: zone,
    host: `ns1.${zone}`,
    mailbox: `admin.${zone}`,
    // Serial, refresh, retry, expire, minimum.
    times: [7, 14_400, 3600, 604_800, 86_400],
  };
  return [
    soa,
    { type: "NS", name: zone, host: `ns1.${zone}` },
    { type: "A", name: `www.${zone}`, address: "192.0.2.7" },
    { type: "MX", name: zone, host: `mail.${zone}`, priority: 10 },
    { type: "TXT", name: `note.${zone}`, text: "some text" },
    soa,
  ];
}

function likeTheZone(domain: string): Json {
  return constants({
    domain,
    type: "master",
    status: "active",
    soa_email: `admin@${domain}`,
    refresh_sec: 14_400,
    retry_sec: 3600,
    expire_sec: 604_800,
  });
}

/** The records of the zone without its own nameservers. */
function theRecords(domain: string): Json {
  const wanted = [
    { type: "A", name: "www", target: "192.0.2.7" },
    { type: "MX", target: `mail.${domain}`, priority: 10 },
    { type: "TXT", name: "note", target: "some text" },
  ];
  const data = { type: "array", allOf: wanted.map((each) => ({ contains: constants(each) })) };
  return { type: "object", required: ["data", "results"], properties: { results: { const: wanted.length }, data } };
}

const rendered: Json = {
  type: "object",
  required: ["zone_file"],
  properties: {
    zone_file: { type: "array", contains: { type: "string", pattern: "^www\\b.*\\bA\\s+192[.]0[.]2[.]7$" } },
  },
};

/** A schema for an object with these values. */
function constants(fields: Readonly<Record<string, Json>>): Json {
  const properties = Object.entries(fields).map(([name, value]) => [name, { const: value }] as const);
  return { type: "object", required: Object.keys(fields), properties: Object.fromEntries(properties) };
}
