import * as client from "@cloud-compute/client";
import { createMock, type Mock, type MockOptions } from "@cloud-compute/mock";
import { mswHandlers } from "@plumbline/server-runtime/mock/msw";
import { setupServer } from "msw/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { cloudComputeData } from "./cloud-compute-data.js";

const url = "https://api.cloud-compute.example/v4";
const start = Date.UTC(2026, 0, 2, 3, 4, 5);

function mockWith(options: MockOptions = {}): Mock {
  return createMock({ clock: () => start, data: cloudComputeData, ...options });
}

function clientOf(mock: Mock, token = "any"): client.Client {
  return client.createClient({ baseUrl: url, token, fetch: (input, init) => mock.fetch(new Request(input, init)) });
}

const image = {
  region: "us-east",
  type: "g6-nanode-1",
  image: "compute/debian12",
  root_pass: "aComplex-P4ssword",
} as const;

describe("the clock", () => {
  it("moves states forward, job by job", async () => {
    const mock = mockWith();
    const api = clientOf(mock);
    const { id, status, created } = await client.createInstance(api, { body: { ...image, label: "web-1" } });
    expect([status, created]).toEqual(["provisioning", "2026-01-02T03:04:05Z"]);
    const statusOf = async (): Promise<string> => (await client.getInstance(api, { path: { computeId: id } })).status;
    mock.advance("PT9S");
    expect(await statusOf()).toBe("provisioning");
    mock.advance(1000);
    expect(await statusOf()).toBe("running");
    expect(mock.settle()).toBe(0);
  });

  it("settles what is in progress, and nothing while it is held", async () => {
    const mock = mockWith();
    const api = clientOf(mock);
    const { id } = await client.createInstance(api, { body: { ...image, label: "web-1" } });
    mock.hold(true);
    expect(mock.settle()).toBe(0);
    mock.hold(false);
    expect(mock.settle()).toBe(1);
    expect(await client.getInstance(api, { path: { computeId: id } })).toMatchObject({ status: "running" });
  });

  it("ends transient states at once with pace 0, and sooner with a higher one", async () => {
    const instant = clientOf(mockWith({ pace: 0 }));
    const { id } = await client.createInstance(instant, { body: { ...image, label: "web-1" } });
    expect(await client.getInstance(instant, { path: { computeId: id } })).toMatchObject({ status: "running" });
    const mock = mockWith({ pace: 10 });
    const fast = clientOf(mock);
    await client.createInstance(fast, { body: { ...image, label: "web-1" } });
    mock.advance("PT1S");
    expect(await client.getInstance(fast, { path: { computeId: 1 } })).toMatchObject({ status: "running" });
  });
});

describe("the state", () => {
  it("returns to a snapshot, and to the start", async () => {
    const mock = mockWith();
    const api = clientOf(mock);
    const labels = async (): Promise<readonly string[]> => (await client.listTags(api)).data.map(({ label }) => label);
    await client.createTag(api, { body: { label: "first" } });
    const snapshot = mock.snapshot();
    await client.createTag(api, { body: { label: "second" } });
    mock.advance("PT1H");
    expect(await labels()).toEqual(["first", "second"]);
    mock.restore(snapshot);
    expect([await labels(), mock.now()]).toEqual([["first"], start]);
    mock.reset();
    expect(await labels()).toEqual([]);
  });

  it("depends on the seed only", async () => {
    const tokenOf = async (seed: number): Promise<string> =>
      (await client.createToken(clientOf(mockWith({ seed })), { body: { label: "t" } })).token;
    expect(await tokenOf(1)).toBe(await tokenOf(1));
    expect(await tokenOf(1)).not.toBe(await tokenOf(2));
  });

  it("has a maximum of objects", async () => {
    const mock = mockWith({ data: {}, maxObjects: 12 });
    const create = async (index: number): Promise<number> => {
      const headers = { Authorization: "Bearer any", "Content-Type": "application/json" };
      const body = JSON.stringify({ label: `tag-${index}` });
      return (await mock.fetch(new Request(`${url}/tags`, { method: "POST", headers, body }))).status;
    };
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1) statuses.push(await create(index));
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(507);
  });
});

