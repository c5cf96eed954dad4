import { cp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer as listen, type Server as Host } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { LogEntry, Server } from "@plumbline/server-runtime";
import { nodeListener } from "@plumbline/server-runtime/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository, unremovedFolder } from "../support/places.js";
import { compileProject, plumbline } from "../support/run.js";

const corners = path.join(repository, "test", "descriptions", "corners");

let folder: string;
let host: Host;
const log: LogEntry[] = [];

beforeAll(async () => {
  folder = await unremovedFolder();
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
  for (const name of ["serving", "names"]) {
    const spec = path.join(corners, `${name}.yaml`);
    const only = "client,validator,server";
    const args = ["generate", "--only", only, "--spec", spec, "--out", path.join(folder, name)];
    expect(await plumbline(args, { in: folder })).toMatchObject({ code: 0 });
  }
  await cp(path.join(corners, "serving.stubs.ts"), path.join(folder, "serving", "stubs.ts"));
  const text = await readFile(path.join(folder, "serving", "server", "tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(text) as { compilerOptions: Readonly<Record<string, unknown>> };
  expect(compilerOptions).toMatchObject({ strict: true, exactOptionalPropertyTypes: true, isolatedDeclarations: true });
  const options = { ...compilerOptions, rootDir: ".", outDir: "out", declarationMap: false, sourceMap: false };
  const include = ["serving/stubs.ts", "*/client/src", "*/validator/src", "*/server/src"];
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include }));
  expect(await compile()).toEqual({ code: 0, out: "", error: "" });
  const stubs = (await import(pathToFileURL(path.join(folder, "out", "serving", "stubs.js")).href)) as {
    readonly make: (log: LogEntry[]) => Server;
  };
  host = listen(nodeListener(stubs.make(log)));
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
  await rm(folder, { recursive: true });
});

