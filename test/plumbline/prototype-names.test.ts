import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import client from "@plumbline/generators/client";
import conformance from "@plumbline/generators/conformance";
import descriptionGenerator from "@plumbline/generators/description";
import handlers from "@plumbline/generators/handlers";
import mcp from "@plumbline/generators/mcp";
import mock from "@plumbline/generators/mock";
import server from "@plumbline/generators/server";
import types from "@plumbline/generators/types";
import validator from "@plumbline/generators/validator";
import type { GeneratorOptions } from "@plumbline/kit/codegen";
import { compareDescriptions } from "@plumbline/kit/diff";
import { type Api, DiagnosticsError } from "@plumbline/kit/model";
import { buildApi, bundleDescription, loadDescription } from "@plumbline/kit/openapi";
import { lint } from "@plumbline/kit/openapi/lint";
import site from "@plumbline/site";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { richDescription, richKeywords } from "../../packages/kit/src/diff/rich-description.support.js";
import { startMock } from "../support/mock-process.js";
import { runNode } from "../support/run.js";
import { StrictPackages } from "../support/strict-packages.js";

/** What every object inherits, and what the language calls of any object. */
const names = [...Object.getOwnPropertyNames(Object.prototype), "prototype", "then", "toJSON"];

interface AnyGenerator {
  readonly options?: Readonly<Record<string, { readonly type: string; readonly default?: unknown }>>;
  readonly read?: (api: Api, options: never) => unknown;
  readonly files: (api: Api, options: never) => unknown;
}

const generators: Readonly<Record<string, AnyGenerator>> = {
  client,
  types,
  validator,
  server,
  mcp,
  mock,
  conformance,
  description: descriptionGenerator,
  handlers,
  site,
};

/** Options that add output; and the console, which bundles the mock and the client of the site. */
const changed: ReadonlyMap<string, boolean> = new Map([
  ["schemas", true],
  ["ajv", true],
  ["standard", true],
  ["console", false],
]);

const boats = `openapi: 3.1.0
info: {title: Boats, version: 1.0.0}
tags: [{name: boats}]
servers: [{url: 'https://{host}.example/{base}', variables: {host: {default: a, enum: [a, b]}, base: {default: v4}}}]
paths:
  /boats:
    get:
      operationId: listBoats
      tags: [boats]
      security: [{oauth: [read]}]
      parameters:
        - {name: day, in: query, schema: {type: string, format: date}}
        - {name: ids, in: query, style: form, explode: true, schema: {type: array, items: {type: integer, format: int64}}}
        - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {owner: {type: string, format: custom}}, additionalProperties: {type: string}}}
        - {name: session, in: cookie, schema: {type: string}}
        - {name: X-Mode, in: header, schema: {type: string, enum: [fast, slow]}}
      responses:
        '200':
          description: Boats
          headers: {X-Total: {schema: {type: number, format: float}}}
          links: {next: {operationId: listBoats, parameters: {day: '$response.body#/0/day'}}}
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Boat'}}, examples: {one: {value: [{kind: sail}]}}}, text/csv: {schema: {type: string}}}
    post:
      operationId: addBoat
      tags: [boats]
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: '#/components/schemas/Boat'}}
          application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string, format: uuid}, b: {type: array, items: {type: string}}}}, encoding: {b: {style: form, explode: false}}}
      responses: {'201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}, '400': {$ref: '#/components/responses/Bad'}}
      callbacks: {done: {'{$request.body#/url}': {post: {operationId: boatDone, responses: {'204': {description: ok}}}}}}
  /boats/{boatId}:
    parameters: [{name: boatId, in: path, required: true, schema: {type: string}}]
    get: {operationId: getBoat, tags: [boats], responses: {'200': {description: A boat, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}, '404': {description: None}}}
    patch: {operationId: changeBoat, tags: [boats], requestBody: {content: {application/merge-patch+json: {schema: {$ref: '#/components/schemas/Boat'}}}}, responses: {'200': {description: A boat, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}}}
    delete: {operationId: removeBoat, tags: [boats], responses: {'204': {description: Gone}}}
components:
  responses: {Bad: {description: Bad, content: {application/json: {schema: {type: object, required: [error], properties: {error: {type: string}}}}}}}
  securitySchemes:
    oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://a.example/token', scopes: {read: Read}}}}
  schemas:
    Boat:
      oneOf: [{$ref: '#/components/schemas/Sail'}, {$ref: '#/components/schemas/Motor'}]
      discriminator: {propertyName: kind, mapping: {sail: '#/components/schemas/Sail', motor: Motor}}
    Sail: {type: object, required: [kind], properties: {kind: {type: string, enum: [sail]}, id: {type: string, readOnly: true, format: uuid}, masts: {type: integer, format: int32}, day: {type: string, format: date-time}}}
    Motor: {type: object, required: [kind], properties: {kind: {type: string, const: motor}, power: {type: number, format: double}, data: {type: string, format: byte}}}
`;

