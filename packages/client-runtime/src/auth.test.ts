import { inspect } from "node:util";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  apiKey,
  basic,
  bearer,
  bySecurity,
  call,
  connect,
  inCookies,
  inQuery,
  type Authorize,
  type ClientOptions,
  type Login,
  type Secret,
} from "./index.js";
import { failureOf, sendJson, serve } from "./loopback.support.js";

const operation = { method: "GET", path: "/x" };

/** The credentials that arrive with these options. */
async function sent(options: ClientOptions, more: object = {}): Promise<unknown> {
  const { url, seen } = await serve();
  await call(connect({ baseUrl: url, ...options }), { ...operation, ...more });
  const { authorization, cookie, "x-key": key } = seen[0]?.headers ?? {};
  return JSON.parse(JSON.stringify({ url: seen[0]?.url, authorization, cookie, key }));
}

// A client whose hook redirects every request to this URL.
function moved(to: string): ClientOptions {
  return {
    token: "t0k",
    authorize: apiKey({ in: "header", name: "X-Key" }, "k"),
    onRequest: (request: { url: string }) => void (request.url = to),
  };
}

describe("a token", () => {
  test.each<[string, Secret]>([
    ["a string", "t0k"],
    ["a function", () => "t0k"],
    ["a slow function", async () => "t0k"],
  ])("may be %s", async (_, token) => {
    expect(await sent({ token })).toEqual({ url: "/x", authorization: "Bearer t0k" });
  });

  test("is requested before each call, and the token of a call has priority", async () => {
    const { url, seen } = await serve();
    let count = 0;
    const client = connect({ baseUrl: url, token: () => `t${++count}` });
    await call(client, operation);
    await call(client, operation);
    await call(client, operation, {}, { token: "own" });
    await call(client, operation, {}, { token: undefined });
    expect(seen.map((each) => each.headers.authorization)).toEqual([
      "Bearer t1",
      "Bearer t2",
      "Bearer own",
      "Bearer t3",
    ]);
  });

  test("is not sent when it is empty, nor to public operations", async () => {
    expect(await sent({ token: "" })).toEqual({ url: "/x" });
    expect(await sent({ token: "t0k", authorize: basic("a", "b") }, { public: true })).toEqual({ url: "/x" });
  });

  test("gives way to an explicit header", async () => {
    expect(await sent({ token: "t0k", headers: { Authorization: "Own x" } })).toEqual({
      url: "/x",
      authorization: "Own x",
    });
  });

  test.each(["t\r\nX: y", "t\n", "t\u20ac", "t\0"])("rejects %j without quoting it", async (token) => {
    const { url, seen } = await serve();
    const error = await failureOf(call(connect({ baseUrl: url, token: `hush${token}` }), operation));
    expect(error).toMatchObject({
      code: "request",
      message: `GET ${url}/x: header authorization cannot be sent`,
    });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("hush");
    expect(seen).toEqual([]);
  });

  test("does not follow a hook to another origin", async () => {
    const other = await serve();
    const { url, seen } = await serve();
    await call(connect({ baseUrl: url, ...moved(`${other.url}/x`) }), operation);
    await call(connect({ baseUrl: url, ...moved(other.url.replace("127.0.0.1", "localhost")) }), operation).catch(
      () => {},
    );
    await call(connect({ baseUrl: url, ...moved(`${url}/y`) }), operation);
    expect(other.seen.map((each) => [each.headers.authorization, each.headers["x-key"]])).toEqual(
      other.seen.map(() => [undefined, undefined]),
    );
    expect(seen.map((each) => [each.url, each.headers.authorization])).toEqual([["/y", "Bearer t0k"]]);
  });

  test("does not follow a hook to plain HTTP on the same host", async () => {
    const asked: unknown[] = [];
    const fetch = async (url: string, init: RequestInit) => {
      asked.push([url, new Headers(init.headers).get("authorization")]);
      return Response.json({});
    };
    for (const scheme of ["https", "http"])
      await call(
        connect({ baseUrl: "https://api.example:8443", fetch, ...moved(`${scheme}://api.example:8443/x`) }),
        operation,
      );
    expect(asked).toEqual([
      ["https://api.example:8443/x", "Bearer t0k"],
      ["http://api.example:8443/x", null],
    ]);
  });

  test("does not follow a redirect to another origin", async () => {
    const other = await serve();
    const { url } = await serve((reply) => reply.writeHead(302, { location: `${other.url}/y` }).end());
    await call(connect({ baseUrl: url, token: "t0k" }), operation);
    expect(other.seen.map((each) => [each.url, each.headers.authorization])).toEqual([["/y", undefined]]);
  });

  test("function that throws makes the call throw the same error", async () => {
    const reason = new RangeError("no session");
    const token = () => Promise.reject(reason);
    expect(await failureOf(call(connect({ baseUrl: "http://127.0.0.1:2", token }), operation))).toBe(reason);
  });
});

// Like some engines, this one quotes its input.
async function quoting(url: string): Promise<never> {
  throw new Error(`request to ${url} failed`);
}

