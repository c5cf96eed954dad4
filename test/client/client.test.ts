import { inspect } from "node:util";
import {
  createClient,
  createInstance,
  deleteInstance,
  getGrants,
  getImage,
  getInstance,
  isApiError,
  listDomains,
  listInstances,
  listKubeVersions,
  listLogins,
  listRegions,
  listTags,
  toResult,
  joinScopes,
  updateInstance,
  type Client,
  type Errors,
  type Grants,
  type Instance,
  type InstancePage,
} from "@cloud-compute/client";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, vi } from "vitest";
import { startCloud, type Cloud, type Seen } from "../support/cloud.js";

let cloud: Cloud;
let client: Client;

beforeAll(async () => {
  cloud = await startCloud();
  client = createClient({ baseUrl: cloud.url, token: cloud.token });
});
afterAll(() => cloud.close());

describe("the generated client", () => {
  it("creates, reads, changes, lists and deletes an instance", async () => {
    const made = await createInstance(client, { body: { region: "us-east", type: "g6-standard-1", label: "web-1" } });
    expect(made).toMatchObject({ label: "web-1", region: "us-east", status: "provisioning" });
    const path = { computeId: made.id };

    expect(await getInstance(client, { path })).toEqual(made);
    expect(await updateInstance(client, { path, body: { label: "web-2" } })).toEqual({ ...made, label: "web-2" });
    expect((await listInstances(client)).data).toEqual([{ ...made, label: "web-2" }]);
    expect(await deleteInstance(client, { path })).toEqual({});
    await expect(getInstance(client, { path })).rejects.toMatchObject({ code: "http", status: 404 });
  });

  it("sends a body as JSON, and no content type without one", async () => {
    await createInstance(client, { body: { region: "us-east", type: "g6-standard-1" } });
    expect(last()).toMatchObject({ method: "POST", body: '{"region":"us-east","type":"g6-standard-1"}' });
    expect(last().headers["content-type"]).toBe("application/json");

    await listInstances(client);
    expect(last().headers["content-type"]).toBeUndefined();
  });

  it("encodes query values and a filter as described, and omits undefined ones", async () => {
    await listInstances(client, {
      query: { page: 2, page_size: undefined },
      headers: { "X-Filter": { "+and": [{ label: "grün" }, { region: { "+neq": "us-east" } }] } },
    });
    expect(last().target).toBe("/v4/compute/instances?page=2");
    expect(last().headers["x-filter"]).toBe('{"+and":[{"label":"gr\\u00fcn"},{"region":{"+neq":"us-east"}}]}');
  });

  it("keeps the slash of an id with two segments, and rejects one that leads elsewhere", async () => {
    expect(await getImage(client, { path: { imageId: "compute/debian 12" } })).toMatchObject({
      id: "compute/debian 12",
    });
    expect(last().target).toBe("/v4/images/compute/debian%2012");

    const before = cloud.requests.length;
    await expect(getImage(client, { path: { imageId: "private/../../profile" } })).rejects.toMatchObject({
      code: "request",
      status: 0,
    });
    expect(cloud.requests.length).toBe(before);
  });

  it("does not send its token to operations that require none", async () => {
    expect((await listRegions(client)).data).toHaveLength(1);
    expect(last().headers.authorization).toBeUndefined();
  });

  it("returns undefined for a response without a body", async () => {
    const grants = await getGrants(client);
    expectTypeOf(grants).toEqualTypeOf<Grants | undefined>();
    expect(grants).toBeUndefined();
  });

  it("calls a token function for each request", async () => {
    let asked = 0;
    const asking = createClient({ baseUrl: cloud.url, token: async () => (asked++ === 0 ? "stale" : cloud.token) });
    await expect(listInstances(asking)).rejects.toMatchObject({ status: 401 });
    await expect(listInstances(asking)).resolves.toMatchObject({ page: 1 });
  });

  it("lets a call override options of the client, and runs hooks around it", async () => {
    const steps: string[] = [];
    await listInstances(
      client,
      {},
      {
        baseUrl: cloud.url.replace("127.0.0.1", "localhost"),
        headers: { "X-Trace": "7" },
        onRequest: (request) => void steps.push(`${request.method} ${new URL(request.url).hostname}`),
        onResponse: (response) => void steps.push(String(response.status)),
      },
    );
    expect(steps).toEqual(["GET localhost", "200"]);
    expect(last().headers["x-trace"]).toBe("7");
  });
});

