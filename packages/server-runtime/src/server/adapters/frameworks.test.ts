import { createServer } from "node:http";
import { serve } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../listen.support.js";
import { createAdapterApi } from "./adapter-api.support.js";
import { expressMiddleware } from "./express/index.js";
import { fastifyPlugin } from "./fastify/index.js";
import { fetchHandler } from "./fetch/index.js";
import { honoMiddleware } from "./hono/index.js";
import { nodeListener } from "./node/index.js";
import { request, connectRaw, type RawResponse } from "./raw-http.support.js";

const eaten = "The body was read before the request reached the API. Register the API before body parsers.";
const json = "Content-Type: application/json";
const post = (path: string): string => request(`POST ${path}`, '{"a":1}', json);

async function ask(listener: Parameters<typeof listen>[0], text: string): Promise<RawResponse> {
  const host = await listen(listener);
  onTestFinished(host.close);
  const wire = connectRaw(host.port);
  wire.send(text);
  return wire.answer();
}

describe("Node's own server", () => {
  it("responds with 404 without next", async () => {
    const { status, body } = await ask(nodeListener(createAdapterApi()), request("GET /other"));
    expect([status, body]).toEqual([404, "nowhere"]);
  });

  it("uses the API's error response there, too", async () => {
    const api = createAdapterApi();
    const nowhere = (): never => {
      throw new Error("lost");
    };
    const { status, body } = await ask(nodeListener({ ...api, notFound: nowhere }), request("GET /other"));
    expect([status, body, api.diary]).toEqual([500, "failed", ["failed: lost"]]);
  });

  it("sends nothing if another handler has responded", async () => {
    const api = createAdapterApi();
    const listener = nodeListener(api);
    const { body } = await ask((incoming, response) => {
      listener(incoming, response);
      response.end("another handler");
    }, request("GET /v4/text"));
    expect([body, api.diary]).toEqual(["another handler", []]);
  });
});

describe("a body that another handler has read", () => {
  it.each(["echo", "count", "pipe"])("is an error of Express: %s", async (path) => {
    const app = express();
    app.use(express.json(), expressMiddleware(createAdapterApi()));
    app.use((error: Error, _: express.Request, response: express.Response, __: express.NextFunction) => {
      response.status(500).send(error.message);
    });
    const { status, body } = await ask(app, post(`/v4/${path}`));
    expect([status, body]).toEqual([500, eaten]);
  });

  it("passes Express if it is not needed", async () => {
    const app = express();
    app.use(express.json(), expressMiddleware(createAdapterApi()));
    expect(await ask(app, post("/v4/text"))).toMatchObject({ status: 200, body: "naïve ✓" });
  });

  it("is an error of the API on Node's own server", async () => {
    const api = createAdapterApi();
    const listener = nodeListener(api);
    const { status, body } = await ask((incoming, response) => {
      incoming.resume().on("end", () => listener(incoming, response));
    }, post("/v4/echo"));
    expect([status, body, api.diary]).toEqual([500, "failed", ["echo: broke off", `failed: ${eaten}`]]);
  });

  it.each(["echo", "count"])("can be read from Hono's context, else it is an error: %s", async (path) => {
    const api = createAdapterApi();
    const app = new Hono();
    app.use(async (context, next) => {
      await (context.req.query("past") === undefined ? context.req.json() : context.req.raw.text());
      await next();
    });
    app.use(honoMiddleware(api));
    const init = { method: "POST", body: '{"a":1}' };
    const again = await app.request(`/v4/${path}`, init);
    expect(await again.text()).toBe({ echo: '{"a":1}', count: "7" }[path]);
    expect((await app.request(`/v4/${path}?past`, init)).status).toBe(500);
    expect(api.diary).toContain(`failed: ${eaten}`);
  });

  it.each(["echo", "count"])("is an error of the API on a fetch-style server: %s", async (path) => {
    const api = createAdapterApi();
    const given = new Request(`http://localhost/v4/${path}`, { method: "POST", body: "abc" });
    await given.text();
    expect((await fetchHandler(api)(given)).status).toBe(500);
    expect(api.diary).toContain(`failed: ${eaten}`);
  });
});

describe("Express", () => {
  it("has base paths from the root if the API is mounted below, and keeps headers", async () => {
    const app = express();
    app.use((_, response, next) => {
      response.setHeader("X-Own", "1");
      next();
    });
    app.use("/v4", expressMiddleware(createAdapterApi()));
    expect(await ask(app, request("GET /v4/text"))).toMatchObject({
      status: 200,
      headers: { "x-own": "1", "x-powered-by": "Express", "content-length": "10" },
    });
  });
});

