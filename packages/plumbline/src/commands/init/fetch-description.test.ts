import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fetchDescription, fetchLimits, type FetchLimits } from "./fetch-description.js";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let answers: Record<string, Answer> = {};
let requested: string[] = [];
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  requested.push(pathname);
  const answer = answers[pathname];
  if (answer === undefined) response.writeHead(404).end("nothing");
  else answer(response, request);
});
const other = createServer((request, response) => {
  requested.push(`other ${request.url ?? ""}`);
  response.end("{}");
});
let origin: string;
let otherOrigin: string;

beforeAll(async () => {
  const listen = async (each: typeof server): Promise<string> => {
    await new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(each.address() as AddressInfo).port}`;
  };
  [origin, otherOrigin] = [await listen(server), await listen(other)];
});

beforeEach(() => {
  answers = {};
  requested = [];
});

afterAll(() => {
  for (const each of [server, other]) each.closeAllConnections();
  server.close();
  other.close();
});

function body(content: string, type = "application/json"): Answer {
  return (response) => response.writeHead(200, { "content-type": type }).end(content);
}

function redirect(location: string): Answer {
  return (response) => response.writeHead(302, { location }).end();
}

const fix = "Download it with another program, and run plumbline init FILE.";

test("a description is fetched with one request, without credentials, and its query is not kept", async () => {
  let headers: IncomingMessage["headers"] = {};
  answers["/v1/api.json"] = (response, request) => {
    headers = request.headers;
    body('{"openapi": "3.1.0"}')(response, request);
  };
  const fetched = await fetchDescription(`${origin}/v1/api.json?key=secret#top`);
  const source = `${origin}/v1/api.json?…`;
  expect(fetched).toEqual({ source, files: [{ name: "api.json", source, text: '{"openapi": "3.1.0"}' }] });
  expect(requested).toEqual(["/v1/api.json"]);
  expect(headers.authorization ?? headers.cookie ?? headers.referer).toBeUndefined();
});

test.each([
  ["/", "{}", "openapi.json"],
  ["/api-docs", "openapi: 3.1.0\n", "api-docs.yaml"],
  ["/plumbline.yaml", "openapi: 3.1.0\n", "openapi.yaml"],
  ["/a%2F..%2Fb.json", "{}", "a-2F..-2Fb.json"],
  ["/.hidden.json", "{}", "hidden.json"],
])("the file of %s has a portable name", async (path, text, name) => {
  answers[path] = body(text);
  expect((await fetchDescription(origin + path)).files.map((file) => file.name)).toEqual([name]);
});

test("files of the same origin are fetched beside it, and references become relative", async () => {
  answers["/v1/openapi.json"] = body(
    `{"paths": {"$ref": "./paths.yaml#/a"}, "a": {"$ref": "/common/pet.json"}, "b": {"$ref": "${origin}/common/error?v=1#/x"}, "x-a": {"$ref": "no.yaml"}}`,
  );
  answers["/v1/paths.yaml"] = body("# kept\na: {$ref: '../common/pet.json#/a'}\n");
  answers["/common/pet.json"] = redirect("/common/new/pet.json");
  answers["/common/new/pet.json"] = body('{"$ref": "tail.json"}');
  answers["/common/new/tail.json"] = body("{}");
  answers["/common/error"] = body("x: {}\n");
  const { files } = await fetchDescription(`${origin}/v1/openapi.json`);
  expect(Object.fromEntries(files.map(({ name, text }) => [name, text]))).toEqual({
    "v1/openapi.json":
      '{"paths": {"$ref": "./paths.yaml#/a"}, "a": {"$ref": "../common/pet.json"}, "b": {"$ref": "../common/error.yaml#/x"}, "x-a": {"$ref": "no.yaml"}}',
    "v1/paths.yaml": "# kept\na: {$ref: '../common/pet.json#/a'}\n",
    "common/pet.json": '{"$ref": "new/tail.json"}',
    "common/error.yaml": "x: {}\n",
    "common/new/tail.json": "{}",
  });
  expect(requested.toSorted()).toEqual(Object.keys(answers).toSorted()); // each once
});

test("five redirects are followed, also to another origin, and a sixth is not", async () => {
  answers["/openapi.json"] = body('{"a": {"$ref": "pet.json"}}');
  answers["/pet.json"] = body("{}");
  for (const number of [1, 2, 3, 4, 5, 6])
    answers[`/${number}`] = redirect(number === 1 ? `${origin}/openapi.json` : `/${number - 1}`);
  const { source, files } = await fetchDescription(`${origin}/5`);
  expect([source, files.length]).toEqual([`${origin}/openapi.json`, 2]);
  await expect(fetchDescription(`${origin}/6`)).rejects.toThrow(`${origin}/1  More than 5 redirects. ${fix}`);
});

test.each<[what: string, location: (from: string) => string, reason: string]>([
  ["a password", (from) => from.replace("//", "//me:secret@"), "contains a user name or a password"],
  ["another scheme", () => "file:///etc/passwd", "The URL has to begin with https: or http:."],
  ["nothing", () => "http://", "It redirects to an invalid URL."],
])("a redirect to %s is not followed", async (_, location, reason) => {
  answers["/a"] = redirect(location(origin));
  const error = await fetchDescription(`${origin}/a`).catch((thrown: unknown) => String(thrown));
  expect(error).toContain(reason);
  expect(error).not.toContain("secret");
});

