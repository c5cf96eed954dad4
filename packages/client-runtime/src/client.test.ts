import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  callOperation,
  createBaseClient,
  encodeHeaders,
  jsonBody,
  type CallOptions,
  type Fetch,
  type OutgoingRequest,
} from "./index.js";
import { errorOf, sendJson, serve } from "./loopback.support.js";

const operation = { method: "POST", path: "/x", encoders: [encodeHeaders, jsonBody] };

describe("a client", () => {
  test("is frozen, and logs no options", () => {
    const options = { baseUrl: "https://api.example", token: "hush" };
    const client = createBaseClient(options);
    options.token = "other";
    expect([Object.isFrozen(client), Object.isFrozen(client.options()), client.options()]).toEqual([
      true,
      true,
      { baseUrl: "https://api.example", token: "hush" },
    ]);
    expect(inspect(client, { depth: 9 }) + JSON.stringify(client)).not.toContain("hush");
  });

  test("can be derived from another", async () => {
    const { url, seen } = await serve();
    const client = createBaseClient({ baseUrl: url, token: "a" });
    await callOperation(createBaseClient({ ...client.options(), token: "b" }), operation);
    expect(seen[0]?.headers.authorization).toBe("Bearer b");
  });
});

describe("a base URL", () => {
  test("of a call has priority, even an empty one", async () => {
    const sent: string[] = [];
    const fetch = async (url: string) => {
      sent.push(url);
      return Response.json({});
    };
    const client = createBaseClient({ baseUrl: "https://api.example/v4", fetch });
    await callOperation(client, operation, {}, { baseUrl: undefined });
    await callOperation(client, operation, {}, { baseUrl: "https://other.example/v5/?a=1#b" });
    expect(sent).toEqual(["https://api.example/v4/x", "https://other.example/v5/x?a=1"]);
    expect(await errorOf(callOperation(client, operation, {}, { baseUrl: "" }))).toMatchObject({
      code: "request",
      url: "/x",
    });
  });

  test("of a client is absolute", () => {
    expect(createBaseClient({ baseUrl: "HTTP://API.Example:80/v4/?a=1#b" }).baseUrl()).toBe(
      "http://api.example/v4/?a=1",
    );
    expect(() => createBaseClient({}).baseUrl()).toThrow(new TypeError("URL cannot be sent"));
  });
});

describe("headers", () => {
  test("are merged: the client's, the call's, the operation's", async () => {
    const { url, seen } = await serve();
    const client = createBaseClient({
      baseUrl: url,
      headers: { "X-A": "client", "X-B": "client", "X-C": "client", "X-D": undefined },
    });
    const options = { headers: { "x-b": "call", "X-C": undefined, Accept: undefined } };
    await callOperation(client, operation, { headers: { "X-A": "operation", "X-E": undefined } }, options);
    const { accept, ...rest } = seen[0]?.headers ?? {};
    expect(accept).toBe("*/*");
    expect(Object.entries(rest).filter(([name]) => name.startsWith("x-"))).toEqual([
      ["x-a", "operation"],
      ["x-b", "call"],
    ]);
  });

  test("of an option are checked, too", async () => {
    const error = await errorOf(
      callOperation(createBaseClient({ baseUrl: "http://127.0.0.1:2", headers: { "X-A": "hush\n" } }), operation),
    );
    expect(error.message).toBe("POST http://127.0.0.1:2/x: header X-A cannot be sent");
  });
});

function saying(name: string) {
  return async () => Response.json(name);
}

describe("a custom fetch", () => {
  test("gets a URL and its options, and no this", async () => {
    const calls: unknown[] = [];
    async function fetch(this: unknown, url: string, init: RequestInit): Promise<Response> {
      calls.push([this, url, init.method, [...new Headers(init.headers)], init.body, init.signal]);
      return Response.json({ a: 1 });
    }
    expect(
      await callOperation(createBaseClient({ baseUrl: "https://api.example", fetch }), operation, { body: {} }),
    ).toEqual({ a: 1 });
    const sent = [
      ["accept", "application/json, */*;q=0.5"],
      ["content-type", "application/json"],
    ];
    expect(calls).toEqual([[undefined, "https://api.example/x", "POST", sent, "{}", undefined]]);
  });

  test("of a call has priority", async () => {
    expect(
      await callOperation(
        createBaseClient({ baseUrl: "https://api.example", fetch: saying("client") }),
        operation,
        {},
        { fetch: saying("call") },
      ),
    ).toBe("call");
  });
});

