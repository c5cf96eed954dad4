import { describe, expect, it } from "vitest";
import type { Caller } from "./call.js";
import type { RateLimit } from "./limits.js";
import { memoryStore } from "./memory-store.js";
import { countRates, isEarly } from "./rates.js";
import { turnOf } from "./turn.js";
import { WebReceived } from "./web-received.js";

function turn(caller: Caller | undefined, address?: string) {
  const received = new WebReceived(new Request("http://localhost/"), () => address);
  return Object.assign(turnOf(received, { operation: "get", requestId: "r", now: 0 }), { caller });
}

const rate = (id: string, max: number): RateLimit => ({ kind: "rate", id, max, windowSeconds: 10 });

describe("rates", () => {
  it("count by user from any address, or by address", async () => {
    const store = memoryStore();
    const left = async (...who: Parameters<typeof turn>) => {
      const { refused, narrowest } = await countRates([{ limit: rate("a", 2) }], turn(...who), { general: [], store });
      return refused === undefined ? narrowest?.tally.remaining : "refused";
    };
    const ann = { user: "ann" };
    expect([await left(ann, "x"), await left(ann, "y"), await left(ann, "x")]).toEqual([1, 0, "refused"]);
    expect([await left({ user: "bob" }, "x"), await left(undefined, "x"), await left(undefined, "y")]).toEqual([
      1, 1, 1,
    ]);
    expect([await left(undefined), await left(undefined)]).toEqual([1, 0]);
  });

  it("keep users apart from each other, and from equal addresses", async () => {
    const store = memoryStore();
    const left = async (caller: Caller | undefined) =>
      (await countRates([{ limit: rate("a", 1) }], turn(caller, "192.0.2.1"), { general: [], store })).refused?.limit
        .id;
    expect(await left({ user: "192.0.2.1" })).toBe(undefined);
    expect(await left(undefined)).toBe(undefined);
    expect([await left({ user: 5 }), await left({ user: "5" })]).toEqual([undefined, undefined]);
    expect(await left({ user: 5 })).toBe("a");
  });

  it("report the one with the fewest remaining requests, or the first exceeded one", async () => {
    const store = memoryStore();
    const count = () =>
      countRates([{ limit: rate("wide", 5) }, { limit: rate("narrow", 2) }], turn({ user: "ann" }), {
        general: [rate("all", 3)],
        store,
      });
    expect((await count()).narrowest).toMatchObject({ limit: { id: "narrow" }, tally: { remaining: 1 } });
    expect((await count()).narrowest).toMatchObject({ limit: { id: "narrow" }, tally: { remaining: 0 } });
    expect((await count()).refused).toMatchObject({ limit: { id: "narrow" } });
    expect(await countRates([], turn(undefined), { general: undefined, store })).toEqual({});
  });

  it("may count by another property of the caller", async () => {
    const store = memoryStore();
    const per = { root: "caller", name: "account", pointer: ["id"] } as const;
    const isRefused = async (caller: Caller) =>
      (await countRates([{ limit: rate("a", 1), per }], turn(caller, "x"), { general: [], store })).refused !==
      undefined;
    expect(await isRefused({ user: "ann", account: { id: "a" } })).toBe(false);
    expect(await isRefused({ user: "bob", account: { id: "a" } })).toBe(true);
    expect(await isRefused({ user: "bob", account: { id: "b" } })).toBe(false);
    expect([await isRefused({ user: "ann" }), await isRefused({ user: "bob" })]).toEqual([false, true]);
  });
});

it("a rate by a part of the request counts decoded values", async () => {
  const store = memoryStore();
  const per = { root: "request", part: "path", name: "id", pointer: [] } as const;
  const isRefused = async (id: number) => {
    const counting = { store, input: { path: { id } } };
    return (await countRates([{ limit: rate("a", 1), per }], turn({ user: "ann" }), counting)).refused !== undefined;
  };
  expect([isEarly({ limit: rate("a", 1), per }), isEarly({ limit: rate("a", 1) })]).toEqual([false, true]);
  expect([await isRefused(5), await isRefused(6), await isRefused(5)]).toEqual([false, false, true]);
});
