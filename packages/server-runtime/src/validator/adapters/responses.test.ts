import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import { HTTPException } from "hono/http-exception";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  addIssue,
  addIssueAt,
  createHeaderCheck,
  defineOperation,
  integerValue,
  noValidation,
  singleValue,
  type Issues,
  type ResponseValidators,
} from "../../http/index.js";
import { listen, listenFastify, type AdapterServer } from "../../listen.support.js";
import { pets } from "../pets.support.js";
import { adapters, type AdapterName, type AdapterTestOptions } from "./adapters.support.js";
import { expressValidator } from "./express/index.js";
import { fastifyValidator } from "./fastify/index.js";
import { fetchValidator } from "./fetch/index.js";
import { honoValidator } from "./hono/index.js";
import { nodeValidator } from "./node/index.js";
import { request, sendRaw } from "./raw-http.support.js";
import type { ResponseReport } from "./responses.js";

/** Every handler echoes its input. The response of pet 6 is not valid. */
const responseValidators: ResponseValidators = {
  getPet: {
    "200": {
      "application/json": (value, issues) => {
        const { input } = value as { readonly input: { readonly path: { readonly petId: number } } };
        if (input.path.petId === 6) addIssueAt(issues, "petId", "range", 1, 5);
      },
    },
  },
  listPets: { "2XX": { "text/plain": () => undefined } },
  deletePet: { "404": {} },
  updatePet: { default: {} },
  createPet: { "200": { "application/json": () => undefined } },
};

const get = (target: string) => [request(`GET ${target}`)];
const broken = { errors: [{ reason: "The response does not match the description of the API" }] };

describe.each(Object.keys(adapters) as AdapterName[])("%s", (name) => {
  async function run(options: AdapterTestOptions, sends: readonly (string | Uint8Array)[]) {
    const reports: ResponseReport[] = [];
    const host = await adapters[name]({
      responseValidators: async () => responseValidators,
      onInvalidResponse: (each) => reports.push(each),
      ...options,
    });
    onTestFinished(host.close);
    const { status, headers, body } = await sendRaw(host.port, sends);
    const type = headers["content-type"]?.replace("; charset=utf-8", "");
    return { status, type, body: JSON.parse(body) as unknown, reports };
  }

  const echo = (petId: number) => ({ operation: "getPet", input: { path: { petId } } });
  const type = "application/json";
  const issue = { in: "response", field: "petId", code: "range", reason: "must be 1 to 5" };
  const report = { operation: "getPet", status: 200, issues: [issue] };

  it("sends a valid response", async () => {
    expect(await run({ validateResponses: "enforce" }, get("/pets/5"))).toEqual({
      status: 200,
      type,
      body: echo(5),
      reports: [],
    });
  });

  it("sends a body of several kilobytes completely", async () => {
    const text = JSON.stringify({ name: "Rex", story: "é".repeat(50_000) });
    const body: unknown = JSON.parse(text);
    const sends = [request("POST /pets", ["Content-Type: application/json"], text)];
    const echoed = { operation: "createPet", input: { body }, body };
    expect(await run({ validateResponses: "enforce" }, sends)).toEqual({
      status: 200,
      type,
      body: echoed,
      reports: [],
    });
  });

  it("reports an invalid response, and sends it", async () => {
    expect(await run({ validateResponses: "report" }, get("/pets/6"))).toEqual({
      status: 200,
      type,
      body: echo(6),
      reports: [report],
    });
  });

  it("replaces an invalid response if this is enforced", async () => {
    expect(await run({ validateResponses: "enforce" }, get("/pets/6"))).toEqual({
      status: 500,
      type,
      body: broken,
      reports: [report],
    });
  });

  it("lets onError replace the response, and passes the operation's name", async () => {
    const onError: NonNullable<AdapterTestOptions["onError"]> = ({ status, operation, issues }) => ({
      status: status === 500 ? 502 : 422,
      headers: { "content-type": "application/problem+json" },
      body: { operation, fields: issues.map(({ field }) => field) },
    });
    const problem = "application/problem+json";
    expect(await run({ validateResponses: "enforce", onError }, get("/pets/6"))).toEqual({
      status: 502,
      type: problem,
      body: { operation: "getPet", fields: ["petId"] },
      reports: [report],
    });
    const body = request("POST /pets", ["Content-Type: application/json"], "{");
    expect(await run({ onError }, [body])).toMatchObject({ status: 422, body: { operation: "createPet" } });
    expect(await run({ onError }, get("/dogs"))).toMatchObject({ status: 422, body: { fields: [null] } });
  });

  it("validates nothing if it is off, nor its own error responses, nor other operations", async () => {
    const never = { responseValidators: () => Promise.reject(new Error("never")) };
    expect((await run(never, get("/pets/6"))).status).toBe(200);
    const enforced = { ...never, validateResponses: "enforce", basePath: "/v4" } as const;
    expect((await run(enforced, get("/v4/dogs"))).status).toBe(404);
    expect((await run(enforced, get("/health"))).status).toBe(200);
  });

  it("reports headers that are missing or not valid", async () => {
    const header = (called: string, more: object) =>
      ({ name: called, in: "header", decode: singleValue(integerValue), ...more }) as const;
    const length = header("Content-Length", { check: (_: unknown, issues: Issues) => addIssue(issues, "range", 0, 1) });
    const headers = [length, header("Content-Type", {}), header("X-Left", { required: true }), header("X-Other", {})];
    const responseHeaders = async () => createHeaderCheck({ getPet: { "2XX": {} } }, { "2XX": headers });
    const { status, reports } = await run({ validateResponses: "report", responseHeaders }, get("/pets/5"));
    const issues = [
      { in: "header", field: "Content-Type", code: "type", reason: "must be an integer" },
      { in: "header", field: "X-Left", code: "required", reason: "is required" },
    ];
    // Servers of the web platform set the length later.
    const ofLength = { in: "header", field: "Content-Length", code: "range", reason: "must be 0 to 1" };
    expect(status).toBe(200);
    expect(reports.map((each) => each.issues)).toEqual([name === "express" ? [ofLength, ...issues] : issues]);
  });

  it.each([
    ["a media type", get("/pets"), { code: "media", reason: "Content-Type must be text/plain" }],
    ["a status", [request("DELETE /pets/5")], { code: "status", reason: "200 is not a documented status" }],
    ["a body", [request("PUT /pets/5", ["Content-Length: 0"])], { code: "media", reason: "must have no body" }],
    ["an operation", get("/images/a"), { code: "status", reason: "200 is not a documented status" }],
  ])("reports %s that is not documented", async (_, sends, found) => {
    const { status, reports } = await run({ validateResponses: "enforce" }, sends);
    expect([status, reports.flatMap(({ issues }) => issues)]).toEqual([500, [{ in: "response", ...found }]]);
  });
});

