import { createServer, type AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import * as api from "@cloud-compute/client";
import { expect, onTestFinished, test } from "vitest";
import { nameserver } from "../../dns/nameserver.support.js";
import { failure, start } from "../../testing.support.js";

const rejected = [400, "remote_nameserver: The remote nameserver cannot be reached, or does not hand the zone over"];

test("a failed import does not reveal by its message what is at the address", async () => {
  const { admin } = await start();
  const addresses = [
    "127.0.0.1:1",
    await nameserver(({ socket }) => void socket.end("no message")),
    await nameserver(() => {}),
    await nameserver(({ send }) => send([], { flags: 5 })),
    "10.0.0.1:53",
    "169.254.169.254:80",
    "missing.invalid",
  ];
  const responses = addresses.map((remote_nameserver) =>
    failure(api.importDomain(admin, { body: { domain: "example.com", remote_nameserver } })),
  );
  expect(await Promise.all(responses)).toEqual(addresses.map(() => rejected));
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
