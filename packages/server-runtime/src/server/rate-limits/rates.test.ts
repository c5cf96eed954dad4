import { describe, expect, it } from "vitest";
import { WebServerRequest } from "../adapters/fetch/web-request.js";
import { createRequestContext } from "../request/create-request-context.js";
import type { Caller } from "../request/request-context.js";
import type { RateLimit } from "./limits.js";
import { createMemoryStore } from "./memory-store.js";
import { countRates, isCountedBeforeDecoding } from "./rates.js";

function requestOf(caller: Caller | undefined, address?: string) {
  const received = new WebServerRequest(new Request("http://localhost/"), () => address);
  return Object.assign(createRequestContext(received, { operation: "get", requestId: "r", now: 0 }), { caller });
}

const toCounted = (limit: RateLimit) => ({ limit });
const rate = (id: string, max: number): RateLimit => ({ kind: "rate", id, max, windowSeconds: 10 });

describe("rates", () => {
  it("count by user from any address, or by address", async () => {
    const store = createMemoryStore();
    const left = async (...who: Parameters<typeof requestOf>) => {
      const { exceeded, narrowest } = await countRates([{ limit: rate("a", 2) }], requestOf(...who), { store });
      return exceeded === undefined ? narrowest?.result.remaining : "exceeded";
    };
    const ann = { user: "ann" };
    expect([await left(ann, "x"), await left(ann, "y"), await left(ann, "x")]).toEqual([1, 0, "exceeded"]);
    expect([await left({ user: "bob" }, "x"), await left(undefined, "x"), await left(undefined, "y")]).toEqual([
      1, 1, 1,
    ]);
    expect([await left(undefined), await left(undefined)]).toEqual([1, 0]);
  });

  it("keep users apart from each other, and from equal addresses", async () => {
    const store = createMemoryStore();
    const left = async (caller: Caller | undefined) =>
      (await countRates([{ limit: rate("a", 1) }], requestOf(caller, "192.0.2.1"), { store })).exceeded?.limit.id;
    expect(await left({ user: "192.0.2.1" })).toBe(undefined);
    expect(await left(undefined)).toBe(undefined);
    expect([await left({ user: 5 }), await left({ user: "5" })]).toEqual([undefined, undefined]);
    expect(await left({ user: 5 })).toBe("a");
  });

  it("report the one with the fewest remaining requests, or the first exceeded one", async () => {
    const store = createMemoryStore();
    const count = () =>
      countRates([rate("wide", 5), rate("narrow", 2), rate("all", 3)].map(toCounted), requestOf({ user: "ann" }), {
        store,
      });
    expect((await count()).narrowest).toMatchObject({ limit: { id: "narrow" }, result: { remaining: 1 } });
    expect((await count()).narrowest).toMatchObject({ limit: { id: "narrow" }, result: { remaining: 0 } });
    expect((await count()).exceeded).toMatchObject({ limit: { id: "narrow" } });
    expect(await countRates([], requestOf(undefined), { store })).toEqual({});
  });

  it("may count by another property of the caller", async () => {
    const store = createMemoryStore();
    const per = { root: "caller", name: "account", pointer: ["id"] } as const;
    const isExceeded = async (caller: Caller & { readonly account?: { readonly id: string } }) =>
      (await countRates([{ limit: rate("a", 1), per }], requestOf(caller, "x"), { store })).exceeded !== undefined;
    expect(await isExceeded({ user: "ann", account: { id: "a" } })).toBe(false);
    expect(await isExceeded({ user: "bob", account: { id: "a" } })).toBe(true);
    expect(await isExceeded({ user: "bob", account: { id: "b" } })).toBe(false);
    expect([await isExceeded({ user: "ann" }), await isExceeded({ user: "bob" })]).toEqual([false, true]);
  });
});

it("a rate by a part of the request counts decoded values", async () => {
  const store = createMemoryStore();
  const per = { root: "request", part: "path", name: "id", pointer: [] } as const;
  const isExceeded = async (id: number) => {
    const counting = { store, input: { path: { id } } };
    return (
      (await countRates([{ limit: rate("a", 1), per }], requestOf({ user: "ann" }), counting)).exceeded !== undefined
    );
  };
  expect([
    isCountedBeforeDecoding({ limit: rate("a", 1), per }),
    isCountedBeforeDecoding({ limit: rate("a", 1) }),
  ]).toEqual([false, true]);
  expect([await isExceeded(5), await isExceeded(6), await isExceeded(5)]).toEqual([false, false, true]);
});
