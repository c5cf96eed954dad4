import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../support/mock-process.js";
import { StrictPackages, type Warning } from "../support/strict-packages.js";

// Each text takes the matcher of JavaScript 2 to the power of its length, or more.
const hostile = "a".repeat(5000);
const patterns: Readonly<Record<string, { readonly pattern: string; readonly text: string; readonly valid: string }>> =
  {
    exponential: { pattern: "^(a+)+$", text: `${hostile}!`, valid: hostile },
    ambiguous: { pattern: "^(a|a)*$", text: `${hostile}!`, valid: hostile },
    empty: { pattern: "^(.*)*x$", text: hostile, valid: `${hostile}x` },
    words: { pattern: "^(\\w+\\s?)*$", text: `${hostile}!`, valid: `${hostile} a` },
    finite: { pattern: `^${"(?:a|a)".repeat(26)}$`, text: `${"a".repeat(26)}!`, valid: "a".repeat(26) },
    lookahead: { pattern: "^(?!(a+)+b$)a+!?$", text: `${hostile}?`, valid: `${hostile}!` },
    // Longer texts never match.
    repeated: { pattern: '^(["]).*\\1$', text: `"${"a".repeat(300)}"`, valid: '"a"' },
  };

const schema = {
  type: "object",
  properties: {
    ...Object.fromEntries(Object.entries(patterns).map(([name, { pattern }]) => [name, { type: "string", pattern }])),
    // Native, because a text of this length has few ways.
    short: { type: "string", pattern: "^[a-z]+[a-z]+$", maxLength: 64 },
    not: { type: "string", not: { pattern: "^(a+)+$" } },
    keys: { type: "object", patternProperties: { "^(e+)+$": { type: "integer" } }, additionalProperties: false },
    names: { type: "object", propertyNames: { pattern: "^(n+)+$" } },
  },
};

const operation = {
  parameters: [
    { name: "q", in: "query", schema: { type: "string", pattern: "^(q+)+$" } },
    { name: "X-Trace", in: "header", schema: { type: "string", pattern: "^(x+)+$" } },
  ],
  requestBody: { required: true, content: { "application/json": { schema } } },
  responses: { 200: { description: "The boat.", content: { "application/json": { schema } } } },
};

const description = {
  openapi: "3.1.0",
  info: { title: "Boats", version: "1.0.0" },
  servers: [{ url: "https://boats.example" }],
  paths: {
    "/boats": { post: { operationId: "addBoat", ...operation } },
    "/boats/{boatId}": {
      get: {
        operationId: "getBoat",
        parameters: [{ name: "boatId", in: "path", required: true, schema: { type: "string", pattern: "^(b|bb)+$" } }],
        responses: { 204: { description: "There is one." } },
      },
    },
  },
};

/** Serves the server or the validator of the description. */
const program = `import http from "node:http";
import { createServer } from "./out/boats/server/src/index.js";
import { nodeListener } from "./out/boats/server/src/gen/node.js";
import { validator } from "./out/boats/validator/src/gen/node.js";
const handlers = { addBoat: ({ body }) => ({ status: 200, body }), getBoat: () => ({ status: 204 }) };
const validate = validator();
const listeners = {
  server: nodeListener(createServer(handlers, {})),
  validator: (request, response) => validate(request, response, () => response.writeHead(204).end()),
};
const server = http.createServer(listeners[process.argv[2]]);
server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
`;

let folder: string;
let warnings: readonly Warning[];
const urls: Record<string, string> = {};
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "plumbline-slow-patterns-"));
  await writeFile(path.join(folder, "boats.json"), JSON.stringify(description));
  await writeFile(path.join(folder, "serve.mjs"), program);
  const packages = await StrictPackages.in(folder, ["client", "validator", "server"]);
  warnings = await packages.generate("boats", path.join(folder, "boats.json"));
  expect(await packages.compile()).toEqual([]);
  for (const kind of ["server", "validator"]) urls[kind] = await serve(kind);
  const mock = await startMock(folder, ["boats.json"]);
  ends.push(mock.end);
  urls["mock"] = mock.url;
});
afterAll(async () => {
  for (const end of ends) await end();
  await rm(folder, { recursive: true });
});

/** In a process of its own, which answers no further request if it hangs. */
async function serve(kind: string): Promise<string> {
  const child = spawn(process.execPath, ["serve.mjs", kind], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  ends.push(() => child.kill());
  const [url] = await Promise.race([once(createInterface(child.stdout), "line"), once(child, "exit")]);
  return String(url);
}

interface Sent {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describe.each(["validator", "server", "mock"])("no text makes a process hang: %s", (kind) => {
  const post = async (body: unknown, { query = "", headers = {} }: Sent = {}): Promise<boolean> => {
    const response = await fetch(`${urls[kind] ?? ""}/boats${query}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    expect([200, 204, 400]).toContain(response.status);
    return response.status !== 400;
  };

  it.each(Object.entries(patterns))("the text of a body: %s", async (name, { text, valid }) => {
    expect(await post({ [name]: text })).toBe(false);
    expect(await post({ [name]: valid })).toBe(true);
  });

  it("keys, names, and what is not allowed", async () => {
    expect(await post({ keys: { [`${"e".repeat(5000)}!`]: 1 } })).toBe(false);
    expect(await post({ keys: { ["e".repeat(5000)]: 1 } })).toBe(true);
    expect(await post({ names: { [`${"n".repeat(5000)}!`]: 1 } })).toBe(false);
    expect(await post({ names: { ["n".repeat(5000)]: 1 } })).toBe(true);
    expect(await post({ not: `${hostile}!` })).toBe(true);
    expect(await post({ not: hostile })).toBe(false);
    expect(await post({ short: "a".repeat(64) })).toBe(true);
    expect(await post({ short: `${"a".repeat(63)}1` })).toBe(false);
  });

  it("parameters of the query, of headers and of the path", async () => {
    expect(await post({}, { query: `?q=${"q".repeat(5000)}!` })).toBe(false);
    expect(await post({}, { query: `?q=${"q".repeat(5000)}` })).toBe(true);
    expect(await post({}, { headers: { "x-trace": `${"x".repeat(5000)}!` } })).toBe(false);
    expect(await post({}, { headers: { "x-trace": "x".repeat(5000) } })).toBe(true);
    const { status } = await fetch(`${urls[kind] ?? ""}/boats/${"b".repeat(5000)}!`);
    expect([400, 404]).toContain(status);
  });
});

it("a warning names each place", () => {
  const messages = warnings.filter(({ code }) => code === "patterns/backtracking").map(({ message }) => message);
  expect(messages).toHaveLength(2 * (Object.keys(patterns).length + 3) + 3);
  expect(messages.filter((message) => message.includes("never match"))).toEqual(
    Array(2).fill(
      "Every matcher of this pattern becomes slow with some texts of more than 249 characters, so longer texts never match.",
    ),
  );
});

it("only what needs it imports the matcher", async () => {
  const gen = path.join(folder, "boats", "validator", "src", "gen", "operations");
  const checks = await readFile(path.join(gen, (await readdir(gen))[0] ?? ""), "utf8");
  expect(checks).toContain('linearPattern("^(a+)+$")');
  expect(checks).toMatch(/boundedPattern\(.+, 249\)/);
  expect(checks).toContain('new RegExp("^[a-z]+[a-z]+$", "u")');
});
