import type { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AdapterServer } from "../../listen.support.js";
import { createAdapterApi, oneMegabyte, type AdapterApi } from "./adapter-api.support.js";
import { adapterNames, adapters, type AdapterName } from "./adapters.support.js";
import { request, connectRaw, type RawConnection } from "./raw-http.support.js";

interface Started {
  readonly api: AdapterApi;
  readonly host: AdapterServer;
  readonly wire: RawConnection;
}

/** Requests on one connection. */
const rounds = process.env["MODE"] === "full" ? 1000 : 200;

async function start(name: AdapterName): Promise<Started> {
  const api = createAdapterApi();
  const host = await adapters[name](api);
  onTestFinished(host.close);
  return { api, host, wire: connectRaw(host.port) };
}

describe.each(adapterNames)("%s", (name) => {
  it("reads no more of a stream than the client, and cancels it when the client disconnects", async () => {
    const { api, host, wire } = await start(name);
    wire.send(request("GET /v4/endless"));
    await wire.begin();
    wire.socket.pause();
    await turns(host, 50);
    const made = api.made;
    await turns(host, 50);
    // The operating system buffers some megabytes.
    expect(api.made).toBeLessThan(64 * oneMegabyte);
    expect(api.made).toBe(made);
    wire.socket.destroy();
    await api.written("endless: cancelled");
    expect(api.diary).toEqual(["endless: cancelled"]);
  });

  it("cancels a stream without data when the client disconnects", async () => {
    const { api, wire } = await start(name);
    wire.send(request("GET /v4/silent"));
    await wire.begin();
    wire.socket.destroy();
    await api.written("silent: cancelled");
    expect(api.diary).toEqual(["silent: cancelled"]);
  });

  it.each([
    ["nothing was sent with it", undefined],
    ["a body came with it", "abc"],
  ])("reports during the handler that the client disconnected, if %s", async (_, body) => {
    const { api, host, wire } = await start(name);
    wire.send(request("POST /v4/waits", body ?? ""));
    await api.written("waits: begun");
    wire.socket.destroy();
    await api.written("waits: left");
    // The response has no recipient. That is not an error.
    await turns(host, 3);
    expect(api.diary).toEqual(["waits: begun", "waits: left"]);
  });

  it("reports it if the body was read before", async () => {
    const { api, wire } = await start(name);
    wire.send(request("POST /v4/reads-and-waits", "abc"));
    await api.written("reads-and-waits: abc");
    wire.socket.destroy();
    await api.written("waits: left");
  });

  it("does not report it after the response, and leaves no listener on the connection", async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error): void => void warnings.push(warning);
    process.on("warning", warned);
    onTestFinished(() => void process.off("warning", warned));
    const { api, host, wire } = await start(name);
    const socket = connectionOf(host);
    wire.send(request("GET /v4/asks"));
    await wire.answer();
    const before = listenersOn(await socket);
    for (let index = 0; index < rounds; index += 1) {
      wire.send(index % 2 === 0 ? request("GET /v4/asks") : request("POST /v4/asks", "abc"));
      expect(await wire.answer()).toMatchObject({ status: 200, body: "asked" });
    }
    expect(listenersOn(await socket)).toBe(before);
    collectGarbage();
    expect(api.signals.filter((signal) => signal.deref() !== undefined).length).toBeLessThan(rounds / 4);
    wire.socket.destroy();
    await turns(host, 3);
    expect([api.diary, warnings]).toEqual([[], []]);
  });
});

// Other runtimes do not report it to waiting requests.
describe.each(["node", "express", "fastify"] as const)("%s, for requests that wait for the one before them", (name) => {
  it("reports that the client disconnected", async () => {
    const { api, wire } = await start(name);
    wire.send(request("GET /v4/silent"), request("POST /v4/reads-and-waits", "abc"), request("GET /v4/endless"));
    await api.written("reads-and-waits: abc");
    while (api.made === 0) await new Promise(setImmediate);
    wire.socket.destroy();
    await Promise.all(["silent: cancelled", "waits: left", "endless: cancelled"].map((entry) => api.written(entry)));
    expect(api.made).toBeLessThan(oneMegabyte);
  });

  it("waits with one listener on the connection", async () => {
    const { api, host, wire } = await start(name);
    const socket = connectionOf(host);
    wire.send(request("GET /v4/waits").repeat(20));
    while (api.diary.length < 20) await new Promise(setImmediate);
    expect((await socket).listenerCount("close")).toBeLessThan(5);
    wire.socket.destroy();
    while (api.diary.filter((entry) => entry === "waits: left").length < 20) await new Promise(setImmediate);
  });
});

/** The first connection, as the server has it. */
function connectionOf({ server }: AdapterServer): Promise<Socket> {
  return new Promise((resolve) => server.once("connection", resolve));
}

function listenersOn(socket: Socket): number {
  return socket.eventNames().reduce((sum, event) => sum + socket.listenerCount(event), 0);
}

/** The server has handled this number of other requests, one after the other. */
async function turns({ port }: AdapterServer, count: number): Promise<void> {
  const wire = connectRaw(port);
  for (let index = 0; index < count; index += 1) {
    wire.send(request("GET /v4/text"));
    expect(await wire.answer()).toMatchObject({ status: 200 });
  }
  wire.socket.destroy();
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
