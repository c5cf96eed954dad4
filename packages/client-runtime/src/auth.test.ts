import { inspect } from "node:util";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  apiKeyAuth,
  basicAuth,
  bearerAuth,
  authorizeBySecurity,
  callOperation,
  createBaseClient,
  encodeCookies,
  encodeQuery,
  type Authorize,
  type ClientOptions,
  type BasicCredentials,
  type Secret,
} from "./index.js";
import { errorOf, sendJson, serve } from "./loopback.support.js";

const operation = { method: "GET", path: "/x" };

/** The credentials that arrive with these options. */
async function sent(options: ClientOptions, more: object = {}): Promise<unknown> {
  const { url, seen } = await serve();
  await callOperation(createBaseClient({ baseUrl: url, ...options }), { ...operation, ...more });
  const { authorization, cookie, "x-key": key } = seen[0]?.headers ?? {};
  return JSON.parse(JSON.stringify({ url: seen[0]?.url, authorization, cookie, key }));
}

// A client whose hook redirects every request to this URL.
function moved(to: string): ClientOptions {
  return {
    token: "t0k",
    authorize: apiKeyAuth({ in: "header", name: "X-Key" }, "k"),
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
    const client = createBaseClient({ baseUrl: url, token: () => `t${++count}` });
    await callOperation(client, operation);
    await callOperation(client, operation);
    await callOperation(client, operation, {}, { token: "own" });
    await callOperation(client, operation, {}, { token: undefined });
    expect(seen.map((each) => each.headers.authorization)).toEqual([
      "Bearer t1",
      "Bearer t2",
      "Bearer own",
      "Bearer t3",
    ]);
  });

  test("is not sent when it is empty, nor to public operations", async () => {
    expect(await sent({ token: "" })).toEqual({ url: "/x" });
    expect(await sent({ token: "t0k", authorize: basicAuth("a", "b") }, { public: true })).toEqual({ url: "/x" });
  });

  test("gives way to an explicit header", async () => {
    expect(await sent({ token: "t0k", headers: { Authorization: "Own x" } })).toEqual({
      url: "/x",
      authorization: "Own x",
    });
  });

  test.each(["t\r\nX: y", "t\n", "t\u20ac", "t\0"])("rejects %j without quoting it", async (token) => {
    const { url, seen } = await serve();
    const error = await errorOf(callOperation(createBaseClient({ baseUrl: url, token: `hush${token}` }), operation));
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
    await callOperation(createBaseClient({ baseUrl: url, ...moved(`${other.url}/x`) }), operation);
    await callOperation(
      createBaseClient({ baseUrl: url, ...moved(other.url.replace("127.0.0.1", "localhost")) }),
      operation,
    ).catch(() => {});
    await callOperation(createBaseClient({ baseUrl: url, ...moved(`${url}/y`) }), operation);
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
      await callOperation(
        createBaseClient({ baseUrl: "https://api.example:8443", fetch, ...moved(`${scheme}://api.example:8443/x`) }),
        operation,
      );
    expect(asked).toEqual([
      ["https://api.example:8443/x", "Bearer t0k"],
      ["http://api.example:8443/x", null],
    ]);
  });

  test("does not follow a redirect to another origin", async () => {
    const other = await serve();
    const { url } = await serve((response) => response.writeHead(302, { location: `${other.url}/y` }).end());
    await callOperation(createBaseClient({ baseUrl: url, token: "t0k" }), operation);
    expect(other.seen.map((each) => [each.url, each.headers.authorization])).toEqual([["/y", undefined]]);
  });

  test("function that throws makes the call throw the same error", async () => {
    const reason = new RangeError("no session");
    const token = () => Promise.reject(reason);
    expect(await errorOf(callOperation(createBaseClient({ baseUrl: "http://127.0.0.1:2", token }), operation))).toBe(
      reason,
    );
  });
});

// Like some engines, this one quotes its input.
async function quoting(url: string): Promise<never> {
  throw new Error(`request to ${url} failed`);
}

