import assert from "node:assert/strict";
import { createClient, createDomainRecord, type Domain } from "@cloud-compute/client";
import * as api from "@cloud-compute/client";
import { contacts, handOver, openZone, tryRecord } from "./zones.js";

const client = createClient({ baseUrl: process.env["API_URL"], token: process.env["API_TOKEN"] });
const name = `agency-${process.pid}-${Date.now()}.example`;

const zone: Domain = await openZone(client, name, "first@agency.example", [
  { type: "A", name: "www", target: "192.0.2.1" },
  { type: "TXT", name: "note", target: "soa_email" },
]);
assert.equal(zone.soa_email, "first@agency.example");
const records = await api.listDomainRecords(client, { path: { domainId: zone.id } });
assert.deepEqual(records.data.map(({ type, target }) => [type, target]), [["A", "192.0.2.1"], ["TXT", "soa_email"]]);

assert.equal(await handOver(client, zone, "first@agency.example"), "unchanged");
assert.equal(await handOver(client, zone, "second@agency.example"), "first@agency.example -> second@agency.example");
assert.equal((await contacts(client)).get(name)?.soa_email, "second@agency.example");

assert.equal(await tryRecord(client, zone.id, { type: "A", name: "api", target: "192.0.2.2" }), "record A");
assert.equal(await tryRecord(client, zone.id, { type: "A", name: "api", target: "no address" }), "status 400");
const add = createDomainRecord;
const mail = await add(client, { path: { domainId: zone.id }, body: { type: "MX", name: "mail", target: "mx.example.net", priority: 10 } });
assert.equal(mail.priority, 10);
const again = await api.createDomainRecord(client, { path: { domainId: zone.id }, body: { type: "TXT", name: "b", target: "b" } });
assert.equal(again.type, "TXT");
console.log("zones are in order");
