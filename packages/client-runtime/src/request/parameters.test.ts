import { describe, expect, test } from "vitest";
import {
  callOperation,
  createBaseClient,
  encodeCookies,
  encodeHeaders,
  encodeQuery,
  multiSegment,
  pathEncoder,
  simpleStyle,
  type Operation,
} from "../index.js";
import { errorOf, serve } from "../loopback.support.js";
import { percentEncode } from "./parameters.js";

/** What arrives with these arguments. */
async function sent(operation: Partial<Operation>, request: object, base = ""): Promise<string | undefined> {
  const { url, seen } = await serve();
  await callOperation(
    createBaseClient({ baseUrl: url + base }),
    { method: "GET", path: "/x", encoders: [encodeQuery], ...operation },
    request,
  );
  return seen[0]?.url;
}

describe("a path", () => {
  test.each([
    [5, "5"],
    [0, "0"],
    [false, "false"],
    [12345678901234567890n, "12345678901234567890"],
    ["a b/c?d#e%2e", "a%20b%2Fc%3Fd%23e%252e"],
    ["!'()*~-._é\\", "!'()*~-._%C3%A9%5C"],
    ["...", "..."],
    ["%2e%2e", "%252e%252e"],
    ["__proto__", "__proto__"],
    ["$&", "%24%26"],
  ])("encodes %o as %s", async (id, expected) => {
    expect(await sent({ path: "/things/{id}/parts" }, { path: { id } })).toBe(`/things/${expected}/parts`);
  });

  test.each([
    [new Date(0), "1970-01-01T00%3A00%3A00.000Z"],
    [["a", 1, "b,c"], "a,1,b%2Cc"],
    ["!'()*~-._é\\", "%21%27%28%29%2A~-._%C3%A9%5C"],
  ])("with an encoder encodes %o as %s", async (id, expected) => {
    const segment = pathEncoder({ id: simpleStyle });
    expect(await sent({ path: "/{id}/{other}", pathEncoder: segment }, { path: { id, other: 5 } })).toBe(
      `/${expected}/5`,
    );
  });

  test("keeps the slashes of several segments and encodes each segment", async () => {
    const path = { imageId: "private/my image" };
    const segment = pathEncoder({ imageId: multiSegment });
    expect(await sent({ path: "/images/{imageId}", pathEncoder: segment }, { path })).toBe(
      "/images/private/my%20image",
    );
    expect(await sent({ path: "/images/{imageId}" }, { path })).toBe("/images/private%2Fmy%20image");
  });

  test.each([
    ["/things/{id}", undefined, "path id cannot be sent"],
    ["/things/{id}", null, "path id cannot be sent"],
    ["/things/{id}", "", "path id cannot be sent"],
    ["/things/{id}", ".", "path id cannot be sent"],
    ["/things/{id}", "..", "path id cannot be sent"],
    ["/things/{id}", [], "path id cannot be sent"],
    ["/things/{id}", [".."], "path id cannot be sent"],
    ["/things/{id}", { a: 1 }, "path id cannot be sent"],
    ["/things/{id}", Number.NaN, "path id cannot be sent"],
    ["/things/{id}", Infinity, "path id cannot be sent"],
    ["/things/{id}", new Date(0), "path id cannot be sent"],
    ["/things/{id}", ["a"], "path id cannot be sent"],
    ["/things/{id}", Symbol("s"), "path id cannot be sent"],
    ["/things/{id}", "\ud800", "URI malformed"],
  ])("%s throws for %o, which would change the path", async (path, id, reason) => {
    const { url, seen } = await serve();
    const error = await errorOf(
      callOperation(createBaseClient({ baseUrl: url }), { method: "DELETE", path }, { path: { id } }),
    );
    expect(error).toMatchObject({ code: "request", status: 0, url: path, message: `DELETE ${path}: ${reason}` });
    expect(seen).toEqual([]);
  });

  test.each(["a/../b", "a//b", "/a", "a/", "", "..", undefined, null, Number.NaN, {}])(
    "of several segments throws for %o, too",
    async (id) => {
      const operation = { method: "DELETE", path: "/things/{id}", pathEncoder: pathEncoder({ id: multiSegment }) };
      const error = await errorOf(
        callOperation(createBaseClient({ baseUrl: "http://127.0.0.1:2" }), operation, { path: { id } }),
      );
      expect(error).toMatchObject({ code: "request", url: "/things/{id}" });
    },
  );

  test("ignores inherited properties", async () => {
    for (const name of ["constructor", "__proto__", "toString"]) {
      const pending = callOperation(
        createBaseClient({ baseUrl: "http://127.0.0.1:2" }),
        { method: "GET", path: `/{${name}}` },
        { path: {} },
      );
      expect(await errorOf(pending)).toMatchObject({ code: "request" });
    }
    expect(
      await sent({ path: "/{constructor}/{__proto__}" }, { path: JSON.parse('{"constructor":1,"__proto__":2}') }),
    ).toBe("/1/2");
  });
});

