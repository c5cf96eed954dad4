import { cp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startLoopback, type Loopback } from "../support/loopback.js";
import { repository, unremovedFolder } from "../support/places.js";
import { compileProject, plumbline } from "../support/run.js";

const names = ["parameters", "schemas", "exchanges"] as const;
const corners = path.join(repository, "test", "descriptions", "corners");

let folder: string;
let server: Loopback;

beforeAll(async () => {
  folder = await unremovedFolder();
  server = await startLoopback();
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), '{"type": "module"}');
  for (const name of names) {
    const out = path.join(folder, name);
    const ended = await plumbline(["generate", "--spec", path.join(corners, `${name}.yaml`), "--out", out], {
      in: folder,
    });
    expect(ended).toMatchObject({ code: 0 });
    await cp(path.join(corners, `${name}.types.ts`), path.join(out, "types.ts"));
    await cp(path.join(corners, "exactly.ts"), path.join(out, "exactly.ts"));
  }
  const text = await readFile(path.join(folder, "parameters", "client", "tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(text) as { compilerOptions: Readonly<Record<string, unknown>> };
  expect(compilerOptions).toMatchObject({ strict: true, exactOptionalPropertyTypes: true });
  const options = { ...compilerOptions, rootDir: ".", outDir: "out", declarationMap: false, sourceMap: false };
  await writeFile(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: options,
      include: ["*/*.ts", "*/client/src", "*/validator/src", "*/server/src"],
    }),
  );
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