test("errors and clients have no output with the token", async () => {
  const { url } = await serve(sendJson({ errors: [{ reason: "no" }] }, 401));
  const client = createBaseClient({
    baseUrl: url,
    token: "t0k",
    authorize: apiKeyAuth({ in: "query", name: "k" }, "s3cret"),
  });
  const errors = [
    await errorOf(callOperation(client, operation)),
    await errorOf(callOperation(client, operation, {}, { fetch: quoting })),
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
      basicAuth("ada", "pass:wörd"),
      { url: "/x", authorization: `Basic ${Buffer.from("ada:pass:wörd").toString("base64")}` },
    ],
    ["bearer", bearerAuth("t0k"), { url: "/x", authorization: "Bearer t0k" }],
    ["a key in a header", apiKeyAuth({ in: "header", name: "X-Key" }, async () => "k"), { url: "/x", key: "k" }],
    ["a key in the query", apiKeyAuth({ in: "query", name: "api key" }, "a&b"), { url: "/x?api%20key=a%26b" }],
    ["a key in a cookie", apiKeyAuth({ in: "cookie", name: "sid" }, "a;b"), { url: "/x", cookie: "sid=a%3Bb" }],
  ])("%s", async (_, authorize, expected) => {
    expect(await sent({ authorize })).toEqual(expected);
  });

  test("are added to existing ones", async () => {
    const { url, seen } = await serve();
    const keys = [apiKeyAuth({ in: "query", name: "k" }, "1"), apiKeyAuth({ in: "cookie", name: "k" }, "2")];
    const authorize: Authorize = async (...all) => {
      for (const each of keys) await each(...all);
    };
    await callOperation(
      createBaseClient({ baseUrl: url, authorize }),
      { ...operation, encoders: [encodeQuery, encodeCookies] },
      { query: { a: 1 }, cookies: { b: 2 } },
    );
    expect([seen[0]?.url, seen[0]?.headers.cookie]).toEqual(["/x?a=1&k=1", "b=2; k=2"]);
  });

  test("throw for values that cannot be sent, without quoting them", async () => {
    for (const authorize of [
      basicAuth("a:hush", "b"),
      apiKeyAuth({ in: "header", name: "X-Key" }, "hush\n"),
      bearerAuth("hush\u20ac"),
    ]) {
      const error = await errorOf(
        callOperation(createBaseClient({ baseUrl: "http://127.0.0.1:2/?a=1", authorize }), operation),
      );
      expect(error).toMatchObject({ code: "request", url: "http://127.0.0.1:2/x" });
      expect(inspect(error, { showHidden: true })).not.toContain("hush");
    }
  });

  test("a key in a header is not sent along a redirect", async () => {
    const other = await serve();
    const { url } = await serve((response) => response.writeHead(302, { location: other.url }).end());
    const client = createBaseClient({ baseUrl: url, authorize: apiKeyAuth({ in: "header", name: "X-Key" }, "k") });
    expect(await errorOf(callOperation(client, operation))).toMatchObject({ code: "network" });
    expect(other.seen).toEqual([]);
  });
});

describe("authorizeBySecurity", () => {
  const schemes = {
    key: (key: Secret) => apiKeyAuth({ in: "header", name: "X-Key" }, key),
    session: (key: Secret) => apiKeyAuth({ in: "cookie", name: "sid" }, key),
    login: ({ user, password }: BasicCredentials) => basicAuth(user, password),
    oauth: bearerAuth,
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
    const authorize = authorizeBySecurity(schemes, credentials);
    expect(await sent({ authorize }, { security })).toEqual({ url: "/x", ...expected });
  });

  test("knows the type of each credential", () => {
    expectTypeOf(authorizeBySecurity<typeof schemes>)
      .parameter(1)
      .toEqualTypeOf<{
        readonly key?: Secret | undefined;
        readonly session?: Secret | undefined;
        readonly login?: BasicCredentials | undefined;
        readonly oauth?: Secret | undefined;
      }>();
  });
});
