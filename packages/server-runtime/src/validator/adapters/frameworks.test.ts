import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono, type Context } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen, type AdapterServer } from "../../listen.support.js";
import { createPet, getPet, listPets, pets, putPhoto } from "../pets.support.js";
import { adapters, type AdapterName, type AdapterTestOptions } from "./adapters.support.js";
import { expressValidator } from "./express/index.js";
import { fastifyValidator } from "./fastify/index.js";
import { fetchValidator } from "./fetch/index.js";
import { honoValidator } from "./hono/index.js";
import { nodeValidator } from "./node/index.js";
import { request, sendRaw, type RawHttpResponse } from "./raw-http.support.js";
import { inputOf } from "./validated-input.js";

const json = "Content-Type: application/json";
const create = [request("POST /pets", [json], '{"name":"Rex","x":1}')];
const names = Object.keys(adapters) as AdapterName[];

async function send(
  host: Promise<AdapterServer> | AdapterServer,
  pieces: readonly (string | Uint8Array)[],
): Promise<RawHttpResponse> {
  const { port, close } = await host;
  onTestFinished(close);
  return sendRaw(port, pieces);
}

describe.each(names)("%s", (name) => {
  const bodyOf = async (pieces: readonly (string | Uint8Array)[], options: AdapterTestOptions) => {
    const { status, body } = await send(adapters[name](options), pieces);
    return { status, body: JSON.parse(body) as unknown };
  };

  it("passes on undocumented properties by default", async () => {
    const input = { name: "Rex", x: 1 };
    expect(await bodyOf(create, {})).toEqual({
      status: 200,
      body: { operation: "createPet", input: { body: input }, body: input },
    });
    expect(await bodyOf(create, { unknown: "reject" })).toEqual({
      status: 400,
      body: { errors: [{ field: "x", reason: "is not a known field" }] },
    });
  });

  it("validates only the configured operations", async () => {
    const options = { operations: ["listPets"] };
    expect(await bodyOf([request("GET /pets?page=0")], options)).toMatchObject({ status: 400 });
    expect(await bodyOf([request("GET /pets/5")], options)).toEqual({ status: 200, body: {} });
    expect(await bodyOf([request("GET /dogs")], options)).toMatchObject({ status: 404 });
  });

  it("uses custom texts and error responses", async () => {
    const reason = ({ field = "" }: { readonly field?: string }) => (field === "page" ? "nope" : undefined);
    const onError = ({ status, issues }: { readonly status: number; readonly issues: readonly object[] }) => ({
      status: status + 22,
      headers: { "content-type": "application/problem+json" },
      body: { issues },
    });
    const response = await send(adapters[name]({ reason, onError }), [request("GET /pets?page=0&tags=x")]);
    expect({
      ...response,
      headers: response.headers["content-type"],
      body: JSON.parse(response.body) as unknown,
    }).toEqual({
      status: 422,
      headers: "application/problem+json",
      body: {
        issues: [
          { in: "query", field: "page", code: "range", reason: "nope" },
          { in: "query", field: "tags.0", code: "length", reason: "must be 3 to 50 characters" },
        ],
      },
    });
  });

  it.each([
    ["as much as the limit", 100, { field: "name", reason: "must be 3 to 20 characters" }, 400],
    ["a byte more", 101, { reason: "Body must be at most 100 bytes" }, 413],
  ])("applies to a body the option %s", async (_, length, error, status) => {
    const text = `{"name":"${"a".repeat(length - 11)}"}`;
    const inOne = [request("POST /pets", [json], text)];
    const inChunks = [
      request("POST /pets", [json, "Transfer-Encoding: chunked"]),
      ...[text.slice(0, 60), text.slice(60)].map((each) => `${each.length.toString(16)}\r\n${each}\r\n`),
      "0\r\n\r\n",
    ];
    const expected = { status, body: { errors: [error] } };
    expect(await bodyOf(inOne, { bodyLimit: 100 })).toEqual(expected);
    expect(await bodyOf(inChunks, { bodyLimit: 100 })).toEqual(expected);
  });

  it("survives a client that disconnects, and serves the next one", async () => {
    const host = await adapters[name]({});
    onTestFinished(host.close);
    const socket = connect(host.port, "127.0.0.1");
    socket.write(request("POST /pets", [json, "Content-Length: 50"]));
    socket.write("{", () => socket.destroy());
    await once(socket, "close");
    expect(await sendRaw(host.port, [request("GET /pets/5")])).toMatchObject({ status: 200 });
  });

  it("throws for an unknown operation", async () => {
    await expect(adapters[name]({ operations: ["listDogs"] })).rejects.toThrow(
      'Unknown operation "listDogs" in option `operations`.',
    );
  });
});