describe("its failures", () => {
  it("are typed by documented status", async () => {
    const result = await toResult(getInstance(client, { path: { computeId: 4711 } }));
    if (result.ok) throw new Error("expected an unknown instance");
    if (result.error.status === 404) expectTypeOf(result.error.body).toEqualTypeOf<Errors>();
    expect(result.error).toMatchObject({ code: "http", status: 404, errors: [{ reason: "Not found" }], method: "GET" });
    expect(result.error.requestId).toBe(`request-${cloud.requests.length}`);
  });

  it("name every field that the server complains of", async () => {
    const unknown = {} as { region: string; type: string };
    const result = await toResult(createInstance(client, { body: unknown }));
    expect(result).toMatchObject({
      ok: false,
      error: {
        status: 400,
        errors: [
          { field: "region", reason: "region is required" },
          { field: "type", reason: "type is required" },
        ],
      },
    });
  });

  it("never hold the token", async () => {
    const error: unknown = await listTags(createClient({ baseUrl: cloud.url, token: "secret-token-value" })).catch(
      (reason: unknown) => reason,
    );
    expect(isApiError(error)).toBe(true);
    for (const shown of [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error)]) {
      expect(shown).not.toContain("secret-token-value");
    }
  });

  it("are an ApiError, and not a SyntaxError, when a proxy answers in HTML", async () => {
    await expect(listTags(client)).rejects.toMatchObject({
      code: "http",
      status: 502,
      body: "<html>Bad Gateway</html>",
    });
  });

  it("distinguish an invalid success from an error", async () => {
    await expect(listKubeVersions(client)).rejects.toMatchObject({ code: "decode", status: 200 });
  });

  it("carry the headers of the response", async () => {
    const result = await toResult(listDomains(client));
    if (result.ok) throw new Error("expected a reached limit");
    expect([result.error.status, result.error.headers?.get("retry-after")]).toEqual([429, "30"]);
  });

  it("end a call that exceeds its time, or that the caller aborts", async () => {
    await expect(listLogins(client, {}, { timeout: 50 })).rejects.toMatchObject({ code: "timeout" });
    const controller = new AbortController();
    const before = cloud.requests.length;
    const pending = listLogins(client, {}, { signal: controller.signal });
    void vi
      .waitUntil(() => cloud.requests.length > before, { interval: 1, timeout: 240_000 })
      .then(() => controller.abort());
    await expect(pending).rejects.toMatchObject({ code: "aborted" });
  });

  it("say that the connection was not accepted", async () => {
    await expect(listInstances(client, {}, { baseUrl: "http://127.0.0.1:1/v4" })).rejects.toMatchObject({
      code: "network",
      status: 0,
    });
  });
});

describe("its types", () => {
  it("have names, and are exact", () => {
    expectTypeOf(getInstance).returns.resolves.toEqualTypeOf<Instance>();
    expectTypeOf(listInstances).returns.resolves.toEqualTypeOf<InstancePage>();
    expectTypeOf<Instance["status"]>().extract<"running">().toEqualTypeOf<"running">();
    // @ts-expect-error a region is required
    void (() => createInstance(client, { body: { type: "g6-standard-1" } }));
    // @ts-expect-error the query has no such parameter
    void (() => listInstances(client, { query: { pages: 1 } }));
    // @ts-expect-error a path parameter is a number
    void (() => getInstance(client, { path: { computeId: "5" } }));
  });

  it("know the scopes", () => {
    expect(joinScopes("computes:read_write", "images:read_only")).toBe("computes:read_write,images:read_only");
    // @ts-expect-error unknown level
    void (() => joinScopes("computes:admin"));
  });
});

function last(): Seen {
  const seen = cloud.requests.at(-1);
  if (seen === undefined) throw new Error("nothing was sent");
  return seen;
}
