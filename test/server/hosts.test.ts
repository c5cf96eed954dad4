import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hosts, type Host } from "../support/server-hosts.js";
import { instance, kept, makeStubs, type Stubs } from "../support/stubs.js";

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const token = { authorization: "Bearer all" };
const json = { ...token, "content-type": "application/json" };

/** Requests, and the response of every kind of server. */
const exchanges: readonly (readonly [about: string, asked: Asked, status: number, says: unknown])[] = [
  ["what is described", { path: "/v4/compute/instances/1", headers: token }, 200, instance(1)],
  ["the other base path", { path: "/v4beta/compute/instances/1?x=1", headers: token }, 200, instance(1)],
  ["an id of two segments", { path: "/v4/images/private/1", headers: token }, 404, "Not found"],
  ["the same, encoded", { path: "/v4/images/private%2f1", headers: token }, 404, "Not found"],
  ["a slash twice", { path: "/v4//compute/instances/1", headers: token }, 404, "Not found"],
  ["an encoded slash where none can be", { path: "/v4/compute%2Finstances/1", headers: token }, 404, "Not found"],
  ["a label with an encoded slash", { method: "DELETE", path: "/v4/tags/a%2Fb", headers: token }, 200, {}],
  ["the same in lower case", { method: "DELETE", path: "/v4/tags/a%2fb", headers: token }, 200, {}],
  ["a label with a slash", { method: "DELETE", path: "/v4/tags/a/b", headers: token }, 404, "Not found"],
  ["a slash that is encoded twice", { method: "DELETE", path: "/v4/tags/a%252Fb", headers: token }, 404, "Not found"],
  ["another case", { path: "/V4/compute/instances/1", headers: token }, 404, undefined],
  ["a path outside of the API", { path: "/v4/own", headers: token }, 404, "Not found"],
  ["an undocumented method", { method: "PATCH", path: "/v4/regions" }, 405, "The path has no such method"],
  ["an anonymous caller", { path: "/v4/compute/instances/1" }, 401, "Invalid Token"],
  ["OPTIONS", { method: "OPTIONS", path: "/v4/compute/instances/1" }, 204, ""],
  ["HEAD", { method: "HEAD", path: "/v4/compute/instances/1", headers: token }, 200, ""],
  [
    "invalid JSON",
    { method: "PUT", path: "/v4/compute/instances/1", headers: json, body: "{" },
    400,
    expect.stringContaining("JSON"),
  ],
  [
    "another type",
    { method: "PUT", path: "/v4/compute/instances/1", headers: { ...token, "content-type": "text/plain" }, body: "{}" },
    415,
    expect.any(String),
  ],
  [
    "too large a body",
    { method: "PUT", path: "/v4/compute/instances/1", headers: json, body: `{"label":"${"x".repeat(1_100_000)}"}` },
    413,
    expect.any(String),
  ],
  [
    "a body on GET",
    {
      method: "POST",
      path: "/v4/compute/instances/1/boot",
      headers: { ...token, "content-type": "application/x-www-form-urlencoded" },
    },
    200,
    {},
  ],
  [
    "a body that is wrong",
    { method: "PUT", path: "/v4/compute/instances/1", headers: json, body: '{"label":1}' },
    400,
    "must be a string",
  ],
];

describe.each(Object.keys(hosts) as (keyof typeof hosts)[])("in %s", (name) => {
  let stubs: Stubs;
  let host: Host;
  const uploads: string[] = [];

  beforeAll(async () => {
    stubs = makeStubs({
      deleteTag: () => ({ status: 200, body: {} }),
      getImage: ({ target }) => ({ status: 200, body: target }),
      putImageData: async ({ body, target }) => {
        const hash = createHash("sha256");
        for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) hash.update(chunk);
        uploads.push(`${target.id} ${hash.digest("hex")}`);
        return { status: 200, body: {} };
      },
    });
    stubs.tables.Instance.push(kept(instance(1)));
    stubs.tables.Tag.push(kept({ label: "a/b" }));
    stubs.tables.Image.push(kept({ id: "ticket", status: "pending_upload" } as never));
    host = await hosts[name](stubs.server);
  });
  afterAll(() => host.close());

  it.each(exchanges)("%s", async (_, { method = "GET", path, headers = {}, body }, status, says) => {
    stubs.tables.Instance.splice(0, 1, kept(instance(1)));
    const response = await fetch(host.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    const reported = text.startsWith("{")
      ? (JSON.parse(text) as { readonly errors?: readonly { readonly reason: string }[] })
      : text;
    const said = typeof reported === "object" && reported.errors !== undefined ? reported.errors[0]?.reason : reported;
    expect([response.status, says === undefined ? undefined : said]).toEqual([status, says]);
    if (says !== undefined) expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f]{18}$/);
    expect(stubs.log).toEqual([]);
  });

  it("other requests reach the server's own routes", async () => {
    expect(await (await fetch(`${host.url}/own`)).text()).toBe("its own");
  });

  it("an upload streams to its handler", async () => {
    const chunk = new Uint8Array(65_536).fill(7);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if ((sent += 1) > 160) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const headers = { "content-type": "application/octet-stream" };
    const response = await fetch(`${host.url}/uploads/ticket`, {
      method: "PUT",
      headers,
      body,
      duplex: "half",
    } as RequestInit);
    const expected = createHash("sha256");
    for (let count = 0; count < 160; count += 1) expected.update(chunk);
    expect([response.status, uploads.at(-1)]).toEqual([200, `ticket ${expected.digest("hex")}`]);
    const none = await fetch(`${host.url}/uploads/other`, { method: "PUT", headers, body: "x" });
    expect([none.status, await none.json()]).toEqual([404, { errors: [{ reason: "Not found" }] }]);
  });
});
