import { describe, expect, test } from "vitest";
import { callOperation } from "../call-operation.js";
import { createBaseClient, type CallOptions, type Client } from "../client.js";
import { createInfiniteQuery, createMutation, createQuery } from "./query.js";
import { changedBy, swr, swrInfinite, swrMutation } from "./swr.js";

interface ListRequest {
  readonly query?: { readonly page?: number; readonly tag?: unknown };
}

const listPets = (client: Client, request: ListRequest = {}, options?: CallOptions) =>
  callOperation<{ readonly pages?: number } | undefined>(client, { method: "GET", path: "/pets" }, request, options);

/** A client whose server sends these bodies, one after the other. */
function clientOf(...bodies: readonly (string | null)[]): Client {
  const waiting = [...bodies];
  const fetch = async (): Promise<Response> => {
    const body = waiting.shift() ?? null;
    return new Response(body, { status: body === null ? 204 : 200, headers: { "content-type": "application/json" } });
  };
  return createBaseClient({ fetch }, "http://127.0.0.1/v1");
}

const name = ["@pets/client", "Pet", "listPets"] as const;
const fields = { page: "page", pages: "pages" };

describe("a query", () => {
  test("has null in the place of a missing body, which the libraries do not allow", async () => {
    expect(await createQuery(listPets, name, clientOf(null), {}).queryFn({})).toBeNull();
  });

  test("writes large integers of a request as text, since keys are compared as JSON", () => {
    const day = new Date(0);
    const request = { query: { tag: [{ id: 2n ** 60n, day }] } };
    const { queryKey } = createQuery(listPets, name, clientOf(), request);
    expect(queryKey).toEqual([...name, { query: { tag: [{ id: "1152921504606846976n", day }] } }]);
    expect(request.query.tag[0]?.id).toBe(2n ** 60n);
  });
});

describe("an infinite query", () => {
  const query = createInfiniteQuery(listPets, name, fields, clientOf(), { query: { page: 3 } });

  test("begins with the page of the request, or the first one", () => {
    expect(query.initialPageParam).toBe(3);
    expect(createInfiniteQuery(listPets, name, fields, clientOf(), {}).initialPageParam).toBe(1);
  });

  test("ends with the last page, and with the first one", () => {
    expect([2, 3, 4].map((page) => query.getNextPageParam({ pages: 3 }, [], page))).toEqual([3, undefined, undefined]);
    expect([3, 2, 1].map((page) => query.getPreviousPageParam({ pages: 3 }, [], page))).toEqual([2, 1, undefined]);
  });

  test("reports a page without the number of pages: it would look like the end", () => {
    expect(() => query.getNextPageParam({}, [], 1)).toThrow('a page without a number in "pages"');
    expect(() => query.getNextPageParam(null, [], 1)).toThrow('a page without a number in "pages"');
  });

  test("has the keys of its pages for SWR, until the last one", async () => {
    const [keyOf, fetchPage] = swrInfinite(createInfiniteQuery(listPets, name, fields, clientOf('{"pages":2}'), {}));
    const first = keyOf(0, null);
    expect(first).toEqual([...name, {}, "pages", 1]);
    expect(first && (await fetchPage(first))).toEqual({ pages: 2 });
    expect(keyOf(1, { pages: 2 })?.at(-1)).toBe(2);
    expect(keyOf(2, { pages: 2 })).toBeNull();
  });
});

describe("a mutation", () => {
  const mutation = createMutation(listPets, ["@pets/client", "createPet"], ["Pet", "Owner"], clientOf("{}"));

  test("invalidates by the starts of keys", async () => {
    const invalidated: unknown[] = [];
    const client = { invalidateQueries: async (filters: object) => void invalidated.push(filters) };
    await mutation.onSettled(undefined, null, undefined, undefined, { client });
    expect(invalidated).toEqual([{ queryKey: ["@pets/client", "Pet"] }, { queryKey: ["@pets/client", "Owner"] }]);
  });

  test("selects keys for SWR", () => {
    const isChanged = changedBy(mutation);
    expect(isChanged(swr(createQuery(listPets, name, clientOf(), {}))[0])).toBe(true);
    expect([["@pets/client", "Shop"], ["Pet"], "@pets/client", undefined].filter(isChanged)).toEqual([]);
  });

  test("sends the argument for SWR", async () => {
    const [key, trigger] = swrMutation(mutation);
    expect([key, await trigger(key, { arg: {} })]).toEqual([["@pets/client", "createPet"], {}]);
  });
});