describe("a body that was read before the validator", () => {
  const eaten = /The body was read before/;

  it("is an error of Express", async () => {
    const app = express();
    app.use(express.json(), expressValidator(pets));
    app.use((error: Error, _: unknown, response: express.Response, __: unknown) => {
      response.status(500).send(error.message);
    });
    expect((await send(listen(app), create)).body).toMatch(eaten);
  });

  it("is an error of Node's", async () => {
    const validate = nodeValidator(pets);
    const host = listen((incoming, response) => {
      incoming
        .resume()
        .on("end", () => validate(incoming, response, (error) => response.end((error as Error).message)));
    });
    expect((await send(host, create)).body).toMatch(eaten);
  });

  it("is an error of Fastify", async () => {
    const app = fastify();
    await app.register(fastifyValidator(pets));
    app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, async () => ({ name: "Rex" }));
    app.post("/pets", (_, response) => response.send({}));
    const response = await app.inject({
      method: "POST",
      url: "/pets",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "name=x",
    });
    expect([response.statusCode, response.json<{ message: string }>().message]).toEqual([
      500,
      expect.stringMatching(eaten),
    ]);
  });

  it("is an error of Hono, unless its context has cached it", async () => {
    const app = new Hono();
    app.use(async (context, next) => {
      await (context.req.query("through") === undefined ? context.req.raw.text() : context.req.json());
      await next();
    });
    app.use(honoValidator(pets));
    app.post("/pets", async (context) => context.json([inputOf(createPet, context), await context.req.json()]));
    app.onError((error) => new Response(error.message, { status: 500 }));
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"name":"Rex"}' };
    expect(await (await app.request("/pets", init)).text()).toMatch(eaten);
    expect(await (await app.request("/pets?through=1", init)).json()).toEqual([
      { body: { name: "Rex" } },
      { name: "Rex" },
    ]);
    expect(await (await app.request("/pets?through=1", { ...init, body: '{"name":"R"}' })).text()).toMatch(/must be 3/);
  });

  it("may be a form that Hono has parsed", async () => {
    const app = new Hono();
    app.use(async (context, next) => {
      await context.req.parseBody();
      await next();
    });
    app.use(honoValidator(pets));
    app.all("*", async (context) => {
      const { body } = inputOf(context.req.path === "/pets" ? createPet : putPhoto, context) as {
        readonly body: object;
      };
      const { photo, ...rest } = body as { readonly photo?: File };
      return context.json({ ...rest, photo: photo && [photo.name, photo.type, await photo.text()] });
    });
    const form = new FormData();
    form.append("caption", "Rex");
    form.append("owner", '{"name":"Ann"}');
    form.append("photo", new File(["bytes"], "rex.png", { type: "image/png" }));
    const sent = async (method: string, target: string, body: FormData | URLSearchParams) => {
      const response = await app.request(target, { method, body });
      return [response.status, await response.json()];
    };
    expect(await sent("PUT", "/pets/5/photo", form)).toEqual([
      200,
      { caption: "Rex", owner: { name: "Ann" }, photo: ["rex.png", "image/png", "bytes"] },
    ]);
    form.append("caption", "Again");
    expect(await sent("PUT", "/pets/5/photo", form)).toEqual([
      400,
      { errors: [{ field: "caption", reason: "must appear only once" }] },
    ]);
    expect(await sent("POST", "/pets", new URLSearchParams({ name: "Rex", age: "5" }))).toEqual([
      200,
      { name: "Rex", age: 5 },
    ]);
    expect(await sent("POST", "/pets", new URLSearchParams({ name: "R" }))).toEqual([
      400,
      { errors: [{ field: "name", reason: "must be 3 to 20 characters" }] },
    ]);
  });

  it("is an error of a fetch-style server", async () => {
    const handle = fetchValidator(pets)(() => new Response());
    const value = new Request("http://a/pets", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    await value.text();
    await expect(handle(value)).rejects.toThrow(eaten);
  });
});

it("a hand-made request that declares fewer bytes than it has gets a 413", async () => {
  const headers = { "content-type": "application/json", "content-length": "5" };
  const made = () => new Request("http://a/pets", { method: "POST", headers, body: `{"name":"${"a".repeat(100)}"}` });
  const app = new Hono();
  app.use(honoValidator(pets, { bodyLimit: 100 }));
  const validate = fetchValidator(pets, { bodyLimit: 100 })(() => new Response("no"));
  expect([(await validate(made())).status, (await app.request(made())).status]).toEqual([413, 413]);
});

