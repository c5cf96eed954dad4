import * as client from "@cloud-compute/client";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hosts, operations, type Echo, type Host } from "../support/hosts.js";
import { Maker } from "../support/making/arbitraries.js";
import { callsOf, type Call } from "../support/making/calls.js";
import { fitting } from "../support/making/fitting.js";
import { withNulls } from "../support/making/nulls.js";
import { jsonBody, readModel, type Api, type Json, type Operation } from "../support/model.js";
import { startOracle, type Oracle } from "../support/oracle.js";
import { seed } from "../support/property-testing.js";
import { exchange, jsonRequestOf, requestOf } from "../support/wire.js";

/** The number of bodies with nulls, of read bodies, and of calls for each operation. */
const counts = process.env["MODE"] === "full" ? { nulls: 4, read: 20, calls: 10 } : { nulls: 4, read: 5, calls: 3 };

let api: Api;
let oracle: Oracle;
let maker: Maker;
let host: Host;
beforeAll(async () => {
  api = await readModel();
  oracle = await startOracle();
  maker = new Maker(api);
  host = await hosts.node();
});
afterAll(() => host.close());

describe("requests of real clients are accepted:", () => {
  it.each([
    [
      "a form of no bytes with POST",
      "POST /v4/compute/instances/5/backups/enable",
      ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"],
      "",
      "enableInstanceBackups",
    ],
    [
      "the same where a body may be",
      "POST /v4/compute/instances/5/boot",
      ["Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"],
      "",
      "bootInstance",
    ],
    ["JSON of no bytes with GET", "GET /v4/compute/instances", ["Content-Type: application/json"], "", "listInstances"],
    [
      "an empty object with GET",
      "GET /v4/compute/instances",
      ["Content-Type: application/json", "Content-Length: 2"],
      "{}",
      "listInstances",
    ],
    [
      "JSON of no bytes with DELETE",
      "DELETE /v4/compute/instances/5",
      ["Content-Type: application/json"],
      "",
      "deleteInstance",
    ],
    [
      "an empty object with DELETE",
      "DELETE /v4/compute/instances/5",
      ["Content-Type: application/json", "Content-Length: 2"],
      "{}",
      "deleteInstance",
    ],
    ["a collection with a slash at its end", "GET /v4/compute/instances/?page=2", [], "", "listInstances"],
    ["the beta path", "GET /v4beta/compute/instances", [], "", "listInstances"],
    ["an id of two segments", "GET /v4/images/private/123", [], "", "getImage"],
    ["an id with an encoded slash", "GET /v4/images/private%2F123", [], "", "getImage"],
  ])("%s", async (_, line, headers, body, operation) => {
    expect(await send(requestOf(line, headers, body))).toMatchObject({ status: 200, echo: { operation } });
  });

  it("the id is the same, however its slash is written", async () => {
    const input = { path: { imageId: "private/123" } };
    for (const id of ["private/123", "private%2F123", "private%2f123"]) {
      expect(await send(requestOf(`GET /v4/images/${id}`))).toEqual({
        status: 200,
        echo: { operation: "getImage", input },
      });
    }
  });
});

