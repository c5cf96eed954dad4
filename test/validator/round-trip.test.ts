import { mkdtemp, rm, symlink } from "node:fs/promises";
import { createServer as createHost, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { runSuite, type CallStep, type Case, type Suite } from "@plumbline/conformance-runtime";
import clientGenerator from "@plumbline/generators/client";
import conformanceGenerator from "@plumbline/generators/conformance";
import mockGenerator from "@plumbline/generators/mock";
import serverGenerator from "@plumbline/generators/server";
import validatorGenerator from "@plumbline/generators/validator";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import { buildApi, loadDescription } from "@plumbline/kit/openapi";
import { withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { place } from "../support/pets.js";
import { repository } from "../support/places.js";
import {
  exceptions,
  reported,
  serializations,
  shapes,
  wholeRequests,
  type Exception,
  type Shape,
  type ShapeName,
} from "./round-trips.js";

/** One operation: a value of a shape in a serialization. */
interface Cell {
  readonly operation: string;
  readonly row: string;
  readonly shape: ShapeName;
  readonly group: "path" | "query" | "headers" | "cookies" | "body";
}

const allShapes = Object.keys(shapes) as readonly ShapeName[];
const cells: readonly Cell[] = Object.entries(serializations).flatMap(([row, [location, , own = allShapes]], index) =>
  own.map((shape) => ({ operation: `${shape}${index}`, row, shape, group: groupOf(location) })),
);
const allOperations = [...cells.map(({ operation }) => operation), ...wholeRequests.map((_, index) => `whole${index}`)];

let generated: Generated;
/** What handlers of the server and behind the validator have received. */
const received: unknown[] = [];
let server: unknown;
let served: Handle;
let validated: Handle;
let called = "";
beforeAll(async () => {
  generated = await load();
  validated = generated.validator({})(async (request) => {
    received.push(generated.validators.inputOf(generated.validators[called], request));
    return Response.json({});
  });
  const handler = (input: unknown): object => {
    received.push(input);
    return { status: 200, body: {} };
  };
  server = generated.server.createServer(
    Object.fromEntries(allOperations.map((operation) => [operation, handler])),
    {},
  );
  served = generated.fetchHandler(server);
});
afterAll(() => generated.remove());

describe("a value in every serialization", () => {
  it("arrives from a client at a validator, a server and a mock as it is, or as the table says", async () => {
    const used = new Set<unknown>();
    const wrong: string[] = [];
    for (const cell of cells) {
      for (const value of shapes[cell.shape].values) {
        const exception = exceptions.find((each) => isException(each, cell, value));
        used.add(exception);
        const how = reportOf(cell);
        const isUnsendable = how === "unsendable" || (how === "asText" && typeof value === "object");
        const expected = isUnsendable ? "unsendable" : (exception?.outcome ?? "as it is");
        const actual = await roundTrip(cell, value);
        if (actual !== expected) wrong.push(`${cell.row}, ${cell.shape} ${JSON.stringify(value)}: ${actual}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(exceptions.filter((each) => !used.has(each))).toEqual([]);
  });

  it.each(wholeRequests.map((each, index) => [each.about, index, each] as const))(
    "%s",
    async (_, index, { given, arrives = given }) => {
      const { statuses, inputs } = await receive(`whole${index}`, given);
      expect(statuses).toEqual([200, 200, 200]);
      expect(inputs).toEqual([arrives]);
    },
  );

  it("is reported by the generator where its style cannot write it", async () => {
    const description = described("3.2.0");
    const { diagnostics } = await read(description);
    const lines = description.split("\n");
    const whole = new Set(wholeRequests.map(({ report }) => report));
    expect(diagnostics.filter(({ message }) => whole.has(message)).map(({ message }) => message)).toEqual(
      wholeRequests.flatMap(({ report = [] }) => report),
    );
    const found = diagnostics.flatMap(({ code, origin, message }) => {
      if (whole.has(message)) return [];
      const operation = /operationId: (\w+)/.exec(lines[origin.line - 1] ?? "")?.[1];
      const how = Object.entries(messages).find(([, text]) => message.includes(text))?.[0];
      return `${code} ${operation} ${how}`;
    });
    const expected = cells.flatMap((cell) => {
      const how = reportOf(cell);
      return how === undefined ? [] : [`unsupported/parameter ${cell.operation} ${how}`];
    });
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it("is the same in OpenAPI 3.0, 3.1 and 3.2", async () => {
    const plain = cells.filter(({ row }) => row.startsWith("cookie plain"));
    const plainCookies = new Set(plain.map(({ operation }) => operation));
    const [newest, ...others] = await Promise.all(
      ["3.2.0", "3.1.0", "3.0.3"].map(async (version) => {
        const { operations } = (await read(described(version))).api;
        // The style of cookies is new in 3.2.
        const shared = operations.filter(({ name }) => !plainCookies.has(name));
        return JSON.stringify(shared, (key, value: unknown) => (key === "origin" ? undefined : value));
      }),
    );
    for (const each of others) expect(each).toBe(newest);
  });

  it("is sent by a suite as by a client", async () => {
    const calls = cells.flatMap((cell) => {
      // A suite writes no parts. A text in place of JSON is sent unchanged.
      if (cell.group === "body" && cell.row.startsWith("multipart")) return [];
      const isSent = (value: unknown): boolean =>
        reportOf(cell) !== "unsendable" &&
        reportOf(cell) !== "asText" &&
        !exceptions.some((each) => isException(each, cell, value)) &&
        !(cell.row.endsWith("json") && typeof value === "string");
      return shapes[cell.shape].values.slice(0, 2).flatMap((value) => (isSent(value) ? [{ cell, value }] : []));
    });
    const cases = calls.map(({ cell: { operation, group }, value }, index): Case => {
      const step = { call: operation, [group]: { v: value }, expect: { status: 200 } } as CallStep;
      const about = { kind: "accepts", operation, title: operation, requirements: [], requires: [] } as const;
      return { ...about, id: `cells/${operation}/${index}`, steps: [step] };
    });
    received.length = 0;
    const host = createHost(generated.nodeListener(server));
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    const { results } = await runSuite(
      { ...generated.suite, cases },
      { url, credentials: {}, cases, seed: 1, workers: 1 },
    );
    host.closeAllConnections();
    await new Promise((resolve) => host.close(resolve));
    const failed = results.filter(({ status }) => status !== "pass");
    expect(failed.map((each) => [each.case.id, ...each.failures.map(({ message }) => message)].join(" "))).toEqual([]);
    const sorted = (all: readonly unknown[]): readonly string[] => all.map((each) => JSON.stringify(each)).toSorted();
    expect(sorted(received)).toEqual(sorted(calls.map(({ cell, value }) => ({ [cell.group]: { v: value } }))));
    expect(received.length).toBeGreaterThan(500);
  });
});

/** What the messages of the generator contain. */
const messages: Readonly<Record<keyof typeof reported, string>> = {
  deepObject: 'is sent in the style "deepObject"',
  unsendable: "cannot be sent: the style",
  asText: "is sent as text",
  withoutNull: "null cannot be sent",
};

function reportOf({ row, shape }: Cell): keyof typeof reported | undefined {
  const kinds = Object.keys(reported) as readonly (keyof typeof reported)[];
  return kinds.find((kind) => reported[kind].some(([inRows, ofShapes]) => inRows.test(row) && ofShapes.test(shape)));
}

function isException(exception: Exception, { row, shape }: Cell, value: unknown): boolean {
  return exception.rows.test(row) && exception.shapes.test(shape) && exception.when(value);
}

/** What becomes of a value, in the words of the table. */
async function roundTrip({ operation, group }: Cell, value: unknown): Promise<string> {
  const given = { [group]: { v: value } };
  const { statuses, inputs, error } = await receive(operation, given);
  if (error !== undefined) return error === "request" ? "unsendable" : JSON.stringify(error);
  const [status = 0] = statuses;
  if (statuses.every((each) => each === status) && status !== 200) return status === 404 ? "rejected" : "invalid";
  const [text, ...others] = inputs.map((input) => JSON.stringify(input));
  if (text === JSON.stringify(given) && others.length === 0) return "as it is";
  return text === JSON.stringify({ [group]: {} }) && others.length === 0
    ? "absent"
    : JSON.stringify({ statuses, inputs });
}

interface Received {
  /** The statuses of the validator, the server and the mock. */
  readonly statuses: readonly number[];
  /** What handlers have received: one input if it is the same. */
  readonly inputs: readonly unknown[];
  /** The code of the client's error if it has sent nothing. */
  readonly error?: unknown;
}

async function receive(operation: string, given: object): Promise<Received> {
  const { request, error } = await sentBy(operation, given);
  received.length = 0;
  if (request === undefined) return { statuses: [], inputs: [], error };
  called = operation;
  const statuses: number[] = [];
  for (const handle of [validated, served, generated.mock.fetch]) statuses.push((await handle(request.clone())).status);
  const distinct = new Map(received.map((input) => [JSON.stringify(input), input] as const));
  return { statuses, inputs: [...distinct.values()] };
}

/** The request of a call, or the code of its error. */
async function sentBy(
  operation: string,
  given: object,
): Promise<{ readonly request?: Request; readonly error?: unknown }> {
  let request: Request | undefined;
  const caller = generated.client.createClient({
    baseUrl: "https://t.example",
    fetch: async (url: string, init: RequestInit) => {
      request = new Request(url, init);
      return Response.json({});
    },
  });
  const failure = await generated.client[operation]?.(caller, given).then(
    () => undefined,
    (error: { readonly code: unknown }) => error,
  );
  return request === undefined ? { error: failure?.code } : { request };
}

function groupOf(location: string): Cell["group"] {
  if (location.startsWith("/")) return "path";
  const groups: Readonly<Record<string, Cell["group"]>> = { query: "query", header: "headers", cookie: "cookies" };
  return groups[location] ?? "body";
}

const responses =
  "tags: [cells], responses: {'200': {description: Done., content: {application/json: {schema: {type: object}}}}}";

function described(version: string): string {
  const paths = cells.map(({ operation, row, shape, group }, index) => {
    const { schema: newSchema, schema30 = newSchema }: Shape = shapes[shape];
    const schema = version.startsWith("3.0") ? schema30 : newSchema;
    const [location = "", rules = ""] = serializations[row] ?? [];
    const about = `operationId: ${operation}, ${responses}`;
    if (group === "body") {
      const type = location === "form" ? "application/x-www-form-urlencoded" : "multipart/form-data";
      const content = `${type}: {schema: {type: object, properties: {v: ${schema}}}, encoding: {v: {${rules}}}}`;
      return `  /${index}: {post: {${about}, requestBody: {required: true, content: {${content}}}}}`;
    }
    const value = rules
      .replace("schema", `schema: ${schema}`)
      .replace("json", `content: {application/json: {schema: ${schema}}}`)
      .replace("text", `content: {text/plain: {schema: ${schema}}}`);
    const [url, where] = group === "path" ? [location, "path, required: true"] : ["", location];
    return `  '/${index}${url}': {get: {${about}, parameters: [{name: v, in: ${where}, ${value}}]}}`;
  });
  for (const [index, { path: below = "", described: own }] of wholeRequests.entries()) {
    const ofVersion = version.startsWith("3.0")
      ? own.replace(/type: \[(\w+), 'null'\]/, "type: $1, nullable: true")
      : own;
    paths.push(`  '/whole${index}${below}': {post: {operationId: whole${index}, ${responses}, ${ofVersion}}}`);
  }
  const info = "info: {title: Cells, version: 1.0.0}\nservers: [{url: 'https://t.example'}]\nsecurity: []";
  return `openapi: ${version}\n${info}\npaths:\n${paths.join("\n")}\n`;
}

async function read(description: string) {
  return withFixtureFolder(description, async (folder) => {
    const loaded = await loadDescription(path.join(folder, "openapi.yaml"));
    return { api: buildApi(loaded, { names: {}, requirements: undefined }), diagnostics: loaded.diagnostics };
  });
}

type Handle = (request: Request) => Promise<Response>;
type Operations = Readonly<Record<string, unknown>>;

interface Generated {
  readonly client: Readonly<Record<string, (client: unknown, request: object) => Promise<unknown>>> & {
    readonly createClient: (options: object) => unknown;
  };
  readonly validators: Operations & { readonly inputOf: (operation: unknown, request: Request) => unknown };
  readonly validator: (options: object) => (handle: Handle) => Handle;
  readonly server: { readonly createServer: (handlers: Operations, options: object) => unknown };
  readonly fetchHandler: (server: unknown) => Handle;
  readonly nodeListener: (server: unknown) => RequestListener;
  readonly mock: { readonly fetch: Handle };
  readonly suite: Suite;
  readonly remove: () => Promise<void>;
}

/** Generates all packages of the cells once, and loads them in this process. */
async function load(): Promise<Generated> {
  const description = described("3.2.0");
  const folder = await mkdtemp(path.join(tmpdir(), "plumbline-test-"));
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  const packages = {
    client: testGenerator(clientGenerator, { description }),
    validator: testGenerator(validatorGenerator, { description }),
    server: testGenerator(serverGenerator, { description }),
    mock: testGenerator(mockGenerator, { description, config: { server: "cells-server" } }),
    conformance: testGenerator(conformanceGenerator, { description }),
  };
  for (const [kind, files] of Object.entries(packages)) await place(path.join(folder, kind), await files);
  const contents = `export * as client from "./client/src/index.js";
export * as validators from "./validator/src/index.js";
export { validator } from "./validator/src/gen/fetch.js";
export * as server from "cells-server";
export { fetchHandler } from "./server/src/gen/fetch.js";
export { nodeListener } from "./server/src/gen/node.js";
import { createMock } from "./mock/src/index.js";
export const mock = createMock();
export { default as suite } from "./conformance/data/suite.json";`;
  const outfile = path.join(folder, "cells.mjs");
  await build({
    stdin: { contents, resolveDir: folder, loader: "ts" },
    absWorkingDir: folder,
    alias: { "cells-server": "./server/src/index.ts" },
    packages: "external",
    bundle: true,
    format: "esm",
    outfile,
  });
  const loaded = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Omit<Generated, "remove">;
  return { ...loaded, remove: () => rm(folder, { recursive: true }) };
}