describe("three descriptions with every odd corner", () => {
  it("become clients whose types are right, validators and servers, under the strictest settings", async () => {
    expect(await compile()).toEqual({ code: 0, out: "", error: "" });
  });

  it("would not, if one of the types were wrong", async () => {
    const wrong = path.join(folder, "schemas", "wrong.ts");
    const lines = ["{ value: string }", "{ value: string; children?: Tree[]; parent?: Tree | undefined }"];
    await writeFile(
      wrong,
      `import type { Tree } from "./client/src/index.js";\nimport { exactly } from "./exactly.js";\n${lines.map((type) => `exactly<Tree, ${type}>(true);\n`).join("")}`,
    );
    const { code, out } = await compile();
    await rm(wrong);
    expect(code).not.toBe(0);
    expect(out.match(/schemas\/wrong\.ts\(\d/g)).toEqual(["schemas/wrong.ts(3", "schemas/wrong.ts(4"]);
  });
});

describe("parameters", () => {
  const point = { x: 1, y: -2 };
  const list = [1, 2];

  it.each([
    [
      "inPath",
      {
        path: { simple: "a/b", list, point, points: point, label: list, labels: point, matrix: list, matrixes: point },
      },
      "GET /path/a%2Fb/1,2/x,1,y,-2/x=1,y=-2/.1,2/.x=1.y=-2/;matrix=1,2/;x=1;y=-2",
    ],
    [
      "inQuery",
      { query: { text: "ä&b", list, commas: list, spaces: list, pipes: list } },
      "GET /query?text=%C3%A4%26b&list=1&list=2&commas=1,2&spaces=1%202&pipes=1%7C2",
    ],
    ["inQuery", { query: { text: "", point } }, "GET /query?text=&x=1&y=-2"],
    [
      "inQuery",
      { query: { text: "a", flat: point, deep: point, json: [point] } },
      `GET /query?text=a&flat=x,1,y,-2&deep%5Bx%5D=1&deep%5By%5D=-2&json=${encodeURIComponent('[{"x":1,"y":-2}]')}`,
    ],
    [
      "inQuery",
      { query: { text: "a", reserved: "/a?b=c&d", mayBeNull: null } },
      "GET /query?text=a&reserved=/a?b%3Dc%26d",
    ],
    ["overridden", { path: { id: 1 }, query: { limit: "few", id: "two" } }, "GET /shared/1?limit=few&id=two"],
    ["inherited", { path: { id: 1 }, query: { verbose: true, limit: 3 } }, "DELETE /shared/1?verbose=true&limit=3"],
    [
      "names",
      {
        path: { class: "c", "kebab-id": "k" },
        query: JSON.parse(
          '{"filter[a]": "1", "ids[]": [1, 2], "__proto__": "p", "constructor": "c", "$top": 1, "a b\\"c": "q"}',
        ) as object,
      },
      "GET /names/c/k?filter%5Ba%5D=1&ids%5B%5D=1&ids%5B%5D=2&__proto__=p&constructor=c&%24top=1&a%20b%22c=q",
    ],
  ])("of %s are in the URL: %j", async (name, given, line) => {
    await call("parameters", name, given);
    expect(server.last()).toMatchObject({ line, body: "" });
  });

  it("are in headers, except for a described Accept", async () => {
    const headers = { "X-Request-Id": "7", "X-List": list, "X-Point": point, "X-Points": point, "X-Json": point };
    await call("parameters", "inHeaders", { headers });
    expect(server.last().headers).toMatchObject({
      accept: "application/json, */*;q=0.5",
      "x-request-id": "7",
      "x-list": "1,2",
      "x-point": "x,1,y,-2",
      "x-points": "x=1,y=-2",
      "x-json": '{"x":1,"y":-2}',
    });
    await call("parameters", "overridden", { path: { id: 1 }, headers: { id: false } });
    expect([server.last().line, server.last().headers["id"]]).toEqual(["GET /shared/1", "false"]);
  });

  it("are in cookies", async () => {
    await call("parameters", "inCookies", { cookies: { session: "a b;c", debug: true, flat: list } });
    expect(server.last().headers["cookie"]).toBe("session=a%20b%3Bc; debug=true; flat=1,2");
  });
});

describe("bodies", () => {
  it("of several parts name a file's own type, repeat lists, and write objects as JSON", async () => {
    const photo = new File(["p"], "p.png", { type: "image/png" });
    const more = [new Blob(["1"]), new Blob(["2"])];
    await call("exchanges", "sendParts", { body: { title: "ä", photo, more, about: { name: "n" }, tags: ["a", "b"] } });
    const { headers, body } = server.last();
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers["content-type"] ?? "")?.[1];
    const parts = body.split(`--${boundary}`).slice(1, -1);
    expect(parts.map((part) => part.trim().replaceAll("\r\n", "|"))).toEqual([
      'Content-Disposition: form-data; name="title"||ä',
      'Content-Disposition: form-data; name="photo"; filename="p.png"|Content-Type: image/png||p',
      'Content-Disposition: form-data; name="more"; filename="blob"|Content-Type: application/octet-stream||1',
      'Content-Disposition: form-data; name="more"; filename="blob"|Content-Type: application/octet-stream||2',
      'Content-Disposition: form-data; name="about"|Content-Type: application/json||{"name":"n"}',
      'Content-Disposition: form-data; name="tags"||a',
      'Content-Disposition: form-data; name="tags"||b',
    ]);
  });

  it.each([
    [
      "sendForm",
      { name: "a b", tags: ["x", "y"], commas: [1, 2], about: { name: "n" }, deep: { name: "d", size: 1 } },
      "application/x-www-form-urlencoded",
      "name=a%20b&tags=x&tags=y&commas=1,2&about=%7B%22name%22%3A%22n%22%7D&deep%5Bname%5D=d&deep%5Bsize%5D=1",
    ],
    ["sendText", "ä\n", "text/plain", "ä\n"],
    ["sendBytes", new Uint8Array([97, 98]), "application/octet-stream", "ab"],
    ["sendSeveral", "a", "text/plain", "a"],
    ["mergePatch", { name: "n" }, "application/merge-patch+json", '{"name":"n"}'],
  ])("of %s are encoded as described", async (name, body, contentType, written) => {
    server.answer({ status: 204 });
    await call("exchanges", name, { body });
    expect(server.last()).toMatchObject({ headers: { "content-type": contentType }, body: written });
  });

  it("of several media types are sent as the caller chooses", async () => {
    server.answer({ status: 204 });
    await call("exchanges", "sendSeveral", { contentType: "application/json", body: { name: "n" } });
    expect(server.last()).toMatchObject({ headers: { "content-type": "application/json" }, body: '{"name":"n"}' });
  });
});

