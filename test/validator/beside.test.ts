import { openAsBlob } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import fastifyCors from "@fastify/cors";
import fastifyMultipart from "@fastify/multipart";
import { getRequestListener } from "@hono/node-server";
import {
  addIssueAt,
  deepObject,
  defineOperation,
  explodedArray,
  fileField,
  formBody,
  inputOf,
  integerValue,
  jsonBody,
  jsonValue,
  multipartBody,
  type Operation,
  singleValue,
  stringValue,
} from "@plumbline/server-runtime/validator";
import { expressValidator } from "@plumbline/server-runtime/validator/express";
import { fastifyValidator } from "@plumbline/server-runtime/validator/fastify";
import { fetchValidator } from "@plumbline/server-runtime/validator/fetch";
import { honoValidator } from "@plumbline/server-runtime/validator/hono";
import { nodeValidator } from "@plumbline/server-runtime/validator/node";
import cors from "cors";
import express from "express";
import fastify, { type FastifyRequest } from "fastify";
import { Hono } from "hono";
import { cors as honoCors } from "hono/cors";
import multer from "multer";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../support/hosts.js";

const addPet: Operation = defineOperation({
  name: "addPet",
  method: "POST",
  path: "/pets",
  body: {
    required: true,
    contents: {
      "application/json": {
        decode: jsonBody,
        check: (value, issues) => {
          if (typeof Object(value).name !== "string") addIssueAt(issues, "name", "type", "string");
        },
      },
    },
  },
});
const addPhoto: Operation = defineOperation({
  name: "addPhoto",
  method: "POST",
  path: "/photos",
  body: {
    required: true,
    contents: {
      "multipart/form-data": {
        decode: multipartBody(
          {
            age: singleValue(integerValue),
            owner: singleValue(jsonValue),
            photo: fileField,
          },
          { photo: ["image/png", "image/jpeg"] },
        ),
      },
      "application/x-www-form-urlencoded": {
        decode: formBody({
          age: singleValue(integerValue),
          tags: explodedArray(stringValue),
          at: deepObject({ x: singleValue(integerValue) }),
        }),
      },
    },
  },
});
/** The operation as a function, with the form alone. */
const uploadPhoto: Operation<{ readonly body: unknown }> = defineOperation({
  ...addPhoto.definition,
  body: {
    contents: { "multipart/form-data": addPhoto.definition.body?.contents["multipart/form-data"] ?? {} },
  },
});
const operations = [addPet, addPhoto];
const options = { basePath: "/v4" };

interface Choice {
  readonly ignoreUndocumented?: boolean;
  readonly ignorePaths?: RegExp | ((path: string) => boolean);
  readonly operations?: readonly string[];
  readonly validateResponses?: "report" | "enforce";
}

/** Each kind of server, with a handler that responds `{"handled": true}` to everything. */
const servers: Readonly<Record<string, (choice: Choice) => Promise<number>>> = {
  node: async (choice) => {
    const validate = nodeValidator(operations, { ...options, ...choice });
    return portOf(
      listen((request, response) =>
        validate(request, response, () =>
          response.writeHead(200, { "content-type": "application/json" }).end('{"handled":true}'),
        ),
      ),
    );
  },
  express: async (choice) => {
    const app = express();
    app.use(cors());
    app.use(expressValidator(operations, { ...options, ...choice }));
    app.use((_, response) => void response.json({ handled: true }));
    return portOf(listen(app));
  },
  fastify: async (choice) => {
    const app = fastify();
    await app.register(fastifyCors);
    await app.register(fastifyValidator(operations, { ...options, ...choice }));
    // `@fastify/cors` has the route of OPTIONS.
    app.route({ method: ["GET", "POST", "DELETE"], url: "/*", handler: async () => ({ handled: true }) });
    return portOfFastify(app);
  },
  hono: async (choice) => {
    const app = new Hono();
    app.use(honoCors());
    app.use(honoValidator(operations, { ...options, ...choice }));
    app.all("*", (context) => context.json({ handled: true }));
    return portOfFetch(app.fetch);
  },
  fetch: async (choice) => {
    const handle = fetchValidator(operations, { ...options, ...choice })(() => Response.json({ handled: true }));
    return portOfFetch(handle);
  },
};