describe("the stubs of a description that is not ours", () => {
  it("would not compile, if a handler were wrong", async () => {
    const wrong = path.join(folder, "serving", "wrong.ts");
    const line = "createServer({ readNote: () => ({ status: 200, body: 7 }) }, {} as never);";
    await writeFile(wrong, `import { createServer } from "./server/src/index.js";\n${line}\n`);
    const tsconfig = await readFile(path.join(folder, "tsconfig.json"), "utf8");
    await writeFile(path.join(folder, "tsconfig.json"), tsconfig.replace("serving/stubs.ts", "serving/*.ts"));
    const { out } = await compile();
    await rm(wrong);
    expect(out).toMatch(/serving\/wrong\.ts\(2,/);
  });

  it("do not collide with names of the runtime or the language", async () => {
    const { createServer } = (await import(
      pathToFileURL(path.join(folder, "out", "names", "server", "src", "index.js")).href
    )) as { readonly createServer: (handlers: object, options: object) => Server };
    expect(() => createServer({}, { authenticate: {} })).toThrow(/^Missing handlers: errors, .*toString/);
  });
});

const basic = `Basic ${btoa("ann:p")}`;

describe("callers", () => {
  it.each([
    ["no credential, where that is one of the alternatives", {}, "anybody"],
    ["by a key", { "x-key": "k" }, "keyed"],
    ["by a password", { authorization: basic }, "ann"],
  ])("are known: %s", async (_, headers, text) => {
    expect(await ask("GET", "/v2/notes", { headers })).toMatchObject({ status: 200, body: [{ id: 1, text }] });
  });

  it.each([
    ["an unknown key", { "x-key": "none" }],
    ["a wrong password", { authorization: `Basic ${btoa("ann:q")}` }],
    ["another scheme", { authorization: "Digest a" }],
  ])("are rejected, with the accepted schemes: %s", async (_, headers) => {
    const rejected = await ask("GET", "/v2/notes", { headers });
    expect(rejected).toMatchObject({ status: 401, body: { title: "A credential is required" } });
    expect(rejected.headers.get("www-authenticate")).toBe('ApiKey, Basic realm="api", charset="UTF-8"');
  });

  it.each([
    ["the required scope", { authorization: "Bearer writer" }, 201, "ann by consent: a"],
    ["another scope only", { authorization: "Bearer reader" }, 403, undefined],
    ["an alternative of two credentials", { authorization: "Bearer k", "x-key": "k" }, 201, "keyed by key: a"],
    ["one of them", { "x-key": "k" }, 401, undefined],
    ["none", {}, 401, undefined],
  ])("need a scope of OAuth, or all of another alternative: %s", async (_, headers, status, text) => {
    const response = await ask("POST", "/v2/notes", { headers, json: { text: "a" } });
    expect([response.status, response.text]).toEqual([status, text]);
  });
});

describe("requests", () => {
  const headers = { authorization: "Bearer writer" };

  it("have parameters in cookies", async () => {
    const response = await ask("GET", "/v2/notes", { headers: { cookie: "other=1; session=12" } });
    expect(response.body).toEqual([{ id: 12, text: "anybody" }]);
    expect(await ask("GET", "/v2/notes", { headers: { cookie: "session=x" } })).toMatchObject({
      status: 400,
      body: { title: "session must be an integer" },
    });
  });

  it("have bodies of several parts", async () => {
    const body = new FormData();
    body.set("title", "a");
    body.set("file", new File(["bytes"], "f.txt"));
    expect(await ask("PUT", "/v2/notes/7", { headers, body })).toMatchObject({ status: 204, body: "" });
    body.set("title", "too long");
    const rejected = await ask("PUT", "/v2/notes/7", { headers, body });
    expect(rejected).toMatchObject({ status: 400, body: { errors: [{ field: "title" }] } });
  });

  it("have bodies of bytes, which arrive as a stream and may be sent as one", async () => {
    const picture = { headers: { "content-type": "image/png" }, body: "PNG" };
    const sent = await ask("POST", "/v2/notes/7/picture", picture);
    expect([sent.status, sent.headers.get("content-type"), sent.body]).toEqual([200, "image/png", "PNG"]);
  });

  it("are validated by the description", async () => {
    const rejected = await ask("POST", "/v2/notes", { headers, json: { text: "" } });
    expect(rejected).toMatchObject({ status: 400, body: { title: expect.stringMatching(/^text /) as string } });
    expect((await ask("POST", "/v2/notes", { headers, body: "a" })).status).toBe(415);
  });

  it("outside of the handlers, paths and methods get 501, 404 or 405", async () => {
    expect((await ask("DELETE", "/v2/notes/7")).status).toBe(501);
    expect((await ask("GET", "/v2/none")).status).toBe(404);
    expect((await ask("GET", "/notes")).status).toBe(404);
    const other = await ask("PATCH", "/v2/notes");
    expect([other.status, other.headers.get("allow")]).toEqual([405, "GET, POST, HEAD, OPTIONS"]);
  });
});

describe("responses", () => {
  const headers = { authorization: "Bearer writer" };

  it("match their status, with the described fields and headers", async () => {
    const made = await ask("POST", "/v2/notes", { headers, json: { text: "a" } });
    expect(made.body).toEqual({ id: 7, text: "ann by consent: a" });
    expect([made.headers.get("location"), made.headers.get("x-request-id")]).toEqual(["/v2/notes/7", "r1"]);
  });

  it("of a range have its body and its media type", async () => {
    const rejected = await ask("POST", "/v2/notes", { headers, json: { text: "409" } });
    expect([rejected.status, rejected.headers.get("content-type"), rejected.body]).toEqual([
      409,
      "application/problem+json",
      { title: "There is one." },
    ]);
  });

  it("without a described status are the default", async () => {
    const closed = await ask("GET", "/v2/notes", { headers: { cookie: "session=0" } });
    expect(closed).toMatchObject({ status: 503, body: { title: "closed" } });
  });

  it("may be text, or empty", async () => {
    const read = await ask("GET", "/v2/notes/7");
    expect([read.status, read.headers.get("content-type"), read.body]).toEqual([
      200,
      "text/plain; charset=utf-8",
      "seven ü",
    ]);
    expect(await ask("GET", "/v2/notes/8")).toMatchObject({ status: 404, body: "" });
  });

  it("that break the description are our failure, and its log has why", async () => {
    log.length = 0;
    const broken = await ask("POST", "/v2/notes", { headers, json: { text: "broken" } });
    expect(broken).toMatchObject({ status: 500, body: { errors: [{ reason: "Internal server error" }] } });
    expect(log.map(({ message }) => message)).toEqual([
      "The handler of createNote returned response 201, which the description does not allow: text must be at least 1 character",
    ]);
  });
});

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: BodyInit;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed, where it is JSON. */
  readonly body: unknown;
  /** Of a note. */
  readonly text: unknown;
}

async function ask(method: string, target: string, { headers = {}, json, body }: Asked = {}): Promise<Answered> {
  const response = await fetch(`http://127.0.0.1:${(host.address() as AddressInfo).port}${target}`, {
    method,
    headers: json === undefined ? headers : { "content-type": "application/json", ...headers },
    ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  const isJson = /\bjson$/.test(response.headers.get("content-type") ?? "");
  const read: unknown = isJson && text !== "" ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body: read, text: (read as { text?: unknown }).text };
}

function compile(): ReturnType<typeof compileProject> {
  return compileProject(path.join(folder, "tsconfig.json"), { in: folder });
}