test("errors and clients have no output with the token", async () => {
  const { url } = await serve(sendJson({ errors: [{ reason: "no" }] }, 401));
  const client = connect({ baseUrl: url, token: "t0k", authorize: apiKey({ in: "query", name: "k" }, "s3cret") });
  const errors = [
    await failureOf(call(client, operation)),
    await failureOf(call(client, operation, {}, { fetch: quoting })),
  ];
  for (const shown of [client, ...errors]) {
    const all = inspect(shown, { depth: 9, showHidden: true, getters: true }) + JSON.stringify(shown);
    expect(all).not.toMatch(/t0k|s3cret/);
  }
  expect(errors.map((each) => each.message)).toEqual([`GET ${url}/x: 401 no`, `GET ${url}/x: no response`]);
});

describe("other credentials", () => {
  test.each<[string, Authorize, unknown]>([
    [
      "basic",
      basic("ada", "pass:wörd"),
      { url: "/x", authorization: `Basic ${Buffer.from("ada:pass:wörd").toString("base64")}` },
    ],
    ["bearer", bearer("t0k"), { url: "/x", authorization: "Bearer t0k" }],
    ["a key in a header", apiKey({ in: "header", name: "X-Key" }, async () => "k"), { url: "/x", key: "k" }],
    ["a key in the query", apiKey({ in: "query", name: "api key" }, "a&b"), { url: "/x?api%20key=a%26b" }],
    ["a key in a cookie", apiKey({ in: "cookie", name: "sid" }, "a;b"), { url: "/x", cookie: "sid=a%3Bb" }],
  ])("%s", async (_, authorize, expected) => {
    expect(await sent({ authorize })).toEqual(expected);
  });

  test("are added to existing ones", async () => {
    const { url, seen } = await serve();
    const keys = [apiKey({ in: "query", name: "k" }, "1"), apiKey({ in: "cookie", name: "k" }, "2")];
    const authorize: Authorize = async (...all) => {
      for (const each of keys) await each(...all);
    };
    await call(
      connect({ baseUrl: url, authorize }),
      { ...operation, write: [inQuery, inCookies] },
      { query: { a: 1 }, cookies: { b: 2 } },
    );
    expect([seen[0]?.url, seen[0]?.headers.cookie]).toEqual(["/x?a=1&k=1", "b=2; k=2"]);
  });

  test("throw for values that cannot be sent, without quoting them", async () => {
    for (const authorize of [
      basic("a:hush", "b"),
      apiKey({ in: "header", name: "X-Key" }, "hush\n"),
      bearer("hush\u20ac"),
    ]) {
      const error = await failureOf(call(connect({ baseUrl: "http://127.0.0.1:2/?a=1", authorize }), operation));
      expect(error).toMatchObject({ code: "request", url: "http://127.0.0.1:2/x" });
      expect(inspect(error, { showHidden: true })).not.toContain("hush");
    }
  });

  test("a key in a header is not sent along a redirect", async () => {
    const other = await serve();
    const { url } = await serve((reply) => reply.writeHead(302, { location: other.url }).end());
    const client = connect({ baseUrl: url, authorize: apiKey({ in: "header", name: "X-Key" }, "k") });
    expect(await failureOf(call(client, operation))).toMatchObject({ code: "network" });
    expect(other.seen).toEqual([]);
  });
});

describe("bySecurity", () => {
  const schemes = {
    key: (key: Secret) => apiKey({ in: "header", name: "X-Key" }, key),
    session: (key: Secret) => apiKey({ in: "cookie", name: "sid" }, key),
    login: ({ user, password }: Login) => basic(user, password),
    oauth: bearer,
  };
  const login = { user: "a", password: "b" };

  test.each([
    ["the first alternative", { key: "k", oauth: "t" }, [["key"], ["oauth"]], { key: "k" }],
    [
      "the first requirement whose credentials are complete",
      { key: "k", oauth: "t" },
      [["key", "session"], ["oauth"]],
      { authorization: "Bearer t" },
    ],
    [
      "all of an alternative",
      { key: "k", session: "s" },
      [["oauth"], ["key", "session"]],
      { key: "k", cookie: "sid=s" },
    ],
    ["a login", { login }, [["login"]], { authorization: "Basic YTpi" }],
    ["none if no requirement is satisfied", { key: "k" }, [[], ["key"]], {}],
    ["none if every requirement is incomplete", { session: "s" }, [["key", "session"], ["oauth"]], {}],
    ["none if the operation has no requirement", { key: "k" }, undefined, {}],
    ["none for an inherited name", {}, [["constructor"], ["toString"]], {}],
  ])("takes %s", async (_, credentials, security, expected) => {
    const authorize = bySecurity(schemes, credentials);
    expect(await sent({ authorize }, { security })).toEqual({ url: "/x", ...expected });
  });

  test("knows the type of each credential", () => {
    expectTypeOf(bySecurity<typeof schemes>)
      .parameter(1)
      .toEqualTypeOf<{
        readonly key?: Secret | undefined;
        readonly session?: Secret | undefined;
        readonly login?: Login | undefined;
        readonly oauth?: Secret | undefined;
      }>();
  });
});