describe("Fastify", () => {
  it("supports injected requests", async () => {
    const app = fastify();
    await app.register(fastifyPlugin(createAdapterApi()));
    app.get("/other", (_, response) => response.send("other"));
    const statuses: unknown[] = [];
    for (const url of ["/v4/text", "/v4/stream", "/v4/none", "/v4/throws", "/v4/who", "/other", "/nothing"]) {
      const { statusCode, body } = await app.inject(url);
      statuses.push([url, statusCode, body.slice(0, 40)]);
    }
    const sent = await app.inject({ method: "POST", url: "/v4/echo", payload: "abc" });
    const streamed = await app.inject({ method: "POST", url: "/v4/count", payload: "abc" });
    expect([...statuses, sent.body, streamed.body]).toEqual([
      ["/v4/text", 200, "naïve ✓"],
      ["/v4/stream", 200, "one, two"],
      ["/v4/none", 204, ""],
      ["/v4/throws", 500, "failed"],
      ["/v4/who", 200, '["GET","/v4/who","127.0.0.1",0]'],
      ["/other", 200, "other"],
      ["/nothing", 404, '{"message":"Route GET:/nothing not found'],
      "abc",
      "3",
    ]);
  });

  it("does not wait for the rest of an injected body, which has no connection", async () => {
    const app = fastify();
    await app.register(fastifyPlugin(createAdapterApi()));
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const streamed = await app.inject({ method: "POST", url: "/v4/count", payload: "abc" });
    expect(streamed.body).toBe("3");
    // A timer of an earlier test may end meanwhile.
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it("sends headers of earlier hooks, and runs later hooks after the response", async () => {
    const app = fastify();
    const sent: number[] = [];
    app.addHook("onRequest", async (_, response) => {
      response.header("x-own", "1").header("content-type", "text/x");
    });
    await app.register(fastifyPlugin(createAdapterApi()));
    app.addHook("onResponse", async (_, response) => void sent.push(response.raw.statusCode));
    const { headers } = await app.inject("/v4/bytes");
    expect([headers["x-own"], headers["content-type"], sent]).toEqual(["1", "image/x", [201]]);
  });

  it("has the API in the context that registers it only", async () => {
    const app = fastify();
    await app.register(async (inner) => {
      await inner.register(fastifyPlugin(createAdapterApi()));
      inner.get("/v4/text", () => "the app's own");
    });
    app.get("/v4/bytes", () => "the app's own");
    expect([(await app.inject("/v4/text")).body, (await app.inject("/v4/bytes")).body]).toEqual([
      "naïve ✓",
      "the app's own",
    ]);
  });
});

describe("Hono", () => {
  it("has headers that the app sets around the API, and no address without a connection", async () => {
    const app = new Hono();
    app.use(async (context, next) => {
      context.res.headers.set("x-before", "1");
      await next();
      context.res.headers.set("x-after", "1");
    });
    app.use(honoMiddleware(createAdapterApi()));
    const answer = await app.request("/v4/who");
    expect([answer.headers.get("x-before"), answer.headers.get("x-after"), await answer.json()]).toEqual([
      "1",
      "1",
      ["GET", "/v4/who", null, 0],
    ]);
  });
});

describe("a fetch-style server", () => {
  const handle = fetchHandler(createAdapterApi());

  it.each([
    ["an address", { address: "192.0.2.1" }, "192.0.2.1"],
    ["none", {}, null],
    ["something else", { address: { port: 1 } }, null],
  ])("gets the client's address from %s", async (_, info, address) => {
    const answer = await handle(new Request("http://localhost/v4/who?a"), info);
    expect(await answer.json()).toEqual(["GET", "/v4/who?a", address, 0]);
  });

  it("has the type that the platform expects", async () => {
    const answers = await Promise.all(
      ["none", "same", "reset", "bytes"].map((path) => handle(new Request(`http://localhost/v4/${path}`))),
    );
    expect(answers.map(({ status, body }) => [status, body === null])).toEqual([
      [204, true],
      [304, true],
      [205, true],
      [201, false],
    ]);
  });

  it("aborts with the request", async () => {
    const api = createAdapterApi();
    const controller = new AbortController();
    const answering = fetchHandler(api)(new Request("http://localhost/v4/waits", { signal: controller.signal }));
    controller.abort();
    await answering;
    expect(api.diary).toEqual(["waits: begun", "waits: left"]);
  });
});

it("is typed", () => {
  const api = createAdapterApi();
  createServer(nodeListener(api)).close();
  const app = express().use(expressMiddleware(api));
  const hono = new Hono().use(honoMiddleware(api)).use("/v4/*", honoMiddleware(api));
  const start = () => serve({ fetch: fetchHandler(api) });
  const reported = () => fetchHandler(api)(new Request("http://localhost"), { address: "192.0.2.1" });
  const register = () => fastify().register(fastifyPlugin(api));
  // @ts-expect-error: a server is more than a handler
  const wrong = () => nodeListener({ handle: () => undefined });
  expect([app, hono, start, reported, register, wrong]).toHaveLength(6);
});
