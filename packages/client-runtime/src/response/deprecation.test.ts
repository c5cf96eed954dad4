import { afterEach, expect, test, vi } from "vitest";
import { callOperation, createBaseClient, withDeprecationWarnings, type DeprecationNotice } from "../index.js";
import { errorOf, sendJson, serve } from "../loopback.support.js";

const list = { method: "GET", path: "/notes/{id}" };

/** The notices of some calls, on a real connection. */
async function noticesOf(
  headers: Record<string, string>,
  { repeat, ids = [1], status = 200 }: { repeat?: boolean; ids?: readonly number[]; status?: number } = {},
): Promise<{ readonly notices: readonly DeprecationNotice[]; readonly url: string }> {
  const { url } = await serve(sendJson({}, status, headers));
  const notices: DeprecationNotice[] = [];
  const send = withDeprecationWarnings({ onDeprecation: (notice) => notices.push(notice), repeat });
  const client = createBaseClient({ baseUrl: `${url}?key=secret`, fetch: send });
  for (const id of ids) await callOperation(client, list, { path: { id } }).catch(() => undefined);
  return { notices, url };
}

afterEach(() => vi.restoreAllMocks());

test("reports the dates and links of a deprecated operation, and no query", async () => {
  const { notices, url } = await noticesOf({
    deprecation: "@1688169599",
    sunset: "Sun, 30 Jun 2024 23:59:59 GMT",
    link: '<https://a.example/a,b;c>; rel="deprecation"; title="a, b", <../new>; rel=successor-version, <https://a.example/next>; rel="next"',
  });
  expect(notices).toEqual([
    {
      operation: list,
      method: "GET",
      url: `${url}/notes/1`,
      deprecation: new Date("2023-06-30T23:59:59Z"),
      sunset: new Date("2024-06-30T23:59:59Z"),
      links: [
        { rel: "deprecation", url: "https://a.example/a,b;c" },
        { rel: "successor-version", url: `${url}/new` },
      ],
    },
  ]);
});

test.each([
  ["@0", new Date(0)],
  ["@-1", new Date(-1000)],
  ["@1688169599;a=b", new Date("2023-06-30T23:59:59Z")],
  ["Sun, 11 Nov 2018 23:59:59 GMT", new Date("2018-11-11T23:59:59Z")],
  ["true", undefined],
  ["@99999999999999999999", undefined],
])("the header %s is %s", async (deprecation, date) => {
  const { notices } = await noticesOf({ deprecation });
  expect(notices.map((each) => each.deprecation)).toEqual([date]);
});

test("a sunset alone is a notice, and so is one of an error", async () => {
  const { notices } = await noticesOf({ sunset: "Sun, 30 Jun 2024 23:59:59 GMT" }, { status: 404 });
  expect(notices).toHaveLength(1);
});

test("a link alone is none: it leads to the policy of an operation that is not deprecated", async () => {
  const { notices } = await noticesOf({ link: '<https://a.example>; rel="deprecation"' });
  expect(notices).toEqual([]);
});

test.each([
  ["links with several relations", '<https://a.example/>; rel="sunset deprecation"', ["deprecation", "sunset"]],
  ["a target that is not a URL", "<http://[>; rel=sunset", []],
  ["what is not a link", "sunset", []],
])("reads %s", async (_, link, relations) => {
  const { notices } = await noticesOf({ deprecation: "@0", link });
  expect(notices[0]?.links.map(({ rel }) => rel)).toEqual(relations);
});

test("a hostile header is read in linear time: with a quadratic one, this would not end", async () => {
  const link = `${"<a>".repeat(500_000)}${'"'.repeat(500_001)}`;
  const notices: DeprecationNotice[] = [];
  const fetch = withDeprecationWarnings({
    fetch: async () => Response.json({}, { headers: { deprecation: "@0", link } }),
    onDeprecation: (notice) => notices.push(notice),
  });
  await callOperation(createBaseClient({ baseUrl: "http://api.test", fetch }), list, { path: { id: 1 } });
  expect(notices).toHaveLength(1);
});

test("reports an operation once, or each response", async () => {
  const headers = { deprecation: "@0" };
  expect((await noticesOf(headers, { ids: [1, 2, 3] })).notices).toHaveLength(1);
  expect((await noticesOf(headers, { ids: [1, 2, 3], repeat: true })).notices).toHaveLength(3);
});

test("without a callback it warns in one line", async () => {
  const { url } = await serve(
    sendJson({}, 200, {
      deprecation: "@1767225600",
      sunset: "Wed, 30 Jun 2027 00:00:00 GMT",
      link: '<https://a.example/a>; rel="deprecation"',
    }),
  );
  const lines: unknown[] = [];
  vi.spyOn(console, "warn").mockImplementation((...line: unknown[]) => void lines.push(line));
  const client = createBaseClient({ baseUrl: url, fetch: withDeprecationWarnings() });
  await callOperation(client, list, { path: { id: 1 } });
  await callOperation(client, list, { path: { id: 2 } });
  expect(lines).toEqual([
    ["GET /notes/{id} is deprecated since 2026-01-01, ends 2027-06-30; deprecation: https://a.example/a"],
  ]);
});

test("what the callback throws is the cause of the call's error", async () => {
  const { url } = await serve(sendJson({}, 200, { deprecation: "@0" }));
  const thrown = new Error("no deprecated operations here");
  const send = withDeprecationWarnings({
    onDeprecation: () => {
      throw thrown;
    },
  });
  const error = await errorOf(
    callOperation(createBaseClient({ baseUrl: url, fetch: send }), list, { path: { id: 1 } }),
  );
  expect(error.cause).toBe(thrown);
});