describe("responses", () => {
  const json = { "content-type": "application/json" };

  it.each([
    ["getReplies", { status: 200, headers: json, body: '{"name":"n"}' }, { name: "n" }],
    ["getReplies", { status: 202, headers: { location: "/later" } }, undefined],
    ["getWildcard", { status: 200, headers: { "content-type": "application/vnd.x+json" }, body: "{}" }, {}],
    ["getKinds", { status: 200, headers: json, body: '{"name":"n"}' }, { name: "n" }],
    ["getKinds", { status: 202, headers: { "content-type": "text/plain" }, body: "12" }, "12"],
    ["getKinds", { status: 204 }, undefined],
    ["onlyHeaders", { status: 200, headers: { "x-total": "3" } }, undefined],
    ["onlyDefault", { status: 203, headers: json, body: '{"name":"n"}' }, { name: "n" }],
    ["range", { status: 299, headers: json, body: '{"name":"n"}' }, { name: "n" }],
    ["emptyContent", { status: 200 }, undefined],
  ])("of %s are read: %j", async (name, answer, expected) => {
    server.answer(answer);
    expect(await call("exchanges", name, {})).toEqual(expected);
  });

  it("of text or bytes are not parsed as JSON", async () => {
    server.answer({ status: 200, headers: { "content-type": "text/csv" }, body: "1" });
    expect(await call("exchanges", "sendText", { body: "a" })).toBe("1");
    server.answer({ status: 200, headers: { "content-type": "image/gif" }, body: "GIF" });
    const picture = (await call("exchanges", "sendBytes", { body: "a" })) as Blob;
    expect([picture.type, await picture.text()]).toEqual(["image/gif", "GIF"]);
  });

  it.each([
    [{ status: 304 }, { status: 304, body: undefined }],
    [
      { status: 404, headers: { "content-type": "text/plain" }, body: "12" },
      { status: 404, body: "12" },
    ],
    [
      { status: 500, headers: json, body: '{"reason":"r"}' },
      { status: 500, body: { reason: "r" } },
    ],
  ])("with errors have the described type: %j", async (answer, expected) => {
    server.answer(answer);
    await expect(call("exchanges", "getReplies", {})).rejects.toMatchObject({ code: "http", ...expected });
  });

  it("of an unexpected kind are an error, not a wrong value", async () => {
    server.answer({ status: 200, headers: { "content-type": "text/plain" }, body: "a" });
    await expect(
      call("exchanges", "sendSeveral", { contentType: "application/json", body: { name: "n" } }),
    ).rejects.toMatchObject({ code: "decode" });
    expect(server.last().headers["accept"]).toBe("application/json, */*;q=0.5");
  });
});

describe("credentials", () => {
  const user = { user: "ada", password: "p" };

  it.each([
    ["all of an alternative", "oneOfSeveral", { key: "k", cookie: "c", user }, { "x-key": "k", cookie: "sid=c" }],
    ["the next, where one is missing", "oneOfSeveral", { key: "k", user }, { authorization: "Basic YWRhOnA=" }],
    ["none, where that is an alternative", "oneOfSeveral", { key: "k" }, {}],
    ["a token", "withQueryKey", { token: "t" }, { authorization: "Bearer t" }],
  ])("are %s", async (_, name, credentials, expected) => {
    server.answer({});
    await call("exchanges", name, {}, { credentials });
    const { "x-key": key, cookie, authorization } = server.last().headers;
    expect({ key, cookie, authorization }).toEqual({ key: undefined, ...renamed(expected) });
  });

  it("are a key in the query", async () => {
    server.answer({});
    await call("exchanges", "withQueryKey", {}, { credentials: { query: "q&" } });
    expect(server.last().line).toBe("PUT /security?key=q%26");
  });
});

function renamed({ "x-key": key, cookie, authorization }: Readonly<Record<string, string>>): object {
  return { key, cookie, authorization };
}

function compile(): ReturnType<typeof compileProject> {
  return compileProject(path.join(folder, "tsconfig.json"), { in: folder });
}

type Generated = Readonly<Record<string, (client: unknown, request: object) => Promise<unknown>>> & {
  readonly createClient: (options: object) => unknown;
};

/** Calls a function of the client of a description, as compiled, against the server. */
async function call(
  description: (typeof names)[number],
  name: string,
  request: object,
  options: object = {},
): Promise<unknown> {
  const file = path.join(folder, "out", description, "client", "src", "index.js");
  const generated = (await import(pathToFileURL(file).href)) as Generated;
  const operation = generated[name];
  if (operation === undefined) throw new Error(`unknown operation ${name}`);
  return operation(generated.createClient({ ...options, baseUrl: server.url }), request);
}