describe("what frameworks write", () => {
  const json = { "application/json": noValidation };
  const documented = {
    redirect: { "302": {} },
    page: { "302": { "text/html": noValidation } },
    missing: { "404": {} },
    lost: { "4XX": {} },
    ok: { "200": {} },
    none: { "204": {} },
    data: { "200": json },
  } satisfies ResponseValidators;
  const withDefault: ResponseValidators = {
    file: { "200": json, default: { "application/problem+json": noValidation } },
    slice: { "2XX": json, default: { "application/problem+json": noValidation } },
  };
  const operations = Object.keys({ ...documented, ...withDefault }).map((name) =>
    defineOperation({ name, method: "GET", path: `/${name}` }),
  );
  const location = "https://pets.example/";
  const data = { text: "é".repeat(2000) };

  type Start = (options: AdapterTestOptions) => Promise<AdapterServer> | AdapterServer;
  const servers: Readonly<Record<string, Start>> = {
    Express: (options) => {
      const app = express();
      app.use(expressValidator(operations, options));
      app.get(["/redirect", "/page"], (_, response) => response.redirect(location));
      app.get("/missing", (_, response) => void response.sendStatus(404));
      app.get("/ok", (_, response) => void response.sendStatus(200));
      app.get("/none", (_, response) => void response.status(204).json(data));
      app.get("/data", (incoming, response) => {
        if (incoming.query["file"] === undefined) response.json(data);
        else response.sendFile(fileURLToPath(new URL("../../../package.json", import.meta.url)));
      });
      app.get(["/file", "/slice"], (_, response) =>
        response.sendFile(fileURLToPath(new URL("../../../package.json", import.meta.url))),
      );
      return listen(app);
    },
    Fastify: async (options) => {
      const app = fastify();
      await app.register(fastifyValidator(operations, options));
      app.get("/redirect", (_, reply) => reply.redirect(location));
      app.get("/page", (_, reply) => reply.redirect(location));
      app.get("/missing", (_, reply) => reply.callNotFound());
      app.get("/lost", () => {
        throw Object.assign(new Error("lost"), { statusCode: 404 });
      });
      app.get("/ok", (_, reply) => reply.send());
      app.get("/none", (_, reply) => reply.code(204).send(data));
      app.get("/data", (_, reply) => reply.send(data));
      return listenFastify(app);
    },
    Hono: (options) => {
      const app = new Hono();
      app.use(honoValidator(operations, options), compress(), etag());
      app.get("/redirect", (context) => context.redirect(location));
      app.get("/page", (context) => context.redirect(location));
      app.get("/missing", (context) => context.notFound());
      app.get("/lost", () => {
        throw new HTTPException(404, { message: "lost" });
      });
      app.get("/ok", (context) => context.body(null));
      app.get("/none", (context) => context.body(null, 204));
      app.get("/data", (context) => context.json(data));
      const listener = getRequestListener(app.fetch);
      return listen((incoming, response) => void listener(incoming, response));
    },
    "plain Node": (options) => {
      const validate = nodeValidator(operations, options);
      const heads: Readonly<Record<string, readonly [status: number, body: string]>> = {
        "/missing": [404, "Not Found"],
        "/lost": [404, "<pre>Not Found</pre>"],
        "/ok": [200, ""],
        "/none": [204, "dropped by Node"],
        "/data": [200, JSON.stringify(data)],
      };
      return listen((incoming, response) =>
        validate(incoming, response, () => {
          const [status, body] = heads[incoming.url ?? ""] ?? [302, ""];
          response.writeHead(status, {
            ...(status === 302 && { Location: location }),
            ...(body.startsWith("{") && { "Content-Type": "Application/JSON; Charset=UTF-8" }),
          });
          response.write("");
          response.end(body);
        }),
      );
    },
  };

  describe.each(Object.entries(servers))("%s", (_, start) => {
    it.each(["report", "enforce"] as const)("is no fault: %s", async (validateResponses) => {
      const reports: ResponseReport[] = [];
      const { port, close } = await start({
        validateResponses,
        responseValidators: async () => documented,
        onInvalidResponse: (each) => reports.push(each),
      });
      onTestFinished(close);
      const ask = (target: string, init: RequestInit = {}) =>
        fetch(`http://127.0.0.1:${port}${target}`, { redirect: "manual", ...init });
      const statuses: Record<string, number> = {};
      for (const name of Object.keys(documented))
        for (const method of ["GET", "HEAD"])
          statuses[`${method} ${name}`] = (await ask(`/${name}`, { method })).status;
      const expected = { redirect: 302, page: 302, missing: 404, lost: 404, ok: 200, none: 204, data: 200 };
      const both = Object.entries(expected).flatMap(([name, status]) => [
        [`GET ${name}`, status],
        [`HEAD ${name}`, status],
      ]);
      expect({ statuses, reports }).toEqual({ statuses: Object.fromEntries(both) as object, reports: [] });
      const first = await ask("/data");
      expect(await first.json()).toEqual(data);
      const tag = first.headers.get("etag");
      if (tag === null) return;
      // Not with `fetch`, which asks for a fresh response here.
      const again = await sendRaw(port, [request("GET /data", [`If-None-Match: ${tag}`, "Connection: close"])]);
      expect(again.status).toBe(304);
      expect(reports).toEqual([]);
    });
  });

  it.each(["data?file", "file", "slice"])(
    "is no fault of a file, of which a client asks for a part: %s",
    async (target) => {
      const reports: ResponseReport[] = [];
      const { port, close } = await (servers["Express"] as Start)({
        validateResponses: "enforce",
        responseValidators: async () => ({ ...documented, ...withDefault }),
        onInvalidResponse: (each) => reports.push(each),
      });
      onTestFinished(close);
      const statusFor = async (...headers: readonly string[]) =>
        (await sendRaw(port, [request(`GET /${target}`, [...headers, "Connection: close"])])).status;
      expect([
        await statusFor(),
        await statusFor("Range: bytes=0-9"),
        await statusFor("Range: bytes=999999-"),
        await statusFor('If-Match: "other"'),
      ]).toEqual([200, 206, 416, 412]);
      expect(reports).toEqual([]);
    },
  );
});

