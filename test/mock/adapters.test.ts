import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createMock, type Mock, type MockOptions } from "@cloud-compute/mock";
import { getRequestListener } from "@hono/node-server";
import { expressMiddleware } from "@plumbline/server-runtime/express";
import { honoMiddleware } from "@plumbline/server-runtime/hono";
import { serverWithControls } from "@plumbline/server-runtime/mock/controls";
import { nodeListener } from "@plumbline/server-runtime/node";
import express from "express";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";

/** Listens as long as the test runs. Returns where. */
async function listen(listener: RequestListener): Promise<string> {
  const http = createServer(listener);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => http.close().closeAllConnections());
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

const hosts: Readonly<Record<string, (mock: Mock) => RequestListener>> = {
  "Node's own server": ({ server }) => nodeListener(server),
  Express: ({ server }) => {
    const app = express().use(expressMiddleware(server));
    return app.get("/other", (_request, response) => void response.send("own")) as RequestListener;
  },
  Hono: ({ server }) => {
    const app = new Hono().use(honoMiddleware(server)).get("/other", (context) => context.text("own"));
    const listener = getRequestListener(app.fetch);
    return (request, response) => void listener(request, response);
  },
};

const json = { Authorization: "Bearer any", "Content-Type": "application/json" };

describe.each(Object.entries(hosts))("behind %s", (host, listenerOf) => {
  const start = async (options: MockOptions = {}): Promise<{ readonly mock: Mock; readonly origin: string }> => {
    const mock = createMock(options);
    return { mock, origin: await listen(listenerOf(mock)) };
  };

  it("keeps what clients create, and responds as they prefer", async () => {
    const { origin } = await start();
    const tags = `${origin}/v4/tags`;
    const created = await fetch(tags, { method: "POST", headers: json, body: JSON.stringify({ label: "abc" }) });
    expect([created.status, await created.json()]).toEqual([200, { label: "abc" }]);
    expect(await (await fetch(tags, { headers: json })).json()).toMatchObject({ data: [{ label: "abc" }] });
    const head = await fetch(tags, { method: "HEAD", headers: json });
    expect([head.status, Number(head.headers.get("Content-Length")) > 0, await head.text()]).toEqual([200, true, ""]);
    const preferred = await fetch(`${origin}/v4/domains/7`, { headers: { Prefer: "code=404" } });
    expect([preferred.status, preferred.headers.get("Plumbline-Mock")]).toEqual([404, "example"]);
  });

  it("meets faults, has replaced handlers, and leaves other paths alone", async () => {
    const { mock, origin } = await start({ faults: [{ operation: "listTags", status: 429, times: 1 }] });
    const list = async (): Promise<number> => (await fetch(`${origin}/v4/tags`, { headers: json })).status;
    expect([await list(), await list()]).toEqual([429, 200]);
    mock.setFaults([{ drop: true }]);
    await expect(list()).rejects.toThrow("fetch failed");
    const other = await fetch(`${origin}/other`);
    expect(other.status).toBe(host === "Node's own server" ? 404 : 200);
    mock.setFaults([]);
    expect(await list()).toBe(200);
    mock.use({ listTags: () => ({ status: 202, body: "later" }) });
    expect(await list()).toBe(202);
  });
});

it("serves its controls through an adapter, and not to web pages", async () => {
  const origin = await listen(nodeListener(serverWithControls(createMock())));
  const reset = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (await fetch(`${origin}/_mock/reset`, { method: "POST", headers })).status;
  expect([await reset({}), await reset({ Origin: "http://evil.example" })]).toEqual([204, 403]);
  expect((await fetch(`${origin}/v4/tags`, { headers: json })).status).toBe(200);
});