/** A key or a text of a description. */
interface Place {
  readonly path: readonly (string | number)[];
  readonly kind: "key" | "text";
}

const isFull = process.env["MODE"] === "full";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "plumbline-prototype-names-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe.each([
  ["rich", richDescription],
  ["boats", boats],
])("a name that every object has is a name like any other: %s", (_, text) => {
  const description: unknown = parse(text);
  const places = placesIn(description);
  // The short form tries every second name as one format, since formats are looked up in the most tables, and one name at each ninety-sixth place. The
  // long form tries two names at each place: all at each take hours.
  const format = places.findIndex(({ path: at }) => at.at(-1) === "format");
  const tried = places.flatMap((place, index) =>
    names
      .filter(
        (__, nth) =>
          (index === format + 1 && (isFull || nth % 2 === 0)) ||
          (isFull && (index + nth) % names.length < 2) ||
          (index % 96 === 0 && (index / 96) % names.length === nth),
      )
      .map((name) => ({ place, name })),
  );

  it("each is read, or reported with its place", async () => {
    const before = await read(description);
    if (!("api" in before)) throw before.error;
    const failures: string[] = [];
    for (const { place, name } of tried) {
      const errors = await errorsOf(withName(description, place, name), before.api);
      for (const error of errors)
        failures.push(
          `${name} as ${place.kind} of ${place.path.join("/")}: ${error instanceof Error ? String(error.stack) : String(error)}`,
        );
    }
    expect(failures).toEqual([]);
    expect(tried.length).toBeGreaterThan(names.length / 2);
  });
});

/** Returns what is thrown beside findings with a place. */
async function errorsOf(description: unknown, before: Api): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  const attempt = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const isFinding = error instanceof DiagnosticsError && error.diagnostics.every(({ origin }) => origin.line > 0);
      if (!isFinding) errors.push(error);
    }
  };
  const result = await read(description);
  await attempt(() => lint(path.join(folder, "openapi.json"), { ruleset: "minimal", keywords: richKeywords }));
  if (!("api" in result)) return [...errors, ...(result.error instanceof DiagnosticsError ? [] : [result.error])];
  const { api, options } = result;
  await attempt(() => compareDescriptions(before, api));
  await attempt(() => compareDescriptions(api, before));
  for (const [kind, generator] of Object.entries(generators))
    await attempt(async () => {
      const config = Object.fromEntries(
        Object.entries(generator.options ?? {}).map(([key, option]) => [key, changed.get(key) ?? option.default]),
      );
      const all = { ...options, package: `@example/${kind}`, config };
      const input = await generator.read?.(api, { ...all, output: { folder, readText: () => undefined } } as never);
      await generator.files(api, { ...all, input } as never);
    });
  return errors;
}

type Read = { readonly api: Api; readonly options: Partial<GeneratorOptions> } | { readonly error: unknown };

async function read(description: unknown): Promise<Read> {
  const file = path.join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(description));
  try {
    const { locate, ...loaded } = await loadDescription(file);
    const settings = { names: {}, keywords: richKeywords, requirements: undefined, ruleset: "minimal" } as const;
    const document = async () => bundleDescription({ description: file, overlays: [] });
    const api = buildApi({ locate, ...loaded }, settings);
    return { api, options: { private: false, source: () => "", locate, artifacts: {}, document } };
  } catch (error) {
    return { error };
  }
}

function placesIn(value: unknown, at: readonly (string | number)[] = []): readonly Place[] {
  if (typeof value === "string") return [{ path: at, kind: "text" }];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each, index) => placesIn(each, [...at, index]));
  return Object.entries(value).flatMap(([key, each]) => [
    { path: [...at, key], kind: "key" as const },
    ...placesIn(each, [...at, key]),
  ]);
}

function withName(value: unknown, { path: [head, ...rest], kind }: Place, name: string): unknown {
  if (head === undefined) return name;
  if (Array.isArray(value))
    return value.map((each, index) =>
      index === head ? withName(each, { path: rest, kind }, name) : (each as unknown),
    );
  const isKey = kind === "key" && rest.length === 0;
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, unknown>>).map(([key, each]) => {
      if (key !== head) return [key, each] as const;
      return isKey ? [name, each] : [key, withName(each, { path: rest, kind }, name)];
    }),
  );
}

