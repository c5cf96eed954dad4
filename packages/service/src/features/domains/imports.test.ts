import { createServer, type AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import * as api from "@cloud-compute/client";
import { expect, onTestFinished, test } from "vitest";
import { maxMessageBytes } from "../../dns/axfr.js";
import { nameserver } from "../../dns/nameserver.support.js";
import { failure, start } from "../../testing.support.js";

const rejected = [400, "remote_nameserver: The remote nameserver cannot be reached, or does not hand the zone over"];

test("a failed import reveals neither by its message nor by its duration what is at the address", async () => {
  const { admin } = await start();
  const elapsed = async (remote_nameserver: string): Promise<number> => {
    const begun = performance.now();
    const answer = await failure(api.importDomain(admin, { body: { domain: "example.com", remote_nameserver } }));
    expect(answer).toEqual(rejected);
    return performance.now() - begun;
  };
  const times = await Promise.all([
    elapsed("127.0.0.1:1"),
    elapsed(await nameserver(({ socket }) => void socket.end("no message"))),
    elapsed(await nameserver(() => {})),
    elapsed(await nameserver(({ send }) => send([], { flags: 5 }))),
    elapsed("10.0.0.1:53"),
    elapsed("169.254.169.254:80"),
    elapsed("missing.invalid"),
  ]);
  // Timers have a resolution of one millisecond.
  expect(Math.min(...times)).toBeGreaterThanOrEqual(maxMessageBytes - 2);
  // Less than the 9 seconds of a complete transfer: a silent nameserver is abandoned at the same time.
  expect(Math.max(...times)).toBeLessThan(maxMessageBytes + 3000);
});

test("an import reaches this machine by its own addresses only with --allow-private-nameservers", async () => {
  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4");
  // A machine without a network has no such address.
  const host = own?.address ?? "10.0.0.1";
  let connections = 0;
  const listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, "0.0.0.0", resolve));
  onTestFinished(() => void listener.close());
  const remote_nameserver = `${host}:${(listener.address() as AddressInfo).port}`;
  const body = { domain: "example.com", remote_nameserver };
  const [careful, open] = [await start(), await start(["--allow-private-nameservers"])];
  const importing = [careful, open].map(({ admin }) => failure(api.importDomain(admin, { body })));
  expect(await Promise.all(importing)).toEqual([rejected, rejected]);
  // The connection of the service with the option.
  expect(connections).toBe(own === undefined ? 0 : 1);
});
