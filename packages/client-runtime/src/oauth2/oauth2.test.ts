import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { until } from "../clock.support.js";
import {
  callOperation,
  createBaseClient,
  createOAuth2,
  isOAuth2Error,
  jsonBody,
  rawBody,
  type Client,
  type OAuth2Options,
  type OAuth2Tokens,
} from "../index.js";
import { sendJson, serve, type Loopback, type SeenRequest } from "../loopback.support.js";

/** An authorization server: tokens count up, and the API accepts the newest one. */
interface Authority extends Loopback {
  readonly issued: string[];
}

interface AuthorityOptions {
  readonly expiresIn?: number;
  /** Answers a request for tokens otherwise. */
  readonly answer?: (response: ServerResponse, request: SeenRequest, count: number) => boolean;
}

async function authority({ expiresIn = 3600, answer = () => false }: AuthorityOptions = {}): Promise<Authority> {
  const issued: string[] = [];
  let count = 0;
  const server = await serve((response, request) => {
    count += 1;
    if (answer(response, request, count)) return;
    const token = `access-${issued.length + 1}`;
    issued.push(token);
    const refresh = new URLSearchParams(request.body).has("refresh_token")
      ? { refresh_token: `refresh-${issued.length + 1}` }
      : {};
    sendJson({ access_token: token, token_type: "Bearer", expires_in: expiresIn, ...refresh })(response);
  });
  return { ...server, issued };
}

/** An API that accepts the newest token, if there is one. */
function api(
  { issued }: Authority,
  accepts = (token: string | undefined) => token === issued.at(-1),
): Promise<Loopback> {
  return serve((response, { headers }) => {
    const token = /^Bearer (.*)$/.exec(headers.authorization ?? "")?.[1];
    if (accepts(token)) sendJson({ token })(response);
    else sendJson({ errors: [{ reason: "Invalid Token" }] }, 401)(response);
  });
}

const own = { clientId: "reports", clientSecret: "s3cret" } as const;

function clientOf(target: Loopback, options: OAuth2Options): Client {
  return createBaseClient({ baseUrl: target.url, ...createOAuth2(options) });
}

const get = (client: Client): Promise<unknown> => callOperation(client, { method: "GET", path: "/x" });

