import * as api from "@cloud-compute/client";
import { errors } from "@cloud-compute/server";
import { expect, test } from "vitest";
import { start } from "../../testing.support.js";
import { addressAt } from "./addresses.js";
import { deploy, empty } from "./instances.support.js";

test("an instance has one public address, and a private one on request", async () => {
  const world = await start();
  expect((await empty(world)).ipv4).toEqual([expect.stringMatching(/^198\.1[89]\.\d+\.\d+$/)]);
  expect((await empty(world, { private_ip: true })).ipv4).toEqual([
    expect.stringMatching(/^198\.1[89]\.\d+\.\d+$/),
    expect.stringMatching(/^192\.168\.\d+\.\d+$/),
  ]);
});

test("no two instances of any account share an address", async () => {
  const world = await start();
  const eve = await world.user("eve", { account: "other" });
  const body = { region: "us-east", type: "g6-nanode-1", private_ip: true };
  const made = await Promise.all(
    [world.admin, eve].flatMap((client) => Array.from({ length: 8 }, () => api.createInstance(client, { body }))),
  );
  const addresses = made.flatMap(({ ipv4, ipv6 }) => [...ipv4, ipv6]);
  expect(new Set(addresses).size).toBe(3 * 16);
  for (const address of addresses) expect(address).not.toMatch(/\.(?:0|255)$/);
});

test("addresses of a deleted instance are assigned again only after the deletion", async () => {
  const world = await start();
  const { id, ipv4, ipv6 } = await deploy(world, { private_ip: true });
  await api.deleteInstance(world.admin, { path: { computeId: id } });
  expect((await empty(world, { private_ip: true })).ipv4).not.toEqual(ipv4);
  await world.settle();
  const next = await empty(world, { private_ip: true });
  expect(next.ipv4).toEqual(ipv4);
  // The IPv6 address follows from the id, and ids are never assigned again.
  expect(next.ipv6).not.toBe(ipv6);
});

test("the IPv6 address has all 128 bits", async () => {
  const world = await start();
  expect((await empty(world)).ipv6).toMatch(
    /^2001:db8:[0-9a-f]{1,4}:[0-9a-f]{1,4}:f03c:91ff:[0-9a-f]{4}:[0-9a-f]{1,4}\/128$/,
  );
});

test.each([
  ["public", 1, "198.18.0.1"],
  ["public", 254, "198.18.0.254"],
  ["public", 255, "198.18.1.1"],
  ["public", 130_048, "198.19.255.254"],
  ["public", 130_049, "240.0.0.1"],
  ["public", 130_048 + 15 * 2 ** 16 * 254, "254.255.255.254"],
  ["private", 1, "192.168.128.1"],
  ["private", 32_512, "192.168.255.254"],
  ["private", 32_513, "192.168.0.1"],
  ["private", 65_024, "192.168.127.254"],
] as const)("the %s address %i is %s", (kind, number, address) => {
  expect(addressAt(kind, number)).toBe(address);
});

test.each([
  ["public", 130_048 + 15 * 2 ** 16 * 254 + 1],
  ["private", 65_025],
] as const)("there is no %s address %i", (kind, number) => {
  expect(() => addressAt(kind, number)).toThrow(errors.unavailable().message);
});

test("an account gets an address that it has released, and not that of another account", async () => {
  const world = await start();
  const eve = await world.user("eve", { account: "other" });
  const { id, ipv4 } = await empty(world);
  await api.deleteInstance(world.admin, { path: { computeId: id } });
  await world.settle();
  const others = await api.createInstance(eve, { body: { region: "us-east", type: "g6-nanode-1" } });
  expect(others.ipv4).not.toEqual(ipv4);
  expect((await empty(world)).ipv4).toEqual(ipv4);
});
