import { describe, expect, expectTypeOf, test } from "vitest";
import {
  callOperation,
  createBaseClient,
  paginateByCursor,
  type ApiPromise,
  type CallOptions,
  type Client,
} from "../index.js";
import { errorOf, sendJson, serve } from "../loopback.support.js";
import { encodeQuery } from "../request/request-encoders.js";

interface Page {
  readonly things: { readonly id: number }[];
  readonly meta: { readonly next?: string | null };
}
interface Request {
  readonly query?: { readonly after?: string | undefined; readonly limit?: number | undefined; readonly of?: string };
}

const names = { cursor: "after", size: "limit", items: "things", next: ["meta", "next"] } as const;

function listThings(client: Client, request: Request = {}, options?: CallOptions): ApiPromise<Page, never> {
  return callOperation(client, { method: "GET", path: "/things", encoders: [encodeQuery] }, request, options);
}

/** A list whose pages are these, with cursors `c1`, `c2` and so on; the last one has `last` in place of one. */
async function pages(contents: readonly (readonly number[])[], last: object = {}) {
  const { url, seen } = await serve((response, { url: at }) => {
    const after = new URL(at ?? "", "http://127.0.0.1").searchParams.get("after");
    const index = Number(after?.slice(1) ?? 0);
    const meta = index + 1 < contents.length ? { next: `c${index + 1}` } : last;
    sendJson({ things: contents[index]?.map((id) => ({ id })), meta })(response);
  });
  return { client: createBaseClient({ baseUrl: url }), asked: () => seen.map((each) => each.url) };
}

async function idsOf(items: AsyncIterable<{ readonly id: number }>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

describe("all items of a list with cursors", () => {
  test.each([{}, { next: null }, { next: "" }])("end at a page with %j", async (last) => {
    const { client, asked } = await pages([[1, 2], [], [3]], last);
    expect(await idsOf(paginateByCursor(names, listThings, client))).toEqual([1, 2, 3]);
    expect(asked()).toEqual(["/things", "/things?after=c1", "/things?after=c2"]);
  });

  test("keep the rest of the request, start at its cursor and have the requested size", async () => {
    const { client, asked } = await pages([[1], [2], [3]]);
    const all = paginateByCursor(
      names,
      listThings,
      client,
      { query: { after: "c1", limit: 9, of: "mine" } },
      { pageSize: 2 },
    );
    expect(await idsOf(all)).toEqual([2, 3]);
    expect(asked()).toEqual(["/things?after=c1&limit=2&of=mine", "/things?after=c2&limit=2&of=mine"]);
  });

  test("are typed, and so are pages", async () => {
    const { client } = await pages([[1], [2]]);
    const all = paginateByCursor(names, listThings, client);
    expectTypeOf(all).toExtend<AsyncIterable<{ readonly id: number }>>();
    const counts = [];
    for await (const { things } of all.pages()) counts.push(things.length);
    expect(counts).toEqual([1, 1]);
  });

  test("may be the body, with the cursor in a header", async () => {
    const { url } = await serve((response, { url: at }) => {
      if (at === "/things") response.setHeader("X-Next", "b");
      sendJson([at])(response);
    });
    const list = (client: Client, request: Request = {}, options?: CallOptions): ApiPromise<string[], never> =>
      callOperation(client, { method: "GET", path: "/things", encoders: [encodeQuery] }, request, options);
    const seen: string[] = [];
    const client = createBaseClient({ baseUrl: url });
    for await (const each of paginateByCursor({ cursor: "after", next: "X-Next" }, list, client)) seen.push(each);
    expect(seen).toEqual(["/things", "/things?after=b"]);
  });
});

test("a page that has its own cursor as the next one is an error", async () => {
  const { client } = await pages([[1], [2]], { next: "c1" });
  expect(await errorOf(idsOf(paginateByCursor(names, listThings, client)))).toMatchObject({ name: "TypeError" });
});

test("a loop ends at once with a signal", async () => {
  const { client, asked } = await pages([[1, 2], [3]]);
  const abort = new AbortController();
  const seen: number[] = [];
  const loop = async (): Promise<void> => {
    for await (const { id } of paginateByCursor(names, listThings, client, {}, { signal: abort.signal })) {
      seen.push(id);
      abort.abort("enough");
    }
  };
  expect(await errorOf(loop())).toMatchObject({ code: "aborted", cause: "enough" });
  expect([seen, asked()]).toEqual([[1], ["/things"]]);
});