describe(`bodies as programs write them (SEED=${seed})`, () => {
  it("may have null in each absent field", async () => {
    const withBody = api.operations.filter((each) => jsonBody(each)?.input.nulls === "absent");
    expect(withBody.length).toBeGreaterThanOrEqual(29);
    let nulls = 0;
    for (const operation of withBody) {
      const shape = jsonBody(operation)?.json.schema;
      for (const call of samples(operation, counts.nulls)) {
        if (shape === undefined || call.body === undefined) continue;
        const body = withNulls(api, shape, call.body);
        nulls += JSON.stringify(body).split(":null").length - 1;
        expect(await send(jsonRequestOf(lineOf(operation, call), body)), JSON.stringify(body)).toMatchObject({
          status: 200,
          echo: { operation: operation.name },
        });
      }
    }
    expect(nulls).toBeGreaterThan(200);
  });

  it("may be complete bodies of responses", async () => {
    const changes = api.operations.filter(({ method, requestBody }) => method === "PUT" && requestBody !== undefined);
    expect(changes.map(({ name }) => name)).toHaveLength(10);
    for (const operation of changes) {
      const response = operation.responses.find(({ status }) => status === 200)?.contents[0]?.schema;
      if (response === undefined) throw new Error(`${operation.name} shows nothing`);
      const bodies = fitting(maker.of(response), oracle.response(operation.method, operation.path));
      const [call] = samples(operation, 1);
      for (const { value } of fc.sample(bodies, { numRuns: counts.read, seed })) {
        if (call === undefined) continue;
        const { status, echo } = await send(jsonRequestOf(lineOf(operation, call), value));
        expect({ status, echo }, JSON.stringify(value)).toMatchObject({
          status: 200,
          echo: { operation: operation.name },
        });
      }
    }
  });
});

describe(`the generated client and the validator (SEED=${seed})`, () => {
  it("agree on every operation: the server reads the requests of the client", async () => {
    expect(operations.size).toBe(api.operations.length);
    let calls = 0;
    for (const operation of api.operations) {
      for (const given of samples(operation, counts.calls)) {
        const validate = operations.get(operation.name);
        const expected = validate?.({
          path: texts(given.path),
          query: new URLSearchParams(texts(given.query)),
          headers: texts(given.headers),
          ...(given.body === undefined ? {} : { body: given.body }),
        });
        const { status, echo } = await callWith(operation.name, given);
        const about = `${operation.name} ${JSON.stringify(given)} ${JSON.stringify(echo)}`;
        expect(status, about).toBe(200);
        expect(echo, about).toEqual(
          JSON.parse(
            JSON.stringify({ operation: operation.name, input: expected?.ok === true ? expected.input : undefined }),
          ),
        );
        calls += 1;
      }
    }
    expect(calls).toBe(api.operations.length * counts.calls);
  });

  it("differs from an invalid request", async () => {
    const none = { path: {}, query: {}, headers: {} };
    expect(await callWith("listInstances", { ...none, query: { page_size: 24 } })).toEqual({
      status: 400,
      echo: { errors: [{ field: "page_size", reason: "must be 25 to 500" }] },
    });
    expect(await send(jsonRequestOf("POST /v4/tags", { label: null }))).toEqual({
      status: 400,
      echo: { errors: [{ field: "label", reason: "is required" }] },
    });
  });
});

function samples(operation: Operation, numRuns: number): readonly Call[] {
  return fc.sample(callsOf(operation, maker, oracle), { numRuns, seed });
}

async function callWith(name: string, given: Call): Promise<{ readonly status: number; readonly echo: Echo }> {
  let reported: { readonly status: number; readonly echo: Echo } | undefined;
  const caller = client.createClient({
    baseUrl: `http://127.0.0.1:${host.port}/v4`,
    token: "token",
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      reported = { status: response.status, echo: (await response.clone().json()) as Echo };
      return response;
    },
  });
  const call = (client as Readonly<Record<string, unknown>>)[name] as (
    client: unknown,
    given: Call,
  ) => Promise<unknown>;
  const outcome = await call(caller, given).catch((error: unknown) => error);
  if (reported === undefined) throw new Error(`${name} sent nothing: ${String(outcome)} ${JSON.stringify(given)}`);
  return reported;
}

/** The request line of a call without its query. */
function lineOf({ method, path }: Operation, given: Call): string {
  return `${method} /v4${path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(texts(given.path)[name] ?? ""))}`;
}

function texts(values: Readonly<Record<string, Json>>): Readonly<Record<string, string>> {
  const text = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value)]));
}

async function send(request: string): Promise<{ readonly status: number; readonly echo: Echo }> {
  const { status, body } = await exchange(host.port, request);
  return { status, echo: JSON.parse(body) as Echo };
}