describe("what replaces an invalid response has none of its headers, and those from before the validator", () => {
  const before = ["access-control-allow-origin", "*"] as const;
  const added = { vary: "origin" };
  const text = "not what the description says";
  const cookies = ["a=1", "b=2"];
  const single = {
    "content-type": "text/plain",
    "content-encoding": "identity",
    "content-language": "de",
    "cache-control": "max-age=60",
    etag: '"1"',
    vary: "accept",
    "x-total": "5",
  };
  const options = {
    validateResponses: "enforce",
    responseValidators: async () => ({ getPet: { "204": {} } }),
    onInvalidResponse: () => undefined,
  } satisfies AdapterTestOptions;
  const handle = (): Response => {
    const response = new Response(text, { headers: { ...single, "content-length": String(text.length) } });
    for (const cookie of cookies) response.headers.append("set-cookie", cookie);
    return response;
  };
  const listenWith = (app: { readonly fetch: (request: Request) => Response | Promise<Response> }) => {
    const listener = getRequestListener(app.fetch);
    return listen((incoming, response) => void listener(incoming, response));
  };
  const hosts: Readonly<Record<AdapterName, () => Promise<AdapterServer>>> = {
    node: () => {
      const validate = nodeValidator(pets, options);
      return listen((incoming, response) => {
        response.setHeader(...before).setHeader("vary", added.vary);
        validate(incoming, response, () => {
          response
            .setHeader("x-total", 4)
            .writeHead(200, { ...single, "set-cookie": cookies })
            .end(text);
        });
      });
    },
    express: () => {
      const app = express();
      app.use((_, response, next) => {
        response.set(...before).set(added);
        next();
      });
      app.use(expressValidator(pets, options));
      app.get("/pets/:petId", (_, response) => {
        response.set(single).cookie("a", "1").cookie("b", "2").send(text);
      });
      return listen(app);
    },
    fastify: async () => {
      const app = fastify();
      app.addHook("onRequest", async (_, reply) => void reply.header(...before).headers(added));
      await app.register(fastifyValidator(pets, options));
      app.get("/pets/:petId", (_, reply) => {
        reply.raw.setHeader("x-total", 4);
        return reply.headers(single).header("set-cookie", cookies).send(text);
      });
      return listenFastify(app);
    },
    hono: () => {
      const app = new Hono();
      app.use((context, next) => {
        context.header(...before);
        context.header("vary", added.vary);
        return next();
      });
      app.use(honoValidator(pets, options));
      app.get("/pets/:petId", handle);
      return listenWith(app);
    },
    fetch: () => listenWith({ fetch: fetchValidator(pets, options)(handle) }),
  };

  it.each(Object.entries(hosts))("%s", async (name, start) => {
    const { port, close } = await start();
    onTestFinished(close);
    const { status, headers: sent } = await fetch(`http://127.0.0.1:${port}/pets/5`);
    const headers = new Headers(sent);
    for (const each of ["connection", "date", "keep-alive", "x-powered-by"]) headers.delete(each);
    const length = String(JSON.stringify(broken).length);
    const kept = name === "fetch" ? {} : { ...Object.fromEntries([before]), ...added };
    expect({ status, ...Object.fromEntries(headers) }).toEqual({
      status: 500,
      "content-type": "application/json",
      "content-length": length,
      ...kept,
    });
  });
});