describe("the body after the validator", () => {
  it.each(["json", "text", "arrayBuffer", "blob", "formData"] as const)("is available to Hono's %s", async (read) => {
    const app = new Hono();
    app.use(honoValidator(pets));
    app.post("/pets", async (context) => {
      const body: unknown = await context.req[read]();
      const plain =
        body instanceof FormData ? Object.fromEntries(body) : body instanceof Blob ? await body.text() : body;
      return context.json({ plain: plain instanceof ArrayBuffer ? plain.byteLength : plain });
    });
    const isForm = read === "formData";
    const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
    const text = isForm ? "name=Rex" : '{"name":"Rex"}';
    const response = await app.request("/pets", { method: "POST", headers: { "content-type": type }, body: text });
    const plain = { json: { name: "Rex" }, text, arrayBuffer: text.length, blob: text, formData: { name: "Rex" } };
    expect(await response.json()).toEqual({ plain: plain[read] });
  });

  it.each(["platform", "Hono's server"])(
    "is available to a handler of %s, by every method and repeatedly",
    async (server) => {
      const validate = fetchValidator(pets)(async (outcome) => {
        const form = await outcome.clone().formData();
        const { body, bodyUsed } = outcome;
        const found = [
          await outcome.text(),
          (await outcome.arrayBuffer()).byteLength,
          (await outcome.blob()).type,
          Object.fromEntries(await outcome.formData()),
          Object.fromEntries(form),
          await new Response(body).text(),
          bodyUsed,
          outcome instanceof Request,
        ];
        return Response.json(found);
      });
      const type = "application/x-www-form-urlencoded";
      const found = ["name=Rex", 8, type, { name: "Rex" }, { name: "Rex" }, "name=Rex", false, true];
      const init = { method: "POST", headers: { "content-type": type }, body: "name=Rex" };
      if (server === "platform") {
        expect(await (await validate(new Request("http://a/pets", init))).json()).toEqual(found);
      } else {
        const listener = getRequestListener(validate);
        const host = listen((incoming, response) => void listener(incoming, response));
        const { body } = await send(host, [request("POST /pets", [`Content-Type: ${type}`], "name=Rex")]);
        expect(JSON.parse(body)).toEqual(found);
      }
    },
  );

  it("is skipped by Express's own parser", async () => {
    const app = express();
    app.use(expressValidator(pets), express.json());
    app.post("/pets", (incoming, response) => void response.json(incoming.body));
    expect((await send(listen(app), create)).body).toBe('{"name":"Rex","x":1}');
  });

  it("is parsed by Fastify outside the base path", async () => {
    const app = fastify({ bodyLimit: 20 });
    await app.register(fastifyValidator(pets, { basePath: "/v4" }));
    app.post("/other", (incoming, response) => response.send({ body: incoming.body }));
    const post = async (type: string, payload: string) => {
      const response = await app.inject({ method: "POST", url: "/other", headers: { "content-type": type }, payload });
      return [response.statusCode, response.json<{ body: unknown }>().body];
    };
    expect(await post("application/json", '{"a":1}')).toEqual([200, { a: 1 }]);
    expect(await post("application/json", '{"__proto__":1}')).toEqual([400, undefined]);
    expect(await post("text/plain", "abc")).toEqual([200, "abc"]);
    expect(await post("text/x", "abc")).toEqual([415, undefined]);
    expect(await post("text/plain", "a".repeat(21))).toEqual([413, undefined]);
  });
});

describe("inputOf", () => {
  it("throws with the reason if there is none", async () => {
    const validate = fetchValidator(pets)((outcome) =>
      Response.json([inputOf(getPet, outcome).path.petId, String(errorOf(() => inputOf(listPets, outcome)))]),
    );
    expect(await (await validate(new Request("http://a/pets/5"))).json()).toEqual([
      5,
      "TypeError: inputOf(listPets): this request was validated as getPet.",
    ]);
    expect(() => inputOf(getPet, {})).toThrow(
      "inputOf(getPet): this request was not validated. Register the validator before the handlers.",
    );
  });
});

describe("where paths start", () => {
  it("is where you mount the Express middleware, or the base path", async () => {
    const app = express();
    app.use(
      "/a",
      expressValidator(pets),
      (incoming: express.Request, response: express.Response) => void response.json(inputOf(getPet, incoming)),
    );
    app.use(
      "/b",
      expressValidator(pets, { basePath: "/b/v4" }),
      (incoming: express.Request, response: express.Response) => void response.json(inputOf(getPet, incoming)),
    );
    const host = await listen(app);
    onTestFinished(host.close);
    const bodies = await Promise.all(
      ["/a/pets/5", "/b/v4/pets/6"].map(async (target) => (await sendRaw(host.port, [request(`GET ${target}`)])).body),
    );
    expect(bodies).toEqual(['{"path":{"petId":5}}', '{"path":{"petId":6}}']);
  });

  it("is the prefix of Fastify's context", async () => {
    const app = fastify();
    await app.register(
      async (inner) => {
        await inner.register(fastifyValidator(pets));
        inner.get("/pets/:id", (incoming, response) => response.send(inputOf(getPet, incoming)));
      },
      { prefix: "/v4" },
    );
    expect((await app.inject("/v4/pets/5")).json()).toEqual({ path: { petId: 5 } });
    expect((await app.inject("/v4/pets/x")).statusCode).toBe(404);
  });
});

it("is typed", () => {
  const typed = (context: Context, incoming: express.Request): readonly [number, string, number] => [
    inputOf(getPet, context).path.petId,
    inputOf(createPet, incoming).body.name,
    inputOf(listPets, incoming).query.page,
  ];
  // @ts-expect-error: unknown field
  const wrong = (incoming: express.Request) => inputOf(getPet, incoming).path.dogId;
  // @ts-expect-error: nor such a way to treat fields
  const options: Parameters<typeof expressValidator>[1] = { unknown: "keep" };
  expect([typed, wrong, options]).toHaveLength(3);
  createServer((incoming, response) => nodeValidator(pets)(incoming, response, () => response.end())).close();
});

function errorOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
