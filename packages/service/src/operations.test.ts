import * as api from "@cloud-compute/client";
import { describe, expect, test } from "vitest";
import { documentedOperations, type DocumentedOperation } from "./documented.support.js";
import { bodies, missing } from "./operations.support.js";
import { keep } from "./recorded-responses.support.js";
import { failure, start } from "./testing.support.js";

/** The request of any operation. */
interface Given {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

// The operation, and so the type of its request, is known only at run time.
const calls = api as unknown as Readonly<Record<string, (client: api.Client, given: Given) => Promise<unknown>>>;

/** Calls an operation. Path parameters name missing objects by default. */
function call(client: api.Client, { name, path }: DocumentedOperation, given: Given = {}): Promise<unknown> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, each = ""]) => each);
  const ids = Object.fromEntries(names.map((each) => [each, missing[each] ?? "nowhere"]));
  const made = calls[name];
  if (made === undefined) throw new Error(`the client has no ${name}`);
  return made(client, { path: ids, ...given });
}

const operations = documentedOperations().filter(({ name }) => name !== "putImageData");

function that(id: string): readonly DocumentedOperation[] {
  return operations.filter(({ failures }) => failures.includes(id));
}

describe("every operation", () => {
  test("that requires a token requires a valid one", async () => {
    const { as } = await start();
    const reported = [401, "Invalid Token"];
    for (const each of that("no-token"))
      expect([each.name, await failure(call(as(undefined), each))]).toEqual([each.name, reported]);
    // A client sends no token to public operations by itself.
    const client = api.createClient({ ...as(undefined).options(), headers: { Authorization: "Bearer unknown" } });
    for (const each of that("invalid-token"))
      expect([each.name, await failure(call(client, each))]).toEqual([each.name, reported]);
    expect(that("no-token").length).toBeGreaterThan(85);
  });

  test("that requires scopes rejects a token without them", async () => {
    const { user } = await start();
    const client = await user("eve", { scopes: "longview:read_only" });
    for (const each of that("insufficient-scope"))
      expect([each.name, await failure(call(client, each))]).toEqual([
        each.name,
        [401, "Your OAuth token is not authorized to use this endpoint."],
      ]);
    expect(that("insufficient-scope").length).toBeGreaterThan(85);
  });

  test("rejects a caller that exceeds the rate limit", async () => {
    const { user } = await start(["--general-limit", "1"]);
    const client = await user("eve");
    await api.getProfile(client);
    // Callers without a token are identified by their address.
    await api.listRegions(client);
    for (const each of that("rate-limited"))
      expect([each.name, await failure(call(client, each, { body: {} }))]).toEqual([
        each.name,
        [429, "Too many requests"],
      ]);
    expect(that("rate-limited")).toHaveLength(operations.length);
  });

  test("that names a missing object responds with 404", async () => {
    const { admin } = await start();
    for (const each of that("not-found")) {
      const body = bodies[`${each.method} ${each.path}`];
      expect([each.name, await failure(call(admin, each, body === undefined ? {} : { body }))]).toEqual([
        each.name,
        [404, "Not found"],
      ]);
    }
    expect(that("not-found").length).toBeGreaterThan(50);
  });

  test("that gets an invalid id responds with 404", async () => {
    const { admin } = await start();
    for (const each of that("not-found"))
      for (const id of ["0", "9".repeat(30), "nonsense", "\0", "x".repeat(3000)]) {
        const names = [...each.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, id] as const);
        const body = bodies[`${each.method} ${each.path}`];
        const given = { path: Object.fromEntries(names), ...(body === undefined ? {} : { body }) };
        expect([each.name, id, await failure(call(admin, each, given))]).toEqual([each.name, id, [404, "Not found"]]);
      }
  });

  test("that has a body requires an object", async () => {
    const { admin } = await start();
    // An update is validated together with its target, so the target would have to exist first.
    const taking = operations.filter(({ hasBody, method }) => hasBody && method === "POST");
    for (const each of taking)
      expect([each.name, (await failure(call(admin, each, { body: 5 }))).slice(0, 2)]).toEqual([
        each.name,
        [400, "must be an object"],
      ]);
    expect(taking.length).toBeGreaterThan(20);
  });

  test("that has pages accepts a page size of 25 to 500", async () => {
    const { admin } = await start();
    const paged = operations.filter(({ hasPages }) => hasPages);
    for (const each of paged)
      for (const page_size of [24, 501])
        expect([each.name, await failure(call(admin, each, { query: { page_size } }))]).toEqual([
          each.name,
          [400, "page_size: must be 25 to 500"],
        ]);
    expect(paged.length).toBeGreaterThan(15);
  });

  test("that has a filter rejects unknown fields", async () => {
    const { admin } = await start();
    const filtered = that("not-filterable").filter(({ path }) => !path.includes("{"));
    for (const each of filtered)
      expect([each.name, await failure(call(admin, each, { headers: { "X-Filter": { nonsense: 1 } } }))]).toEqual([
        each.name,
        [400, "X-Filter: Cannot filter on nonsense"],
      ]);
    expect(filtered.length).toBeGreaterThan(5);
  });
});

describe("a request that matches no operation", () => {
  test("has a method that the path does not have", async () => {
    const { service } = await start();
    const response = await fetch(`${service.url}/regions`, { method: "PATCH" });
    const said = (await response.json()) as { readonly errors: { readonly reason: string }[] };
    keep({ method: "PATCH", path: "/regions", status: response.status, hadToken: false, errors: said.errors });
    expect([response.status, response.headers.get("allow"), said]).toEqual([
      405,
      "GET, HEAD, OPTIONS",
      { errors: [{ reason: "The path has no such method" }] },
    ]);
  });

  test("has a body without the JSON content type, or one that is too large", async () => {
    const { admin } = await start();
    const headers = { "Content-Type": "text/plain" };
    expect(await failure(api.updatePreferences(admin, { body: { a: 1 } }, { headers }))).toEqual([
      415,
      "Content-Type must be application/json",
    ]);
    expect(await failure(api.updatePreferences(admin, { body: { a: "a".repeat(2 ** 20) } }))).toEqual([
      413,
      "Body must be at most 1048576 bytes",
    ]);
  });
});
