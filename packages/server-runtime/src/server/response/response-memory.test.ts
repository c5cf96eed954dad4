import { describe, expect, it } from "vitest";
import { adapterNames } from "../adapters/adapters.support.js";
import { ann, startLimitedServer, until, type LimitedServer } from "../adapters/limited-server.support.js";
import { request } from "../adapters/raw-http.support.js";
import type { BaseServerOptions } from "../options.js";
import { ResponseMemory } from "./response-memory.js";

const bob = "Authorization: Bearer bob";
const megabyte = 1_048_576;

/** An API with a small response and a large one, whose chunks have characters of one to four bytes. `made` lists the callers of the large one. */
function api(options: BaseServerOptions, text: string): LimitedServer & { readonly made: string[] } {
  const made: string[] = [];
  const getLarge = (_: unknown, { caller }: { readonly caller: unknown }): unknown => {
    made.push((caller as { readonly user: string }).user);
    return { status: 200, body: text };
  };
  const getSmall = (): unknown => ({ status: 200, body: "small" });
  const lines = { getLarge: "GET /large", getSmall: "GET /small" };
  return { ...startLimitedServer({ lines }, { getLarge, getSmall }, { validateResponses: "off", ...options }), made };
}

describe.each(adapterNames)("%s", (name) => {
  it("sends a large response in pieces", async () => {
    const text = "aé✓😀".repeat(20_000);
    const wire = (await api({}, text).listen(name)).wire();
    for (let round = 0; round < 2; round += 1) {
      wire.send(request("GET /v1/large", undefined, ann));
      const { status, headers, body } = await wire.answer();
      expect([status, headers["content-length"], body === JSON.stringify(text)]).toEqual([
        200,
        String(Buffer.byteLength(JSON.stringify(text))),
        true,
      ]);
    }
    wire.send(request("HEAD /v1/large", undefined, ann));
    expect((await wire.answer("HEAD")).headers["content-length"]).toBe(String(Buffer.byteLength(JSON.stringify(text))));
  });

  it("limits the responses of one user, and not those of others", async () => {
    const text = "a".repeat(8 * megabyte);
    const { listen, made } = api({ responseMemoryPerUser: 20 * megabyte }, text);
    const host = await listen(name);
    const first = host.wire();
    first.send(request("GET /v1/large", undefined, ann));
    await first.answer();
    const unread = Array.from({ length: 4 }, () => host.wire());
    for (const { socket } of unread) socket.pause();
    for (const wire of unread) wire.send(request("GET /v1/large", undefined, ann));
    await until(() => made.length === 3);
    const other = host.wire();
    other.send(request("GET /v1/small", undefined, ann));
    expect((await other.answer()).status).toBe(200);
    other.send(request("HEAD /v1/large", undefined, bob));
    expect((await other.answer("HEAD")).status).toBe(200);
    // One before, and the two for which there is room.
    expect(made).toEqual(["ann", "ann", "ann", "bob"]);
    for (const { socket } of unread) socket.destroy();
    await until(() => made.length === 6);
  });
});

describe("the memory of responses", () => {
  const bounds = { perUser: 10, inAll: 15, waitMs: 5 };

  it("has a limit for each user, and one for all", async () => {
    const memory = new ResponseMemory(bounds);
    const ofAnn = memory.reserveNow("ann", 8);
    expect(await memory.reserve("ann", 3)).toBe("user");
    const ofBob = await memory.reserve("bob", 7);
    expect(await memory.reserve("eve", 1)).toBe("all");
    expect(memory.usedBytes).toBe(15);
    ofAnn.release();
    ofAnn.release();
    if (typeof ofBob === "string") throw new Error(ofBob);
    ofBob.resize(3);
    expect(memory.usedBytes).toBe(3);
    ofBob.release();
    expect(memory.usedBytes).toBe(0);
  });

  it("is granted in order, and to a response that is larger than the limit if it is the only one", async () => {
    const memory = new ResponseMemory({ ...bounds, waitMs: 60_000 });
    const large = memory.reserveNow("ann", 100);
    const order: string[] = [];
    const waiting = ["bob", "eve"].map(async (user) => {
      const reservation = await memory.reserve(user, 10);
      order.push(user);
      return reservation;
    });
    large.release();
    const first = await waiting[0];
    expect([order, memory.usedBytes]).toEqual([["bob"], 10]);
    if (typeof first === "object") first.release();
    await waiting[1];
    expect([order, memory.usedBytes]).toEqual([["bob", "eve"], 10]);
  });
});