it("keeps the head that Node handlers write, in each of its forms", async () => {
  const heads: readonly (readonly unknown[])[] = [
    [200, { "Content-Type": "application/json", "X-A": "1" }],
    [200, "Fine", ["Content-Type", "application/json", "X-A", "1", "X-A", "2"]],
    [
      200,
      [
        ["Content-Type", "application/json"],
        ["X-A", "1"],
      ],
    ],
  ];
  const validate = nodeValidator(pets, {
    validateResponses: "enforce",
    responseValidators: async () => responseValidators,
  });
  for (const head of heads) {
    const host = await listen((incoming, response) =>
      validate(incoming, response, () => {
        Reflect.apply(response.writeHead, response, head);
        response.write('{"input":{"path"', "utf8");
        response.write(Buffer.from(':{"petId":5}}'), () => response.end("7d", "hex"));
      }),
    );
    onTestFinished(host.close);
    const { status, headers, body } = await sendRaw(host.port, get("/pets/5"));
    expect({ status, a: headers["x-a"], body }).toEqual({
      status: 200,
      a: head[1] === "Fine" ? "2" : "1",
      body: '{"input":{"path":{"petId":5}}}',
    });
  }
});

it("reports invalid responses on the console by default", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const host = await adapters.node({ validateResponses: "report", responseValidators: async () => responseValidators });
  onTestFinished(host.close);
  await sendRaw(host.port, get("/pets/6"));
  expect(said.mock.calls).toEqual([["Response 200 of getPet does not match the description: petId must be 1 to 5"]]);
});

it("requires the checks", async () => {
  await expect(adapters.node({ validateResponses: "report" })).rejects.toThrow("Missing option `responseValidators`.");
});
