import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { start } from "../testing.support.js";
import { deploy, empty } from "./instances.support.js";

test("an instance has one public address, and a private one when it is asked for", async () => {
  const world = await start();
  expect((await empty(world)).ipv4).toEqual([expect.stringMatching(/^198\.1[89]\.\d+\.\d+$/)]);
  expect((await empty(world, { private_ip: true })).ipv4).toEqual([
    expect.stringMatching(/^198\.1[89]\.\d+\.\d+$/),
    expect.stringMatching(/^192\.168\.\d+\.\d+$/),
  ]);
});

test("no two instances have the same address, of whatever account", async () => {
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

test("what a deleted instance had is given again, when it is gone and not before", async () => {
  const world = await start();
  const { id, ipv4, ipv6 } = await deploy(world, { private_ip: true });
  await api.deleteInstance(world.admin, { path: { computeId: id } });
  expect((await empty(world, { private_ip: true })).ipv4).not.toEqual(ipv4);
  await world.settle();
  const next = await empty(world, { private_ip: true });
  expect(next.ipv4).toEqual(ipv4);
  // This one follows from the id, which is never given again.
  expect(next.ipv6).not.toBe(ipv6);
});

test("the address of version 6 has all of its 128 bits", async () => {
  const world = await start();
  expect((await empty(world)).ipv6).toMatch(
    /^2001:db8:[0-9a-f]{1,4}:[0-9a-f]{1,4}:f03c:91ff:[0-9a-f]{4}:[0-9a-f]{1,4}\/128$/,
  );
});