describe("client credentials", () => {
  test("are sent once for many calls at the same time", async () => {
    const server = await authority();
    const target = await api(server);
    const client = clientOf(target, { ...own, tokenUrl: `${server.url}/token`, scopes: ["a:read", "b"] });
    const results = await Promise.all(Array.from({ length: 20 }, () => get(client)));
    expect(new Set(results.map((each) => JSON.stringify(each)))).toEqual(new Set(['{"token":"access-1"}']));
    expect(server.seen).toHaveLength(1);
    const [request] = server.seen;
    expect(request).toMatchObject({
      method: "POST",
      url: "/token",
      body: "grant_type=client_credentials&scope=a%3Aread+b",
    });
    expect(request?.headers.authorization).toBe(`Basic ${btoa("reports:s3cret")}`);
    expect(request?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  });

  test("are encoded as RFC 6749 wants, or sent in the body", async () => {
    const server = await authority();
    const named = { clientId: "a:b c", clientSecret: () => "ü%", tokenUrl: server.url };
    await createOAuth2(named).token();
    await createOAuth2({ ...named, authentication: "body", parameters: { audience: "x" } }).token();
    await createOAuth2({ clientId: "public", tokenUrl: server.url }).token();
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${btoa("a%3Ab+c:%C3%BC%25")}`,
      undefined,
      undefined,
    ]);
    expect(Object.fromEntries(new URLSearchParams(server.seen[1]?.body))).toEqual({
      audience: "x",
      grant_type: "client_credentials",
      client_id: "a:b c",
      client_secret: "ü%",
    });
    expect(server.seen[2]?.body).toBe("grant_type=client_credentials&client_id=public");
  });

  test("are used again before the token ends", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const server = await authority({ expiresIn: 100 });
    const { token } = createOAuth2({ ...own, tokenUrl: server.url });
    expect(await token()).toBe("access-1");
    vi.advanceTimersByTime(69_000);
    expect(await token()).toBe("access-1");
    vi.advanceTimersByTime(2_000);
    expect(await token()).toBe("access-2");
  });

  test("a margin is at most half of the lifetime", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const server = await authority({ expiresIn: 10 });
    const { token } = createOAuth2({ ...own, tokenUrl: server.url });
    await token();
    vi.advanceTimersByTime(4_000);
    expect(await token()).toBe("access-1");
    vi.advanceTimersByTime(2_000);
    expect(await token()).toBe("access-2");
  });
});

describe("refresh tokens", () => {
  const tokens: OAuth2Tokens = { accessToken: "access-0", refreshToken: "refresh-1", expiresAt: 0 };

  test("are replaced, and stored before the new access token is used", async () => {
    const server = await authority();
    const events: string[] = [];
    const target = await serve();
    const oauth2 = createOAuth2({
      clientId: "app",
      tokenUrl: server.url,
      tokens,
      onTokens: async ({ refreshToken }) => {
        // A call that did not wait for this would begin within the turn.
        await new Promise(setImmediate);
        events.push(`stored ${refreshToken}`);
      },
    });
    const onRequest = (): void => void events.push("call");
    const client = createBaseClient({
      baseUrl: target.url,
      ...oauth2,
      fetch: async (...request) => {
        onRequest();
        return oauth2.fetch(...request);
      },
    });
    await Promise.all([get(client), get(client)]);
    expect(events).toEqual(["stored refresh-2", "call", "call"]);
    expect(server.seen.map(({ body }) => body)).toEqual([
      "grant_type=refresh_token&refresh_token=refresh-1&client_id=app",
    ]);
  });

  test("are kept when the server sends no other", async () => {
    const server = await authority({
      answer: (response) => {
        sendJson({ access_token: "a", token_type: "bearer", expires_in: 0 })(response);
        return true;
      },
    });
    const { token } = createOAuth2({ clientId: "app", tokenUrl: server.url, tokens });
    await token();
    await token();
    expect(server.seen.map(({ body }) => new URLSearchParams(body).get("refresh_token"))).toEqual([
      "refresh-1",
      "refresh-1",
    ]);
  });

  test("that are not valid any more fail with the reason, and without secrets", async () => {
    const server = await authority({
      answer: (response) => {
        sendJson({ error: "invalid_grant", error_description: "expired" }, 400)(response);
        return true;
      },
    });
    const target = await serve();
    const client = clientOf(target, { ...own, tokenUrl: `${server.url}/token?tenant=1`, tokens });
    const error: unknown = await get(client).catch((thrown: unknown) => thrown);
    expect(isOAuth2Error(error) && error).toMatchObject({ code: "http", status: 400, error: "invalid_grant" });
    expect(String(error)).toBe(`OAuth2Error: POST ${server.url}/token: 400 invalid_grant (expired)`);
    expect(target.seen).toHaveLength(0);
  });
});

describe("a 401", () => {
  test("is answered with a new token once, shared by the calls", async () => {
    const server = await authority();
    const target = await api(server);
    const client = clientOf(target, { ...own, tokenUrl: server.url });
    await get(client);
    // Revoked: the server accepts another one only.
    server.issued.push("other");
    const results = await Promise.all([get(client), get(client), get(client)]);
    expect(results).toEqual(Array.from({ length: 3 }, () => ({ token: "access-3" })));
    expect(server.seen).toHaveLength(2);
    expect(target.seen).toHaveLength(1 + 6);
  });

  test("that stays is the result", async () => {
    const server = await authority();
    const target = await api(server, () => false);
    const client = clientOf(target, { ...own, tokenUrl: server.url });
    await expect(get(client)).rejects.toMatchObject({ code: "http", status: 401 });
    expect(target.seen).toHaveLength(2);
  });

  test("is the result when there is no new token", async () => {
    const server = await authority({
      answer: (response, _, count) => {
        if (count > 1) sendJson({ error: "invalid_client" }, 401)(response);
        return count > 1;
      },
    });
    const target = await api(server, () => false);
    const client = clientOf(target, { ...own, tokenUrl: server.url });
    await expect(get(client)).rejects.toMatchObject({ status: 401, errors: [{ reason: "Invalid Token" }] });
    await expect(get(client)).rejects.toMatchObject({ error: "invalid_client" });
  });

  test("repeats a body, but not a stream, and no request with other credentials", async () => {
    const server = await authority();
    const target = await api(server);
    const client = clientOf(target, { ...own, tokenUrl: server.url });
    await get(client);
    server.issued.push("other");
    const post = { method: "POST", path: "/x", encoders: [jsonBody] };
    expect(await callOperation(client, post, { body: { a: 1 } })).toEqual({ token: "access-3" });
    expect(target.seen.map(({ body }) => body)).toEqual(["", '{"a":1}', '{"a":1}']);
    server.issued.push("another");
    const stream = { ...post, encoders: [rawBody("text/plain")] };
    const body = new Blob(["abc"]).stream();
    await expect(callOperation(client, stream, { body })).rejects.toMatchObject({ status: 401 });
    const other = { headers: { authorization: "Bearer mine" } };
    await expect(callOperation(client, post, {}, other)).rejects.toMatchObject({ status: 401 });
    expect(server.seen).toHaveLength(2);
  });
});

describe("the token endpoint", () => {
  test.each(["http://id.example/token", "id.example", "https://u:p@id.example/", "https://id.example/#a", ""])(
    "is not %j",
    (tokenUrl) => {
      expect(() => createOAuth2({ ...own, tokenUrl })).toThrow(TypeError);
    },
  );

  test.each<readonly [string, (response: ServerResponse) => void, string]>([
    [
      "another kind of token",
      sendJson({ access_token: "a", token_type: "mac" }),
      "200 the response has no bearer token",
    ],
    [
      "a token with a line break",
      sendJson({ access_token: "a\nb", token_type: "Bearer" }),
      "200 the response has no bearer token",
    ],
    ["no JSON", (response) => void response.end("<p>"), "200 the response has no bearer token"],
    ["an error page", (response) => void response.writeHead(502).end("<p>"), "502 Bad Gateway"],
    ["a redirect", (response) => void response.writeHead(307, { location: "/elsewhere" }).end(), "no response"],
    ["too much", (response) => void response.end("x".repeat(1_100_000)), "no response"],
    ["nothing", (response) => void response.destroy(), "no response"],
    ["nothing in time", () => {}, "no response in time"],
  ])("with %s is an error", async (_, answer, message) => {
    const server = await serve(answer);
    const late = new AbortController();
    const limit = vi.spyOn(AbortSignal, "timeout").mockReturnValue(late.signal);
    onTestFinished(() => limit.mockRestore());
    const { token } = createOAuth2({ ...own, tokenUrl: server.url, timeout: 300 });
    const failure: Promise<unknown> = token().catch((thrown: unknown) => thrown);
    await until(() => server.seen.length > 0);
    expect(limit.mock.calls).toEqual([[300]]);
    if (message.endsWith("in time")) late.abort(new DOMException("It took too long.", "TimeoutError"));
    const error = await failure;
    expect(isOAuth2Error(error)).toBe(true);
    expect(String(error)).toBe(`OAuth2Error: POST ${server.url}/: ${message}`);
    expect(server.seen).toHaveLength(1);
  });

  test("is asked again after an error", async () => {
    const server = await authority({
      answer: (response, _, count) => {
        if (count === 1) sendJson({}, 503)(response);
        return count === 1;
      },
    });
    const { token } = createOAuth2({ ...own, tokenUrl: server.url });
    await expect(token()).rejects.toMatchObject({ status: 503 });
    expect(await token()).toBe("access-1");
  });
});
