import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  callOperation,
  createBaseClient,
  paginate,
  type CallOptions,
  type Client,
  type ItemOf,
  type ApiPromise,
} from "../index.js";
import { createDeferred, errorOf, sendJson, serve, type SeenRequest } from "../loopback.support.js";
import { encodeQuery } from "../request/request-encoders.js";

interface Page {
  readonly data: { readonly id: number }[];
  readonly page: number;
  readonly pages: number;
}
interface Request {
  readonly query?: {
    readonly page?: number | undefined;
    readonly page_size?: number | undefined;
    readonly of?: string;
  };
}

const names = { page: "page", size: "page_size", items: "data", pages: "pages" } as const;

function listThings(client: Client, request: Request = {}, options?: CallOptions): ApiPromise<Page, never> {
  return callOperation(client, { method: "GET", path: "/things", encoders: [encodeQuery] }, request, options);
}

/** A list with pages of two items; `odd` may respond to some pages otherwise. */
async function things(total: number, odd: (page: number, response: ServerResponse) => boolean = () => false) {
  const { url, seen } = await serve((response, { url: at }) => {
    const page = pageOf(at);
    if (odd(page, response)) return;
    const ids = Array.from({ length: total }, (_, index) => ({ id: index + 1 }));
    sendJson({ data: ids.slice(page * 2 - 2, page * 2), page, pages: Math.max(1, Math.ceil(total / 2)) })(response);
  });
  return { client: createBaseClient({ baseUrl: url }), asked: () => seen.map((each) => pageOf(each.url)), seen };
}

function pageOf(at: SeenRequest["url"]): number {
  return Number(new URL(at ?? "", "http://127.0.0.1").searchParams.get("page"));
}