describe("users", () => {
  it("are one who may do everything, without options", async () => {
    const profile = await client.getProfile(clientOf(mockWith(), "whatever"));
    expect(profile).toMatchObject({ username: "user", restricted: false });
  });

  it("have the scopes of their tokens, and lose them with the token", async () => {
    const mock = mockWith({ users: [{ username: "ann", tokens: ["root"] }] });
    const root = clientOf(mock, "root");
    const { id, token } = await client.createToken(root, { body: { label: "t", scopes: "domains:read_only" } });
    const limited = clientOf(mock, token);
    expect(await client.listDomains(limited)).toMatchObject({ results: 0 });
    await expect(client.listInstances(limited)).rejects.toMatchObject({ status: 401 });
    await client.deleteToken(root, { path: { tokenId: id } });
    await expect(client.listDomains(limited)).rejects.toMatchObject({ status: 401 });
    await expect(client.getProfile(clientOf(mock, "unknown"))).rejects.toMatchObject({ status: 401 });
  });

  it("see the objects of their account, and what grants allow", async () => {
    const mock = mockWith({
      users: [
        { username: "ann", account: "a", tokens: ["ann"] },
        { username: "bob", account: "b", tokens: ["bob"] },
        {
          username: "cat",
          account: "a",
          attributes: { restricted: true },
          tokens: ["cat"],
          grants: { domain: [{ id: 1, permissions: "read_only" }] },
        },
      ],
    });
    const body = { domain: "example.com", type: "master", soa_email: "a@example.com" } as const;
    const { id } = await client.createDomain(clientOf(mock, "ann"), { body });
    const path = { domainId: id };
    await expect(client.getDomain(clientOf(mock, "bob"), { path })).rejects.toMatchObject({ status: 404 });
    expect(await client.getDomain(clientOf(mock, "cat"), { path })).toMatchObject({ domain: "example.com" });
    await expect(client.deleteDomain(clientOf(mock, "cat"), { path })).rejects.toMatchObject({ status: 403 });
  });
});

describe("responses on request", () => {
  it("are the documented ones for Prefer: code", async () => {
    const mock = mockWith();
    const response = await mock.fetch(new Request(`${url}/domains/7`, { headers: { Prefer: "code=404" } }));
    expect([response.status, response.headers.get("Plumbline-Mock")]).toEqual([404, "example"]);
    expect(await response.json()).toHaveProperty("errors");
    const unknown = await mock.fetch(new Request(`${url}/domains/7`, { headers: { Prefer: "code=418" } }));
    expect(unknown.status).toBe(418);
  });

  it("are faults, as often as they shall occur", async () => {
    const mock = mockWith({ faults: [{ operation: "listTags", status: 429, times: 2 }] });
    const list = async (): Promise<number> =>
      (await mock.fetch(new Request(`${url}/tags`, { headers: { Authorization: "Bearer any" } }))).status;
    expect([await list(), await list(), await list()]).toEqual([429, 429, 200]);
    mock.setFaults([{ drop: true, times: 1 }]);
    await expect(list()).rejects.toThrow("dropped the connection");
    expect(await list()).toBe(200);
  });

  it("come from a handler that replaces the mock's", async () => {
    const mock = mockWith({
      handlers: {
        getTag: undefined,
        listTags: () => ({ status: 200, body: { data: [], page: 1, pages: 1, results: 7 } }),
      } as never,
    });
    expect(await client.listTags(clientOf(mock))).toMatchObject({ results: 7 });
    expect(await client.createTag(clientOf(mock), { body: { label: "abc" } })).toEqual({ label: "abc" });
  });

  it("say where no state explains them", async () => {
    const mock = mockWith();
    const get = async (path: string): Promise<string | null> =>
      (await mock.fetch(new Request(`${url}${path}`, { headers: { Authorization: "Bearer any" } }))).headers.get(
        "Plumbline-Mock",
      );
    const { id } = await client.createDomain(clientOf(mock), {
      body: { domain: "example.com", type: "master", soa_email: "a@example.com" },
    });
    expect([await get(`/domains/${id}`), await get(`/domains/${id}/zone-file`)]).toEqual([null, "example"]);
  });
});