describe("options of fetch", () => {
  const of = async (client: CallOptions, call?: CallOptions): Promise<object> => {
    let init: RequestInit = {};
    const fetch: Fetch = async (_, given) => {
      init = given;
      return Response.json({});
    };
    await callOperation(createBaseClient({ baseUrl: "https://api.example", fetch, ...client }), operation, {}, call);
    const { method: _method, headers: _headers, signal: _signal, ...rest } = init;
    return rest;
  };

  test("reach it as they are: those of the call over those of the client", async () => {
    const client = {
      cache: "no-store",
      credentials: "include",
      keepalive: true,
      mode: "cors",
      priority: "low",
      redirect: "error",
      next: { revalidate: 60, tags: ["x"] },
    } as const;
    expect(await of(client)).toMatchObject(client);
    const call = { cache: "reload", keepalive: false, next: { revalidate: false } } as const;
    expect(await of(client, { ...call, mode: undefined })).toMatchObject({ ...client, ...call });
  });

  test("are absent by default, and no other option is among them", async () => {
    const options = { token: "hush", timeout: 1000, headers: { a: "b" }, authorize() {}, onRequest() {} };
    expect(Object.keys(await of({ ...options, onResponse() {} }, options))).toEqual(["operation", "url", "send"]);
  });

  test("cannot replace what the client sends", async () => {
    const { url, seen } = await serve();
    const options: object = { method: "DELETE", url: "http://127.0.0.1:2" };
    await callOperation(createBaseClient({ baseUrl: url, ...options }), operation, {}, options);
    expect(seen).toMatchObject([{ method: "POST", url: "/x" }]);
  });

  test.each(["client", "call"])("of a %s say how it handles redirects", async (where) => {
    const { url, seen } = await serve((response) => response.writeHead(302, { location: "/y" }).end());
    const error = async (options: CallOptions): Promise<Error> =>
      errorOf(
        where === "client"
          ? callOperation(createBaseClient({ baseUrl: url, ...options }), operation)
          : callOperation(createBaseClient({ baseUrl: url }), operation, {}, options),
      );
    expect(await error({ redirect: "manual" })).toMatchObject({ code: "http", status: 302 });
    expect(await error({ redirect: "error" })).toMatchObject({ code: "network", status: 0 });
    expect(seen.map((each) => each.url)).toEqual(["/x", "/x"]);
  });
});

function stay(request: OutgoingRequest): void {
  request.redirect = "manual";
}

describe("hooks", () => {
  test("run in order: the client's, then the call's", async () => {
    const { url } = await serve();
    const order: string[] = [];
    const hooks = (name: string) => ({
      onRequest: async (request: OutgoingRequest) => void order.push(`${name} ${request.method}`),
      onResponse: async (response: Response, request: OutgoingRequest) =>
        void order.push(`${name} ${response.status} ${request.url}`),
    });
    await callOperation(createBaseClient({ baseUrl: url, ...hooks("client") }), operation, {}, hooks("call"));
    expect(order).toEqual(["client POST", "call POST", `client 200 ${url}/x`, `call 200 ${url}/x`]);
  });

  test("may change URL, headers and body, but not the method", async () => {
    const { url, seen } = await serve();
    const onRequest = (request: OutgoingRequest): void => {
      request.url = `${url}/y?b=1#fragment`;
      request.headers.set("X-Signed", request.body as string);
      request.body = "changed";
      (request as { method: string }).method = "DELETE";
    };
    await callOperation(createBaseClient({ baseUrl: url, onRequest }), operation, { body: "given" });
    expect(seen.map((each) => [each.method, each.url, each.headers["x-signed"], each.body])).toEqual([
      ["POST", "/y?b=1", '"given"', "changed"],
    ]);
  });

  test("that add a fragment do not add it to messages", async () => {
    const { url } = await serve(sendJson({}, 400));
    const client = createBaseClient({ baseUrl: url, onRequest: (request) => void (request.url += "#fragment") });
    const error = await errorOf(callOperation(client, operation));
    expect(error).toMatchObject({ url: `${url}/x`, message: `POST ${url}/x: 400 Bad Request` });
  });

  test("receive no credentials", async () => {
    const { url } = await serve();
    let seen: unknown;
    const onRequest = (request: OutgoingRequest): void => void (seen = [...request.headers.keys()]);
    await callOperation(createBaseClient({ baseUrl: url, token: "t0k", onRequest }), operation);
    expect(seen).toEqual(["accept"]);
  });

  test.each(["http://ada:hunter2@127.0.0.1:1/", "http://["])("may not change the URL to %s", async (to) => {
    const onRequest = (request: OutgoingRequest): void => void (request.url = to);
    const error = await errorOf(
      callOperation(createBaseClient({ baseUrl: "http://127.0.0.1:2", onRequest }), operation),
    );
    expect(error).toMatchObject({ code: "request", url: "http://127.0.0.1:2/x" });
    expect(inspect(error)).not.toContain("hunter2");
  });

  test("may set how fetch handles redirects", async () => {
    const { url } = await serve((response) => response.writeHead(302, { location: "/y" }).end());
    const error = await errorOf(callOperation(createBaseClient({ baseUrl: url, onRequest: stay }), operation));
    expect(error).toMatchObject({ code: "http", status: 302 });
  });

  test.each(["onRequest", "onResponse"])("that throw make the call throw the same error: %s", async (name) => {
    const { url } = await serve();
    const reason = new RangeError("a bug");
    const hook = () => {
      throw reason;
    };
    expect(await errorOf(callOperation(createBaseClient({ baseUrl: url, [name]: hook }), operation))).toBe(reason);
  });

  test("can read a clone of the response", async () => {
    const { url } = await serve(sendJson({ a: 1 }));
    let seen: unknown;
    const onResponse = async (response: Response): Promise<void> => void (seen = await response.clone().json());
    expect([await callOperation(createBaseClient({ baseUrl: url, onResponse }), operation), seen]).toEqual([
      { a: 1 },
      { a: 1 },
    ]);
  });
});

test("an unreachable server is a network error with its cause", async () => {
  const error = await errorOf(callOperation(createBaseClient({ baseUrl: "http://127.0.0.1:2" }), operation));
  expect(error).toMatchObject({
    code: "network",
    status: 0,
    message: "POST http://127.0.0.1:2/x: ECONNREFUSED",
  });
  expect(inspect(error)).toContain("ECONNREFUSED");
});