async function idsOf(items: AsyncIterable<{ readonly id: number }>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

describe("all items of a list", () => {
  test.each([
    [0, 1, [1]],
    [1, 1, [1]],
    [2, 1, [1]],
    [3, 1, [1, 2]],
    [9, 4, [1, 2, 3, 4, 5]],
  ])("of %d, %d pages at a time", async (total, concurrency, pages) => {
    const { client, asked } = await things(total);
    const ids = await idsOf(paginate(names, listThings, client, {}, { concurrency }));
    expect(ids).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    expect(asked().sort((a, b) => a - b)).toEqual(pages);
  });

  test("are typed, and so are pages", async () => {
    const { client } = await things(3);
    const all = paginate(names, listThings, client);
    expectTypeOf(all).toExtend<AsyncIterable<{ readonly id: number }>>();
    expectTypeOf(all.pages()).toEqualTypeOf<AsyncGenerator<Page, void, undefined>>();
    const pages = [];
    for await (const { page } of all.pages()) pages.push(page);
    expect(pages).toEqual([1, 2]);
  });

  test("keep the rest of the request, start at its page and have the requested size", async () => {
    const { client, seen } = await things(6);
    const request = { query: { page: 2, page_size: 50, of: "mine" } };
    expect(await idsOf(paginate(names, listThings, client, request, { pageSize: 2 }))).toEqual([3, 4, 5, 6]);
    expect(seen.map((each) => each.url)).toEqual([
      "/things?page=2&page_size=2&of=mine",
      "/things?page=3&page_size=2&of=mine",
    ]);
  });

  test("are requested on demand, and again by each loop", async () => {
    const { client, asked } = await things(6);
    const all = paginate(names, listThings, client);
    expect(asked()).toEqual([]);
    for await (const { id } of all) if (id === 3) break;
    expect(asked()).toEqual([1, 2]);
    expect(await idsOf(all)).toHaveLength(6);
    expect(asked()).toEqual([1, 2, 1, 2, 3]);
  });

  test("arrive in order, whichever page arrives first", async () => {
    const later = createDeferred();
    const { client } = await things(7, (page, response) => {
      if (page === 3) response.once("finish", later.resolve);
      if (page !== 2) return false;
      void later.promise.then(() => sendJson({ data: [{ id: 3 }, { id: 4 }], page, pages: 4 })(response));
      return true;
    });
    expect(await idsOf(paginate(names, listThings, client, {}, { concurrency: 3 }))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("never request more pages at once than the limit", async () => {
    let now = 0;
    let most = 0;
    const { client } = await things(40);
    const counted: CallOptions["fetch"] = async (...request) => {
      most = Math.max(most, ++now);
      return fetch(...request).finally(() => now--);
    };
    expect(await idsOf(paginate(names, listThings, client, {}, { concurrency: 3, fetch: counted }))).toHaveLength(40);
    expect(most).toBe(3);
  });
});

test.each([0, -1, NaN])("%d pages at a time count as one", async (concurrency) => {
  const { client } = await things(3);
  expect(await idsOf(paginate(names, listThings, client, {}, { concurrency }))).toEqual([1, 2, 3]);
});

test("many pages at a time leak no memory", async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", note);
  const { client } = await things(80);
  const { signal } = new AbortController();
  for (const options of [{}, { signal }])
    expect(await idsOf(paginate(names, listThings, client, {}, { concurrency: 30, ...options }))).toHaveLength(80);
  await new Promise(setImmediate);
  process.off("warning", note);
  expect(warnings).toEqual([]);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

describe("a list that changes or fails", () => {
  test("may shrink meanwhile: an empty page is the last one", async () => {
    const { client, asked } = await things(20, (page, response) => {
      if (page < 3) return false;
      sendJson({ data: [], page, pages: 1000 })(response);
      return true;
    });
    expect(await idsOf(paginate(names, listThings, client))).toEqual([1, 2, 3, 4]);
    expect(asked()).toEqual([1, 2, 3]);
  });

  test.each([1, 4])(
    "may shrink meanwhile, and reject pages that no longer exist, %d at a time",
    async (concurrency) => {
      const { client } = await things(20, (page, response) => {
        if (page === 1) return false;
        if (page === 2) sendJson({ data: [{ id: 3 }], page, pages: 2 })(response);
        else sendJson({}, 404)(response);
        return true;
      });
      expect(await idsOf(paginate(names, listThings, client, {}, { concurrency }))).toEqual([1, 2, 3]);
    },
  );

  test("may grow meanwhile", async () => {
    const { client } = await things(6, (page, response) => {
      if (page !== 1) return false;
      sendJson({ data: [{ id: 1 }, { id: 2 }], page, pages: 2 })(response);
      return true;
    });
    expect(await idsOf(paginate(names, listThings, client))).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test.each([1, 4])("throws in order, after the items before the error, %d pages at a time", async (concurrency) => {
    const { client } = await things(10, (page, response) => {
      if (page !== 3) return false;
      sendJson({ reason: "no" }, 500)(response);
      return true;
    });
    const seen: number[] = [];
    const loop = async (): Promise<void> => {
      for await (const { id } of paginate(names, listThings, client, {}, { concurrency })) seen.push(id);
    };
    expect(await errorOf(loop())).toMatchObject({ code: "http", status: 500 });
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  test.each([
    [{ data: { id: 1 }, pages: 1 }, 'a page without an array in "data"'],
    [{ data: [{ id: 1 }], pages: "many" }, 'a page without a number in "pages"'],
    [null, 'a page without an array in "data"'],
  ])("throws for %j in place of a page", async (body, message) => {
    const { client } = await things(1, (_, response) => {
      sendJson(body)(response);
      return true;
    });
    expect(await errorOf(idsOf(paginate(names, listThings, client)))).toMatchObject({ name: "TypeError", message });
  });
});

describe("a loop that ends early", () => {
  test.each(["the client's", "its own"])("ends at once with %s signal, whatever has arrived", async (whose) => {
    const { client, asked } = await things(6);
    const abort = new AbortController();
    const { signal } = abort;
    const all =
      whose === "its own"
        ? paginate(names, listThings, client, {}, { signal, concurrency: 2 })
        : paginate(names, listThings, createBaseClient({ ...client.options(), signal }), {}, { concurrency: 2 });
    const seen: number[] = [];
    const loop = async (): Promise<void> => {
      for await (const { id } of all) {
        seen.push(id);
        if (id === 1) abort.abort("enough");
      }
    };
    expect(await errorOf(loop())).toMatchObject({ code: "aborted", cause: "enough" });
    expect([seen, asked()]).toEqual([[1], [1]]);
  });

  test("aborts a call in progress by its signal", async () => {
    const abort = new AbortController();
    const { client } = await things(6, (page) => {
      if (page === 2) abort.abort();
      return page === 2;
    });
    const all = paginate(names, listThings, client, {}, { signal: abort.signal });
    expect(await errorOf(idsOf(all))).toMatchObject({ code: "aborted" });
  });

  test("aborts requests for further pages", async () => {
    const closed = createDeferred();
    const { client } = await things(10, (page, response) => {
      if (page < 3) return false;
      response.on("close", closed.resolve);
      return true;
    });
    for await (const { id } of paginate(names, listThings, client, {}, { concurrency: 3 })) if (id === 3) break;
    await closed.promise;
  });
});

test("the type of items is known, even if a page may have none", () => {
  expectTypeOf<ItemOf<{ readonly data: readonly number[] }, "data">>().toEqualTypeOf<number>();
  expectTypeOf<ItemOf<{ data?: (number | null)[] }, "data">>().toEqualTypeOf<number | null>();
  expectTypeOf<ItemOf<{ data?: number[] | null | undefined } | { data: string[] }, "data">>().toEqualTypeOf<
    number | string
  >();
  expectTypeOf<ItemOf<{ data?: number }, "data">>().toEqualTypeOf<never>();
  expectTypeOf<ItemOf<{ others: number[] }, "data">>().toEqualTypeOf<never>();
});