describe("replaced handlers", () => {
  const none = { data: [], page: 1, pages: 1 };
  const closed = { errors: [{ reason: "Closed" }] };

  it("respond until a reset, the latest first", async () => {
    const mock = mockWith({ handlers: { listTags: () => ({ status: 200, body: { ...none, results: 1 } }) } });
    const api = clientOf(mock);
    const results = async (): Promise<number> => (await client.listTags(api)).results;
    mock.use({ listTags: () => ({ status: 200, body: { ...none, results: 2 } }) });
    mock.use({
      listTags: () => ({ status: 200, body: { ...none, results: 3 } }),
      listDomains: () => ({ status: 503, body: closed }),
    });
    expect(await results()).toBe(3);
    await expect(client.listDomains(api)).rejects.toMatchObject({ status: 503, errors: [{ reason: "Closed" }] });
    expect(await client.createTag(api, { body: { label: "abc" } })).toEqual({ label: "abc" });
    mock.reset();
    expect(await results()).toBe(1);
    expect(await client.listDomains(api)).toMatchObject({ results: 0 });
  });

  it("get the input and the caller", async () => {
    const mock = mockWith({ users: [{ username: "ann", tokens: ["a"] }] });
    mock.use({
      createTag: ({ body }, { caller }) => ({ status: 200, body: { label: `${body.label}-${caller.restricted}` } }),
    });
    expect(await client.createTag(clientOf(mock, "a"), { body: { label: "abc" } })).toEqual({ label: "abc-false" });
  });

  it.each([
    [202, { later: true }, undefined, "application/json", '{"later":true}'],
    [202, "<later/>", { "content-type": "application/xml" }, "application/xml", "<later/>"],
    [302, undefined, { Location: "/v4/domains" }, null, ""],
    [204, { later: true }, undefined, null, ""],
  ] as const)("send the undocumented status %i with %j as it is", async (status, body, headers, type, text) => {
    const mock = mockWith();
    mock.use({ listTags: async () => ({ status, body, ...(headers && { headers }) }) });
    const request = (method: string): Request =>
      new Request(`${url}/tags`, { method, headers: { Authorization: "Bearer any" } });
    const response = await mock.fetch(request("GET"));
    expect([response.status, response.headers.get("Content-Type"), await response.text()]).toEqual([
      status,
      type,
      text,
    ]);
    expect(response.headers.get("Location")).toBe(headers && "Location" in headers ? headers.Location : null);
    expect(response.headers.get("X-Request-Id")).not.toBeNull();
    const head = await mock.fetch(request("HEAD"));
    expect([head.status, await head.text()]).toEqual([status, ""]);
  });

  it("are of the types of the server", () => {
    const mock = mockWith();
    const body = { ...none, results: 0 };
    mock.use({ listTags: () => ({ status: 201, body: 1 }) });
    // @ts-expect-error: a documented status has its body.
    mock.use({ listTags: () => ({ status: 200, body: 1 }) });
    // @ts-expect-error: so has an error.
    mock.use({ listTags: () => ({ status: 503, body }) });
    // @ts-expect-error: there is no such operation.
    expect(() => mock.use({ listTag: () => ({ status: 200, body }) })).toThrow('Unknown operation "listTag".');
  });
});

it("answers the requests of a page or a test through MSW", async () => {
  const mock = mockWith();
  const server = setupServer(...mswHandlers(mock, url));
  server.listen({ onUnhandledRequest: "error" });
  onTestFinished(() => server.close());
  const api = client.createClient({ baseUrl: url, token: "any" });
  await client.createTag(api, { body: { label: "abc" } });
  expect(await client.listTags(api)).toMatchObject({ data: [{ label: "abc" }] });
  mock.use({ listTags: () => ({ status: 503, body: { errors: [{ reason: "Closed" }] } }) });
  await expect(client.listTags(api)).rejects.toMatchObject({ status: 503 });
});