describe("packages of a description with all of them", () => {
  let packages: StrictPackages;
  beforeAll(async () => {
    packages = await StrictPackages.in(folder, ["client", "validator", "server"]);
    await writeFile(path.join(folder, "all.json"), JSON.stringify(withAllNames()));
    await packages.generate("all", path.join(folder, "all.json"));
  });

  it("compile, and pass each name on", async () => {
    expect(await packages.compile()).toEqual([]);
    await writeFile(path.join(folder, "serve.mjs"), program);
    const { out, error } = await runNode([path.join(folder, "serve.mjs"), ...names], { in: folder });
    expect([out.trim(), error]).toEqual(["done", ""]);
  });

  it("are mocked", async () => {
    const running = await startMock(folder, ["all.json"]);
    const put = async (value: (name: string) => string): Promise<unknown> => {
      const body = JSON.stringify(Object.fromEntries(names.map((name) => [name, value(name)])));
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${running.url}/p0/a`, { method: "PUT", headers, body });
      const text = await response.text();
      return response.status === 200 ? Object.keys(JSON.parse(text) as object) : response.status;
    };
    expect(await put((name) => name)).toEqual(names);
    for (const name of names) expect([name, await put((each) => (each === name ? "bad" : each))]).toEqual([name, 400]);
    await running.end();
  });
});

/** Sends each name, from the client to a handler and back, and then a bad value of each property. */
const program = `import assert from "node:assert/strict";
import http from "node:http";
import * as client from "./out/all/client/src/index.js";
import { createServer } from "./out/all/server/src/index.js";
import { nodeListener } from "./out/all/server/src/gen/node.js";
const names = process.argv.slice(2);
const same = (value) => Object.fromEntries(names.map((name) => [name, value ?? name]));
let received;
const handler = (input) => ((received = input), { status: 200, headers: same("h"), body: input.body });
const server = http.createServer(nodeListener(createServer(new Proxy({}, { get: () => handler, has: () => true }), {})));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const baseUrl = "http://127.0.0.1:" + server.address().port;
const api = client.createClient({ baseUrl });
for (const [index, name] of names.entries()) {
  const plain = (text) => text.replaceAll("_", "").replace(/Operation$/, "").toLowerCase();
  const [, call] = Object.entries(client).find(([key]) => plain(key) === plain(name));
  const one = (value) => Object.fromEntries([[name, value]]);
  const body = await call(api, { path: one("p"), query: one("q"), cookies: one("c"), body: same() });
  const arrived = [received.path, received.query, received.cookies, received.body, body];
  assert.equal(JSON.stringify(arrived), JSON.stringify([one("p"), one("q"), one("c"), same(), same()]));
  const put = (fields) =>
    fetch(baseUrl + "/p" + index + "/a", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fields),
    });
  assert.equal((await put(same())).headers.get(name), "h");
  for (const bad of names) {
    const rejected = await put(Object.fromEntries(names.map((each) => [each, each === bad ? "bad" : each])));
    assert.deepEqual([rejected.status, (await rejected.text()).includes(bad)], [400, true]);
  }
  const { [name]: _, ...others } = same();
  assert.equal((await put(others)).status, 400);
}
server.close();
server.closeAllConnections();
console.log("done");
`;

/** Each name as a tag, an operation, a parameter of each kind, a header, a format, a property, a schema and a value. */
function withAllNames(): unknown {
  const operations = names.map((name, index) => [
    `/p${index}/{${name}}`,
    {
      put: {
        operationId: name,
        tags: [name],
        parameters: ["path", "query", "cookie"].map((place) => ({
          name,
          in: place,
          required: place === "path",
          schema: { type: "string", format: name },
        })),
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/All" } } } },
        responses: {
          200: {
            description: name,
            headers: { [name]: { schema: { type: "string", format: name } } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/All" } } },
          },
        },
      },
    },
  ]);
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string", format: name, enum: names }]));
  return {
    openapi: "3.1.0",
    info: { title: "All", version: "1.0.0" },
    paths: Object.fromEntries(operations) as unknown,
    components: {
      schemas: {
        All: { type: "object", required: names, properties },
        ...Object.fromEntries(names.map((name) => [`${name}Value`, { type: "string" }])),
      },
    },
  };
}