describe("a query", () => {
  test.each([
    [{ page: 1, page_size: 25 }, "?page=1&page_size=25"],
    [{ a: undefined, b: null, c: "" }, "?c="],
    [{ tags: ["a", "b c"] }, "?tags=a&tags=b%20c"],
    [{ tags: [], nulls: [null, undefined] }, ""],
    [{ filter: { k: "v", n: 2, none: null } }, "?k=v&n=2"],
    [{ filter: { k: ["v", "w"] } }, "?k=v&k=w"],
    [{ since: new Date(0) }, "?since=1970-01-01T00%3A00%3A00.000Z"],
    [{ "a&b=c": "d&e=f+g" }, "?a%26b%3Dc=d%26e%3Df%2Bg"],
    [{ constructor: "x", toString: "y" }, "?constructor=x&toString=y"],
    [JSON.parse('{"__proto__":"x"}') as object, "?__proto__=x"],
    [{}, ""],
  ])("writes %o as %s", async (given, expected) => {
    expect(await sent({}, { query: given })).toBe(`/x${expected}`);
  });

  test.each([{ list: [{ a: 1 }] }, { map: { a: { b: 1 } } }, { lists: [[1]] }, { n: Number.NaN }])(
    "refuses %o",
    async (given) => {
      const error = await errorOf(
        callOperation(
          createBaseClient({ baseUrl: "http://127.0.0.1:2" }),
          { method: "GET", path: "/x", encoders: [encodeQuery] },
          { query: given },
        ),
      );
      expect(error).toMatchObject({ code: "request", message: expect.stringContaining("must be a string") });
    },
  );
});

describe("a base URL", () => {
  test.each([
    ["", "/x?a=1"],
    ["/", "/x?a=1"],
    ["/v4", "/v4/x?a=1"],
    ["/v4/", "/v4/x?a=1"],
    ["/v4//", "/v4/x?a=1"],
    ["/v4?tenant=1", "/v4/x?tenant=1&a=1"],
    ["/v4/?tenant=1#top", "/v4/x?tenant=1&a=1"],
    ["#top", "/x?a=1"],
  ])("may end in %o", async (base, expected) => {
    expect(await sent({}, { query: { a: 1 } }, base)).toBe(expected);
  });

  test.each([
    [undefined, "URL cannot be sent"],
    ["", "URL cannot be sent"],
    ["/v4", "URL cannot be sent"],
    ["localhost:8080", "URL cannot be sent"],
    ["file:///v4", "URL cannot be sent"],
    ["http://:hunter2@[", "URL cannot be sent"],
    ["http://ada:hunter2@127.0.0.1:1", "URL cannot be sent"],
  ])("may not be %o", async (baseUrl, reason) => {
    const error = await errorOf(callOperation(createBaseClient({ baseUrl }), { method: "GET", path: "/x" }));
    expect(error).toMatchObject({ code: "request", message: `GET /x: ${reason}` });
  });
});

describe("headers and cookies", () => {
  test("are encoded with commas and with semicolons", async () => {
    const { url, seen } = await serve();
    const request = {
      headers: { "X-List": ["a", 1], "X-None": undefined, "X-Null": null, "X-Latin": "é" },
      cookies: { session: "a;b", flag: true, none: undefined },
    };
    await callOperation(
      createBaseClient({ baseUrl: url, headers: { Cookie: "jar=1" } }),
      { method: "GET", path: "/x", encoders: [encodeHeaders, encodeCookies] },
      request,
    );
    const { cookie, ...rest } = seen[0]?.headers ?? {};
    expect(cookie).toBe("jar=1; session=a%3Bb; flag=true");
    expect(Object.entries(rest).filter(([name]) => name.startsWith("x-"))).toEqual([
      ["x-list", "a,1"],
      ["x-latin", "é"],
    ]);
  });

  test.each(["a\r\nb", "a\nb", "a\0b", "\u20ac", "\x7f"])("throw for %j without quoting it", async (value) => {
    const { url, seen } = await serve();
    const pending = callOperation(
      createBaseClient({ baseUrl: url }),
      { method: "GET", path: "/x", encoders: [encodeHeaders] },
      { headers: { "X-Note": `hush${value}` } },
    );
    expect(await errorOf(pending)).toMatchObject({
      code: "request",
      message: "GET " + url + "/x: header X-Note cannot be sent",
    });
    expect(seen).toEqual([]);
  });

  test("throw for an invalid name", async () => {
    const pending = callOperation(
      createBaseClient({ baseUrl: "http://127.0.0.1:2" }),
      { method: "GET", path: "/x", encoders: [encodeHeaders] },
      { headers: { "a b": 1 } },
    );
    expect(await errorOf(pending)).toMatchObject({ code: "request" });
  });
});

test("encode keeps unreserved characters, and encodes all others", () => {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const left = ascii.filter((each) => percentEncode(each) === each).join("");
  expect(left).toBe("-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~");
  expect(ascii.every((each) => decodeURIComponent(percentEncode(each)) === each)).toBe(true);
});
