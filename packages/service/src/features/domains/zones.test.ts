import * as api from "@cloud-compute/client";
import { describe, expect, test } from "vitest";
import { checkZone, checkzone } from "../../dns/bind.support.js";
import { start, type World } from "../../testing.support.js";
import * as controls from "../../testing/index.js";
import { nextSerial } from "./zones.js";

const path = { domainId: 1 };

/** A service with a domain, `example.com`. */
async function withDomain(fields: Partial<api.DomainCreate> = {}, args: readonly string[] = []): Promise<World> {
  const world = await start(args);
  await api.createDomain(world.admin, {
    body: { domain: "example.com", type: "master", soa_email: "admin@example.com", ...fields } as api.DomainCreate,
  });
  return world;
}

async function zoneOf({ admin }: World, domainId = 1): Promise<string[]> {
  return (await api.getZoneFile(admin, { path: { domainId } })).zone_file;
}

function serialOf(lines: readonly string[]): number {
  return Number(lines.find((line) => line.includes(" SOA "))?.split(" ")[5]);
}

describe("the zone of a domain", () => {
  test("is empty until it is rendered soon after", async () => {
    const world = await withDomain({ ttl_sec: 300 });
    expect(await zoneOf(world)).toEqual([]);
    await world.advance("PT29S");
    expect(await zoneOf(world)).toEqual([]);
    await world.advance("PT2S");
    const lines = await zoneOf(world);
    expect(lines).toEqual([
      "; example.com [1]",
      "$TTL 300",
      `@ IN SOA ns1.cloud-compute.example. admin.example.com. ${serialOf(lines)} 14400 14400 1209600 300`,
      "@ IN NS ns1.cloud-compute.example.",
      "@ IN NS ns2.cloud-compute.example.",
    ]);
  });

  test("waits while jobs are on hold, and is rendered on settling", async () => {
    const world = await withDomain();
    await controls.hold(world.controls, { body: { hold: true } });
    await world.advance("PT1H");
    expect(await zoneOf(world)).toEqual([]);
    await controls.hold(world.controls, { body: { hold: false } });
    await world.settle();
    expect(await zoneOf(world)).toHaveLength(5);
    expect(await world.settle()).toBe(0);
  });

  test("is rendered once for several changes, and again for each later change, with a growing serial", async () => {
    const world = await withDomain();
    const { admin, settle } = world;
    await api.createDomainRecord(admin, { path, body: { type: "A", name: "www", target: "192.0.2.7" } });
    await api.createDomainRecord(admin, { path, body: { type: "TXT", target: "gone soon" } });
    expect(await settle()).toBe(1);
    const seen = [await zoneOf(world)];
    const changes = [
      () => api.updateDomainRecord(admin, { path: { ...path, recordId: 1 }, body: { target: "192.0.2.8" } }),
      () => api.deleteDomainRecord(admin, { path: { ...path, recordId: 2 } }),
      () => api.updateDomain(admin, { path, body: { soa_email: "other@example.com" } }),
      () => api.updateDomain(admin, { path, body: { domain: "example.net" } }),
    ];
    for (const change of changes) {
      await change();
      expect(await zoneOf(world)).toEqual(seen.at(-1));
      expect(await settle()).toBe(1);
      seen.push(await zoneOf(world));
    }
    const serials = seen.map(serialOf);
    expect(serials).toEqual(serials.toSorted((a, b) => a - b));
    expect(new Set(serials).size).toBe(serials.length);
    expect(seen.at(-1)).toEqual([
      "; example.net [1]",
      "$TTL 86400",
      `@ IN SOA ns1.cloud-compute.example. other.example.com. ${serials.at(-1)} 14400 14400 1209600 86400`,
      "@ IN NS ns1.cloud-compute.example.",
      "@ IN NS ns2.cloud-compute.example.",
      "www IN A 192.0.2.8",
    ]);
  });

  test("is not rendered while the domain is disabled, and keeps its last lines", async () => {
    const world = await withDomain({ status: "disabled" });
    const { admin, settle } = world;
    expect(await settle()).toBe(0);
    expect(await zoneOf(world)).toEqual([]);
    await api.updateDomain(admin, { path, body: { status: "active" } });
    await settle();
    const active = await zoneOf(world);
    expect(active).toHaveLength(5);
    await api.createDomainRecord(admin, { path, body: { type: "TXT", target: "x" } });
    await api.updateDomain(admin, { path, body: { status: "disabled" } });
    await api.createDomainRecord(admin, { path, body: { type: "TXT", target: "y" } });
    expect(await settle()).toBe(0);
    expect(await zoneOf(world)).toEqual(active);
    await api.updateDomain(admin, { path, body: { status: "active" } });
    await settle();
    expect(await zoneOf(world)).toHaveLength(7);
  });

  test("of a clone is independent", async () => {
    const world = await withDomain();
    const { admin, settle } = world;
    await api.createDomainRecord(admin, { path, body: { type: "CNAME", name: "www", target: "host.example.com" } });
    await api.cloneDomain(admin, { path, body: { domain: "example.net" } });
    await settle();
    const lines = await zoneOf(world, 2);
    expect(lines[0]).toBe("; example.net [2]");
    expect(lines.at(-1)).toBe("www IN CNAME host.example.com.");
    await api.deleteDomain(admin, { path });
    expect(await zoneOf(world, 2)).toEqual(lines);
  });

  test("leaves out records that nameservers reject, and lists them in the domain until they are fixed", async () => {
    const world = await withDomain({}, ["--pace", "0"]);
    const { admin, settle } = world;
    await api.createDomainRecord(admin, { path, body: { type: "A", name: "www", target: "192.0.2.7" } });
    await api.createDomainRecord(admin, { path, body: { type: "CNAME", name: "www", target: "a.b" } });
    await settle();
    const response = await api.getDomain(admin, { path });
    expect(response.errors).toBe("record 2 (CNAME www): an alias has no other records beside it");
    expect(await api.updateDomain(admin, { path, body: response })).toEqual(response);
    await api.deleteDomainRecord(admin, { path: { ...path, recordId: 1 } });
    await settle();
    expect((await api.getDomain(admin, { path })).errors).toBe("");
    expect((await zoneOf(world)).at(-1)).toBe("www IN CNAME a.b.");
  });

  test.skipIf(checkzone === undefined)("is accepted by named-checkzone, if this machine has it", async () => {
    const world = await withDomain({}, ["--pace", "0"]);
    const { admin, settle } = world;
    const bodies: readonly api.DomainRecordCreate[] = [
      { type: "A", name: "www", target: "[remote_addr]" },
      { type: "AAAA", target: "2001:db8::7", ttl_sec: 1 },
      { type: "NS", name: "sub", target: "www" },
      { type: "MX", target: "www.example.com", priority: 5 },
      { type: "CNAME", name: "alias", target: "www" },
      { type: "TXT", target: `"${"ü\\".repeat(1000)}` },
      { type: "SRV", target: "www", priority: 1, weight: 2, port: 3, service: "sip", protocol: "tcp" },
      { type: "PTR", name: "7", target: "www.example.com." },
      { type: "CAA", tag: "issuewild", target: "ca.example" },
    ];
    for (const body of bodies) await api.createDomainRecord(admin, { path, body });
    await settle();
    expect((await api.getDomain(admin, { path })).errors).toBe("");
    expect(checkZone("example.com", await zoneOf(world))).toMatch(/\nOK$/);
  });
});

test("serials contain the date, and always grow", () => {
  const noon = Date.parse("2026-01-02T12:00:00Z");
  expect(nextSerial(0, noon)).toBe(2_026_010_200);
  expect(nextSerial(2_026_010_200, noon)).toBe(2_026_010_201);
  expect(nextSerial(2_026_010_299, noon)).toBe(2_026_010_300);
  expect(nextSerial(2_026_010_300, noon)).toBe(2_026_010_301);
  expect(nextSerial(2_026_010_300, noon + 86_400_000)).toBe(2_026_010_301);
  expect(nextSerial(2_026_010_300, noon + 2 * 86_400_000)).toBe(2_026_010_400);
  expect(nextSerial(2 ** 32 - 1, noon)).toBe(2_026_010_200);
  expect(nextSerial(2 ** 32 - 1, Date.parse("9999-01-01T00:00:00Z"))).toBe(1);
});
