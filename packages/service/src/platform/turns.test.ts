import { expect, test } from "vitest";
import { importingOf } from "../dns/imported.js";
import { renderingOf, renderZone } from "../dns/zone.js";
import { eachInTurns, inTurns, itemsOfTurn } from "./turns.js";

const count = 12_000;

/** The number of turns that other work gets during some work. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next: NodeJS.Immediate;
  const others = (): void => {
    turns += 1;
    next = setImmediate(others);
  };
  next = setImmediate(others);
  await work();
  clearImmediate(next);
  return turns;
}

const hosts = Array.from({ length: count }, (_, index) => `host${index}`);

const records = hosts.map(
  (name, id) =>
    ({
      id,
      type: "A",
      name,
      target: "192.0.2.1",
      priority: 0,
      weight: 0,
      port: 0,
      service: null,
      protocol: null,
      tag: null,
      ttl_sec: 300,
      created: "2026-01-01T00:00:00",
      updated: "2026-01-01T00:00:00",
    }) as const,
);

test("processes many items in turns, in their order", async () => {
  const done: string[] = [];
  const turns = await turnsOf(() => eachInTurns(hosts, async (host) => done.push(host)));
  expect(done).toEqual(hosts);
  expect(turns).toBeGreaterThanOrEqual(count / itemsOfTurn - 1);
});

test("renders a large zone in turns, with the same result as without turns", async () => {
  const domain = { domain: "example.com", id: 1, type: "master", master_ips: [], soa_email: "", serial: 1 };
  const times = { ttl_sec: 0, refresh_sec: 0, retry_sec: 0, expire_sec: 0 };
  const zone = { ...domain, ...times } as unknown as Parameters<typeof renderZone>[0];
  let rendered: unknown;
  const turns = await turnsOf(async () => (rendered = await inTurns(renderingOf(zone, records))));
  expect(rendered).toEqual(renderZone(zone, records));
  expect(turns).toBeGreaterThanOrEqual((2 * count) / 500 - 2);
});

test("imports a large zone in turns", async () => {
  const zone = "example.com";
  const data = { mname: "ns.example.com", rname: "a.example.com", serial: 1 };
  const soa = { name: zone, type: "SOA", data } as const;
  const answers = hosts.map(
    (host) => ({ name: `${host}.${zone}`, type: "A", class: "IN", ttl: 300, data: "192.0.2.1" }) as const,
  );
  let taken = 0;
  const turns = await turnsOf(
    async () => (taken = (await inTurns(importingOf({ zone, soa, records: answers }))).records.length),
  );
  expect(taken).toBe(count);
  expect(turns).toBeGreaterThanOrEqual(count / 500 - 2);
});