describe.each(Object.entries(servers))("%s", (_name, start) => {
  it("rejects undocumented routes, unless they are to pass", async () => {
    const strict = await start({});
    expect(await send(strict, "GET /v4/health")).toMatchObject({ status: 404 });
    expect(await send(strict, "DELETE /v4/pets")).toMatchObject({ status: 405 });
    const lenient = await start({ ignoreUndocumented: true });
    expect(await send(lenient, "GET /v4/health")).toMatchObject({ status: 200, body: { handled: true } });
    expect(await send(lenient, "DELETE /v4/pets")).toMatchObject({ status: 200 });
    expect(await send(lenient, "POST /v4/pets", { name: 5 })).toMatchObject({ status: 400 });
  });

  it("ignores paths by a pattern, or by a function of the path without its query", async () => {
    const byPattern = await start({ ignorePaths: /^\/v4\/internal\//g });
    for (const _ of [1, 2]) expect(await send(byPattern, "GET /v4/internal/a?x=1")).toMatchObject({ status: 200 });
    expect(await send(byPattern, "GET /v4/other?x=/v4/internal/")).toMatchObject({ status: 404 });
    const byFunction = await start({ ignorePaths: (target) => target === "/v4/health" });
    expect(await send(byFunction, "GET /v4/health?x=1")).toMatchObject({ status: 200 });
    expect(await send(byFunction, "GET /v4/healthy")).toMatchObject({ status: 404 });
  });

  it("validates the operations of its list only", async () => {
    const port = await start({ operations: ["addPhoto"] });
    expect(await send(port, "POST /v4/pets", { name: 5 })).toMatchObject({ status: 200 });
    expect(await send(port, "POST /v4/photos", {})).toMatchObject({ status: 415 });
  });
});

describe.each(["express", "fastify", "hono"])("CORS in %s", (name) => {
  it("responds to preflight requests before the validator, and marks its error responses", async () => {
    const port = (await servers[name]?.({})) ?? 0;
    const preflight = await fetch(`http://127.0.0.1:${port}/v4/pets`, {
      method: "OPTIONS",
      headers: { Origin: "https://shop.example", "Access-Control-Request-Method": "POST" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    const rejected = await fetch(`http://127.0.0.1:${port}/v4/pets`, {
      method: "POST",
      headers: { Origin: "https://shop.example", "Content-Type": "application/json" },
      body: "{}",
    });
    expect([rejected.status, rejected.headers.get("access-control-allow-origin")]).toEqual([400, "*"]);
  });
});

describe("a body parser before the validator", () => {
  const start = async (acceptParsedBody: boolean): Promise<number> => {
    const app = express();
    app.use(express.json());
    app.use(expressValidator(operations, { ...options, acceptParsedBody }));
    app.post("/v4/pets", (request, response) => void response.json(inputOf(addPet, request)));
    app.use((error: Error, _: express.Request, response: express.Response, __: express.NextFunction) => {
      response.status(500).json({ message: error.message });
    });
    return portOf(listen(app));
  };

  it("is an error, unless its value is to be validated", async () => {
    expect(await send(await start(false), "POST /v4/pets", { name: "Rex" })).toEqual({
      status: 500,
      body: { message: expect.stringContaining("or pass `acceptParsedBody: true`.") },
    });
    const port = await start(true);
    const accepted = await send(port, "POST /v4/pets", { name: "Rex" });
    expect(accepted).toMatchObject({ status: 200, body: { body: { name: "Rex" } } });
    expect(await send(port, "POST /v4/pets", { name: 5 })).toEqual({
      status: 400,
      body: { errors: [{ field: "name", reason: "must be a string" }] },
    });
  });

  const formParsers: Readonly<Record<string, () => Promise<number>>> = {
    "express.urlencoded, extended": () => startForms(express.urlencoded({ extended: true })),
    "express.urlencoded": () => startForms(express.urlencoded({ extended: false })),
    "multer, any file": () => startForms(multer().any()),
    "multer, files by field": () => startForms(multer().fields([{ name: "photo" }, { name: "owner" }])),
    "@fastify/multipart": () => startFastifyForms(),
    "@fastify/multipart, values": () => startFastifyForms({ attachFieldsToBody: "keyValues" }),
  };
  const startFastifyForms = async ({
    attachFieldsToBody = true,
    ...more
  }: {
    readonly attachFieldsToBody?: true | "keyValues";
    readonly bodyLimit?: number;
  } = {}): Promise<number> => {
    const app = fastify();
    await app.register(fastifyMultipart, { attachFieldsToBody, limits: { fileSize: 100 } });
    await app.register(fastifyValidator(operations, { ...options, ...more, acceptParsedBody: true }));
    app.route({ method: "POST", url: "/v4/photos", handler: shownInput });
    return portOfFastify(app);
  };
  const startForms = async (
    parser: express.RequestHandler,
    more: { readonly bodyLimit?: number } = {},
  ): Promise<number> => {
    const app = express();
    app.use(parser);
    app.use(expressValidator(operations, { ...options, ...more, acceptParsedBody: true }));
    app.post("/v4/photos", (request, response, next) => {
      shownInput(request).then((input) => response.json(input), next);
    });
    app.use((error: Error, _: express.Request, response: express.Response, __: express.NextFunction) => {
      response.status(500).json({ message: error.message });
    });
    return portOf(listen(app));
  };
  const shownInput = async (request: object): Promise<unknown> => {
    const { photo, ...others } = (inputOf(addPhoto, request) as { readonly body: { readonly photo?: Blob } }).body;
    return { ...others, ...(photo && { photo: await photo.text() }) };
  };
  const uploads = Object.entries(formParsers).filter(([name]) => !name.includes("urlencoded"));
  const urlEncoded = Object.entries(formParsers).filter(([name]) => name.includes("urlencoded"));

  it.each(uploads)("may be one of forms with files: %s", async (_, startParser) => {
    const port = await startParser();
    const data = new FormData();
    data.set("age", "5");
    data.set("photo", new Blob(["pixels"], { type: "image/png" }), "rex.png");
    data.set("owner", new Blob(['{"id":1}'], { type: "application/json" }));
    expect(await sendForm(port, data)).toEqual({ status: 200, body: { age: 5, owner: { id: 1 }, photo: "pixels" } });
    data.set("owner", '{"id":1}');
    data.set("age", "x");
    expect(await sendForm(port, data)).toEqual({
      status: 400,
      body: { errors: [{ field: "age", reason: "must be an integer" }] },
    });
  });

  it.each(urlEncoded)("may be one of forms: %s", async (_, startParser) => {
    const port = await startParser();
    const form = (text: string) => sendForm(port, new URLSearchParams(text));
    expect(await form("age=5&tags=a&tags=b&at[x]=1")).toMatchObject({
      status: 200,
      body: { age: 5, tags: ["a", "b"], at: { x: 1 } },
    });
    expect(await form("age=x")).toMatchObject({ status: 400, body: { errors: [{ field: "age" }] } });
  });

  it.each(uploads)("has parts of the listed media types, and one file for a field: %s", async (name, startParser) => {
    const port = await startParser();
    const data = new FormData();
    data.append("photo", new Blob(["pixels"], { type: "text/plain" }), "rex.png");
    // `keyValues` drops the media type.
    const isChecked = name !== "@fastify/multipart, values";
    expect(await sendForm(port, data)).toEqual(
      isChecked
        ? {
            status: 400,
            body: { errors: [{ field: "photo", reason: "Content-Type must be image/png or image/jpeg" }] },
          }
        : { status: 200, body: { photo: "pixels" } },
    );
    data.set("photo", new Blob(["pixels"], { type: "image/png" }), "rex.png");
    data.append("photo", new Blob(["pixels"], { type: "image/png" }), "max.png");
    expect(await sendForm(port, data)).toEqual({
      status: 400,
      body: { errors: [{ field: "photo", reason: "must appear only once" }] },
    });
  });

  it.each(uploads)("may be a form without parts: %s", async (_, startParser) => {
    expect(await sendForm(await startParser(), new FormData())).toEqual({ status: 200, body: {} });
  });

  it("has the limit of the parser", async () => {
    const fill = "x".repeat(64);
    const data = new FormData();
    data.set("age", "5");
    data.set("photo", new Blob([fill], { type: "image/png" }), "rex.png");
    for (const startParser of [
      () => startForms(multer().any(), { bodyLimit: 16 }),
      () => startFastifyForms({ bodyLimit: 16 }),
    ])
      expect(await sendForm(await startParser(), data)).toEqual({ status: 200, body: { age: 5, photo: fill } });
  });

  it("is an error if it leaves bytes, or files on disk", async () => {
    const data = new FormData();
    data.set("photo", new Blob(["pixels"]), "rex.png");
    const folder = await mkdtemp(path.join(os.tmpdir(), "uploads-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    expect(await sendForm(await startForms(express.raw({ type: "multipart/form-data" })), data)).toEqual({
      status: 500,
      body: { message: expect.stringContaining("or pass `acceptParsedBody: true`.") },
    });
    expect(await sendForm(await startForms(multer({ dest: folder }).any()), data)).toEqual({
      status: 500,
      body: {
        message: expect.stringContaining(
          "are on disk, where the validator does not read them. Use `multer.memoryStorage()`",
        ),
      },
    });
  });

  it("validates what a parser of Fastify has read", async () => {
    const app = fastify();
    await app.register(fastifyValidator(operations, { ...options, acceptParsedBody: true }));
    app.addContentTypeParser(/^application\/json/, { parseAs: "string" }, (_, text, done) =>
      done(null, JSON.parse(String(text))),
    );
    app.removeContentTypeParser("application/json");
    app.post("/v4/pets", (request, response) => response.send(inputOf(addPet, request)));
    const port = await portOfFastify(app);
    expect(await send(port, "POST /v4/pets", { name: "Rex" })).toMatchObject({ status: 200 });
    expect(await send(port, "POST /v4/pets", { name: 5 })).toMatchObject({ status: 400 });
  });
});

describe("uploads of other middleware", () => {
  const form = (): FormData => {
    const data = new FormData();
    data.set("photo", new Blob(["pixels"]), "rex.png");
    return data;
  };
  const left = { ...options, unreadBodies: ["addPhoto"] };

  it("are left to multer", async () => {
    const app = express();
    app.use(expressValidator(operations, left));
    app.post("/v4/photos", multer().single("photo"), (request, response) => {
      response.json({ size: request.file?.size, input: inputOf(addPhoto, request) });
    });
    const port = await portOf(listen(app));
    expect(await sendForm(port, form())).toEqual({ status: 200, body: { size: 6, input: {} } });
  });

  it("are left to @fastify/multipart", async () => {
    const app = fastify();
    await app.register(fastifyMultipart);
    await app.register(fastifyValidator(operations, left));
    const sizeOf = async (request: FastifyRequest): Promise<object> => {
      const file = await request.file();
      return { size: (await file?.toBuffer())?.length };
    };
    app.route({ method: "POST", url: "/v4/photos", handler: sizeOf });
    expect(await sendForm(await portOfFastify(app), form())).toEqual({ status: 200, body: { size: 6 } });
  });

  it("are left to the handlers of Hono and fetch", async () => {
    const sizeOf = async (request: Request): Promise<Response> =>
      Response.json({ size: ((await request.formData()).get("photo") as File).size });
    const app = new Hono();
    app.use(honoValidator(operations, left));
    app.post("/v4/photos", (context) => sizeOf(context.req.raw));
    const handlers = [app.fetch, fetchValidator(operations, left)(sizeOf)];
    for (const handle of handlers)
      expect(await sendForm(await portOfFetch(handle), form())).toEqual({
        status: 200,
        body: { size: 6 },
      });
  });

  it("have a documented media type, and are not in the input", async () => {
    const app = express();
    app.use(expressValidator(operations, left));
    app.post("/v4/photos", (request, response) => {
      response.json((inputOf(addPhoto, request) as { readonly body: object }).body);
    });
    app.use((error: Error, _: express.Request, response: express.Response, __: express.NextFunction) => {
      response.status(500).json({ message: error.message });
    });
    const port = await portOf(listen(app));
    expect(await send(port, "POST /v4/photos", {})).toMatchObject({ status: 415 });
    expect(await send(port, "POST /v4/photos")).toEqual({
      status: 400,
      body: { errors: [{ reason: "is required" }] },
    });
    expect(await sendForm(port, form())).toEqual({
      status: 500,
      body: { message: expect.stringContaining("The body of addPhoto is not in its input: `unreadBodies`") },
    });
  });

  it("may be on disk, and checked by the operation as a function", async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "uploads-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const app = express();
    app.use(expressValidator(operations, left));
    const handle = async (request: express.Request, response: express.Response): Promise<void> => {
      const { path: file, mimetype } = request.file ?? {};
      const photo = file && (await openAsBlob(file, { type: mimetype ?? "" }));
      const checked = uploadPhoto.body({ ...request.body, photo });
      if (!checked.ok) return void response.status(400).json({ errors: checked.issues });
      response.json({ size: (checked.input as { readonly photo: Blob }).photo.size });
    };
    app.post("/v4/photos", multer({ dest: folder }).single("photo"), (request, response, next) => {
      handle(request, response).catch(next);
    });
    const port = await portOf(listen(app));
    const data = form();
    expect(await sendForm(port, data)).toMatchObject({ status: 400, body: { errors: [{ field: "photo" }] } });
    data.set("photo", new Blob(["pixels"], { type: "image/png" }), "rex.png");
    expect(await sendForm(port, data)).toEqual({ status: 200, body: { size: 6 } });
  });

  it("may have a limit of their own, with a validator for some operations", async () => {
    const app = express();
    app.use(expressValidator(operations, { ...options, operations: ["addPhoto"], bodyLimit: 500 }));
    app.use(expressValidator(operations, { ...options, operations: ["addPet"], bodyLimit: 100 }));
    app.use((_, response) => void response.json({}));
    const port = await portOf(listen(app));
    const data = new FormData();
    data.set("photo", new Blob(["x".repeat(200)], { type: "image/png" }), "rex.png");
    expect(await sendForm(port, data)).toMatchObject({ status: 200 });
    data.set("photo", new Blob(["x".repeat(500)], { type: "image/png" }), "rex.png");
    expect(await sendForm(port, data)).toMatchObject({ status: 413 });
    expect(await send(port, "POST /v4/pets", { name: "x".repeat(50) })).toMatchObject({ status: 200 });
    expect(await send(port, "POST /v4/pets", { name: "x".repeat(200) })).toMatchObject({ status: 413 });
    expect(await send(port, "GET /v4/other")).toMatchObject({ status: 404 });
  });

  it("have names of operations", () => {
    expect(() => expressValidator(operations, { unreadBodies: ["addPhotos"] })).toThrow(
      'Unknown operation "addPhotos" in option `unreadBodies`.',
    );
  });
});

async function send(port: number, line: string, body?: object): Promise<object> {
  const [method = "", target = ""] = line.split(" ");
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    method,
    ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

async function sendForm(port: number, body: FormData | URLSearchParams): Promise<object> {
  const response = await fetch(`http://127.0.0.1:${port}/v4/photos`, { method: "POST", body });
  return { status: response.status, body: (await response.json()) as unknown };
}

async function portOf(starting: ReturnType<typeof listen>): Promise<number> {
  const { port, close } = await starting;
  onTestFinished(close);
  return port;
}

async function portOfFetch(handle: (request: Request) => Response | Promise<Response>): Promise<number> {
  const listener = getRequestListener(handle);
  return portOf(listen((request, response) => void listener(request, response)));
}

async function portOfFastify(app: ReturnType<typeof fastify>): Promise<number> {
  onTestFinished(() => app.close());
  await app.listen({ port: 0, host: "127.0.0.1" });
  return (app.server.address() as AddressInfo).port;
}