test("a redirected reference must not leave the origin", async () => {
  answers["/openapi.json"] = body('{\n  "a": {"$ref": "pet.json"}}');
  answers["/pet.json"] = redirect(`${otherOrigin}/pet.json`);
  await expect(fetchDescription(`${origin}/openapi.json`)).rejects.toThrow(
    `${origin}/openapi.json:2:9  ${origin}/pet.json  It redirects to another origin: ${otherOrigin}/pet.json. ${fix}`,
  );
  expect(requested).toEqual(["/openapi.json", "/pet.json"]);
});

test("a reference to another origin is not fetched", async () => {
  answers["/openapi.json"] = body(`{\n  "a": {"$ref": "${otherOrigin}/pet.json?key=secret"}}`);
  await expect(fetchDescription(`${origin}/openapi.json`)).rejects.toThrow(
    `${origin}/openapi.json:2:9  A reference to another origin is not fetched: ${otherOrigin}/pet.json?…. Download the files, change the reference to a relative path, and run plumbline init FILE.`,
  );
  expect(requested).toEqual(["/openapi.json"]);
});

test.each<[what: string, answer: Answer, reason: string]>([
  ["404", (response) => response.writeHead(404).end(), "The server responds with 404. Check the address."],
  [
    "401",
    (response) => response.writeHead(401).end(),
    `The server responds with 401. It wants credentials, which init does not send. ${fix}`,
  ],
  [
    "a web page",
    body("<!doctype html>", "text/html"),
    "The response is a web page or XML, not a description. Open it in a browser, and copy the address of the JSON or YAML file that it shows.",
  ],
  ["bytes", (response) => response.end(Buffer.from([0xff, 0xfe])), `The response is not UTF-8 text. ${fix}`],
  [
    "a closed connection",
    (response) => response.destroy(),
    `The server cannot be reached, or closed the connection (UND_ERR_SOCKET). ${fix}`,
  ],
])("%s is an error with the URL", async (_, answer, reason) => {
  answers["/openapi.json"] = answer;
  await expect(fetchDescription(`${origin}/openapi.json?key=secret`)).rejects.toThrow(
    `${origin}/openapi.json?…  ${reason}`,
  );
});

test("a missing file is reported at its reference", async () => {
  answers["/openapi.yaml"] = body("a:\n  $ref: pet.yaml\n");
  await expect(fetchDescription(`${origin}/openapi.yaml`)).rejects.toThrow(
    `${origin}/openapi.yaml:2:3  ${origin}/pet.yaml  The server responds with 404. Check the address.`,
  );
});

test("a syntax error has the URL, line and column", async () => {
  answers["/openapi.yaml"] = body("a: [\n");
  await expect(fetchDescription(`${origin}/openapi.yaml`)).rejects.toMatchObject({
    diagnostics: [{ code: "description/syntax", origin: { file: `${origin}/openapi.yaml`, line: 2 } }],
  });
});

const few: FetchLimits = { ...fetchLimits, maxBytes: 2 ** 20, timeoutMs: 240_000, maxFiles: 2 };

test("all files together may have as many bytes as the limit, and not one more", async () => {
  const padding = " ".repeat(2 ** 20 - '{"$ref":"b.json"}{}'.length);
  answers["/a.json"] = body('{"$ref":"b.json"}');
  answers["/b.json"] = body(`${padding}{}`);
  expect((await fetchDescription(`${origin}/a.json`, few)).files).toHaveLength(2);
  answers["/b.json"] = body(`${padding} {}`);
  await expect(fetchDescription(`${origin}/a.json`, few)).rejects.toThrow(
    `${origin}/b.json  The description has more than 1 MB, the limit for all its files together.`,
  );
});

test("a response without end is cut at the limit", async () => {
  let isClosed: Promise<unknown> = Promise.resolve();
  answers["/a.json"] = (response) => {
    isClosed = new Promise((resolve) => response.once("close", resolve));
    const chunk = Buffer.alloc(2 ** 16, " ");
    const send = (): void => {
      if (!response.destroyed) response.write(chunk, send);
    };
    send();
  };
  await expect(fetchDescription(`${origin}/a.json`, few)).rejects.toThrow("more than 1 MB");
  await isClosed;
});

test("as many files as the limit are fetched, and not one more", async () => {
  answers["/a.json"] = body('{"$ref":"b.json"}');
  answers["/b.json"] = body("{}");
  answers["/c.json"] = body("{}");
  expect((await fetchDescription(`${origin}/a.json`, few)).files).toHaveLength(2);
  answers["/b.json"] = body('{"$ref":"c.json"}');
  await expect(fetchDescription(`${origin}/a.json`, few)).rejects.toThrow(
    `${origin}/b.json:1:2  The description has more than 2 files.`,
  );
});

test.each<[what: string, answer: Answer]>([
  ["headers", () => undefined],
  ["the end", (response) => response.writeHead(200).write("{")],
])("a server that never sends %s is left after the time limit", async (_, answer) => {
  answers["/a.json"] = answer;
  await expect(fetchDescription(`${origin}/a.json`, { ...few, timeoutMs: 200 })).rejects.toThrow(
    `${origin}/a.json  The download takes longer than 0.2 s. ${fix}`,
  );
});

test.each([
  ["http://me:secret@127.0.0.1:1/a.json", "contains a user name or a password"],
  ["ftp://127.0.0.1/a.json", "The URL has to begin with https: or http:."],
  ["http://", "The URL is not valid. Write one such as https://api.example/openapi.json."],
])("%s is not requested", async (address, reason) => {
  const error = await fetchDescription(address).catch((thrown: unknown) => String(thrown));
  expect(error).toContain(reason);
  expect(error).not.toContain("secret");
});

test("fifty megabytes, five redirects and thirty seconds are allowed", () => {
  expect(fetchLimits).toMatchObject({ maxBytes: 50 * 2 ** 20, maxRedirects: 5, timeoutMs: 30_000 });
});
