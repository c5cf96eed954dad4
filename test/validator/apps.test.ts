import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { createApp as createExpressApp } from "../apps/express.js";
import { createApp as createFastifyApp } from "../apps/fastify.js";
import { createApp as createHonoApp } from "../apps/hono.js";
import { listen } from "../support/hosts.js";

describe("an app on Express", () => {
  const start = async () => callerOf(await listening(createExpressApp()));

  it("creates, lists and deletes instances", async () => {
    const call = await start();
    const made = { id: 1, label: "web-1", region: "us-east", booted: true };
    const wanted = { region: "us-east", type: "g6-standard-1", label: "web-1", image: null };
    expect(await call("POST", "/v4/compute/instances", wanted)).toEqual([200, made]);
    expect(await call("GET", "/v4/compute/instances/1")).toEqual([200, made]);
    expect(await call("GET", "/v4/compute/instances?page_size=25")).toEqual([
      200,
      { data: [made], page: 1, pages: 1, results: 1 },
    ]);
    expect(await call("DELETE", "/v4/compute/instances/1")).toEqual([200, {}]);
    expect(await call("GET", "/v4/compute/instances/1")).toEqual([404, { errors: [{ reason: "Not found" }] }]);
  });

  it("reports all issues at once", async () => {
    const call = await start();
    expect(await call("POST", "/v4/compute/instances", { region: 5, label: "a", tags: ["web", ""] })).toEqual([
      400,
      {
        errors: [
          { field: "region", reason: "must be a string" },
          { field: "type", reason: "is required" },
          { field: "label", reason: "must be 3 to 64 characters" },
          { field: "tags.1", reason: "must be 3 to 50 characters" },
        ],
      },
    ]);
    expect(await call("GET", "/v4/compute/instances?page=0&page_size=x")).toEqual([
      400,
      {
        errors: [
          { field: "page", reason: "must be 1 to 2147483647" },
          { field: "page_size", reason: "must be an integer" },
        ],
      },
    ]);
    expect(await call("GET", "/v4/compute/instances/five")).toEqual([404, { errors: [{ reason: "Not found" }] }]);
  });
});

describe("an app on Fastify", () => {
  const start = async () => {
    const app = await createFastifyApp();
    onTestFinished(() => app.close());
    await app.listen({ port: 0, host: "127.0.0.1" });
    return callerOf((app.server.address() as AddressInfo).port);
  };

  it("creates, lists and deletes tags", async () => {
    const call = await start();
    expect(await call("POST", "/v4/tags", { label: "a b" })).toEqual([200, { label: "a b" }]);
    expect(await call("GET", "/v4/tags")).toEqual([200, { data: [{ label: "a b" }], page: 1, pages: 1, results: 1 }]);
    expect(await call("DELETE", "/v4/tags/a%20b")).toEqual([200, {}]);
    expect(await call("GET", "/v4/tags?page=2")).toEqual([200, { data: [], page: 2, pages: 1, results: 0 }]);
  });

  it("rejects with a custom body", async () => {
    const call = await start();
    expect(await call("POST", "/v4/tags", { colour: "red" })).toEqual([
      400,
      {
        title: "That was not right",
        target: "/v4/tags",
        issues: [
          { in: "body", field: "label", code: "required", reason: "is required" },
          { in: "body", field: "colour", code: "unknown", reason: "is not a known field" },
        ],
      },
    ]);
  });
});

describe("an app on Hono", () => {
  const start = async () => {
    const listener = getRequestListener(createHonoApp().fetch);
    return callerOf(await listening((request, response) => void listener(request, response)));
  };

  it("creates, changes and reads domains", async () => {
    const call = await start();
    const wanted = { domain: "example.com", type: "master", soa_email: "a@example.com", ttl_sec: 290, colour: "red" };
    const made = { id: 1, domain: "example.com", ttl_sec: 300 };
    expect(await call("POST", "/v4/domains", wanted)).toEqual([200, made]);
    const changed = { ...made, status: "disabled" };
    expect(await call("PUT", "/v4/domains/1", { status: "disabled", colour: "red" })).toEqual([200, changed]);
    expect(await call("GET", "/v4/domains/1")).toEqual([200, changed]);
  });

  it("reports what the requested kind of domain requires", async () => {
    const call = await start();
    expect(await call("POST", "/v4/domains", { domain: "example.com", type: "slave" })).toEqual([
      400,
      { errors: [{ field: "master_ips", reason: "is required" }] },
    ]);
    expect(await call("PATCH", "/v4/domains/1", {})).toEqual([
      405,
      { errors: [{ reason: "Method not allowed. Use GET, PUT, DELETE or HEAD" }] },
    ]);
  });
});

async function listening(listener: Parameters<typeof listen>[0]): Promise<number> {
  const { port, close } = await listen(listener);
  onTestFinished(close);
  return port;
}

/** Calls with JSON, and returns the status and the body. */
function callerOf(port: number) {
  return async (method: string, target: string, body?: unknown): Promise<readonly [number, unknown]> => {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const response = await fetch(`http://127.0.0.1:${port}${target}`, { method, ...sent });
    return [response.status, await response.json()];
  };
}
