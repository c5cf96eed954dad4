import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { resolveNameserver } from "./nameserver.js";

const nothing = { allowsLoopback: false };

const own = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0)
  .map(({ address }) => address);

/** Private networks: the first and the last address of each, and the neighbors if those are public. */
const inPrivateNetworks = [
  "10.0.0.0",
  "10.255.255.255",
  "100.64.0.0",
  "100.127.255.255",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.168.0.1",
  "198.18.0.1",
  "198.19.255.255",
  "fc00::1",
  "fdff:ffff::1",
  "fec0::1",
  "64:ff9b:1::1",
  "100::1",
];

/** An IPv4 address in every IPv6 form of it. */
function formsOf(ipv4: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
  const groups = [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)].join(":");
  return [
    `::ffff:${ipv4}`,
    `::ffff:${groups}`,
    `0:0:0:0:0:FFFF:${groups}`,
    `::${ipv4}`,
    `::ffff:0:${groups}`,
    `64:ff9b::${ipv4}`,
    `64:ff9b::${groups}`,
    `2002:${groups}::1`,
  ];
}

test.each([...inPrivateNetworks, ...formsOf("10.1.2.3"), ...formsOf("192.168.7.8"), ...own])(
  "%s is used only if private networks are allowed",
  async (address) => {
    expect(await resolveNameserver(`[${address}]:5353`, nothing)).toEqual([]);
    expect(await resolveNameserver(`[${address}]:5353`, { ...nothing, allowsLoopback: true })).toEqual([]);
    expect(await resolveNameserver(`[${address}]:5353`, { ...nothing, allowsPrivate: true })).toEqual([
      { address, port: 5353 },
    ]);
  },
);

test.each(["127.0.0.1", "127.255.0.1", "0.0.0.0", "::1", "::", ...formsOf("127.0.0.1")])(
  "%s is used only if loopback is allowed",
  async (address) => {
    expect(await resolveNameserver(`[${address}]`, nothing)).toEqual([]);
    expect(await resolveNameserver(`[${address}]`, { ...nothing, allowsPrivate: true })).toEqual([]);
    expect(await resolveNameserver(`[${address}]`, { ...nothing, allowsLoopback: true })).toEqual([
      { address, port: 53 },
    ]);
  },
);

test.each([
  "169.254.169.254",
  "fd00:ec2::254",
  "fd00:0ec2:0::0254",
  "fe80::1",
  "fe80::1%lo",
  "ff02::1",
  "224.0.0.1",
  "255.255.255.255",
  "240.0.0.1",
  "2001:0:1::1",
  ...formsOf("169.254.169.254"),
])("%s is never used", async (address) => {
  expect(await resolveNameserver(`[${address}]`, { allowsLoopback: true, allowsPrivate: true })).toEqual([]);
});

test.each([
  "9.255.255.255",
  "11.0.0.1",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.1",
  "198.17.255.255",
  "2001:db8::1",
  "2600::1",
  ...formsOf("9.9.9.9"),
])("%s is public", async (address) => {
  expect(await resolveNameserver(`[${address}]`, nothing)).toEqual([{ address, port: 53 }]);
});
