import { describe, expect, onTestFinished, test } from "vitest";
import { createBaseServer } from "../create-server.js";
import { passthrough } from "../response/serializers.js";
import { callers, createTestServer, describeApi } from "../test-server.support.js";
import { adapterNames, adapters } from "./adapters.support.js";

const deprecation = {
  Deprecation: "@1688169599",
  Sunset: "Sun, 30 Jun 2024 23:59:59 GMT",
  Link: '<./new>; rel="sunset"',
};
const api = describeApi({
  lines: { getOld: "GET /old/{id}", getNew: "GET /new/{id}" },
  deprecations: { getOld: deprecation },
  responseHeaders: { getOld: { 200: [{ name: "link" }] } },
  serializers: {
    getOld: { 200: { "application/json": passthrough } },
    getNew: { 200: { "application/json": passthrough } },
  },
});

const dates = {
  deprecation: "@1688169599",
  sunset: "Sun, 30 Jun 2024 23:59:59 GMT",
  link: '<./new>; rel="sunset"',
};
const none = { deprecation: null, sunset: null, link: null };

describe.each(adapterNames)("%s", (name) => {
  test("every response of a deprecated operation has its headers, errors included", async () => {
    const server = createBaseServer(
      api,
      { getOld: () => ({ status: 200, body: {} }), getNew: () => ({ status: 200, body: {} }) },
      { authenticate: { bearer: (token: string) => callers[token] && { caller: callers[token] } } },
    );
    const { port, close } = await adapters[name](server);
    onTestFinished(close);
    const ask = async (path: string, token = "ann", method = "GET") => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, { method, headers });
      const found = Object.keys(none).map((each) => [each, response.headers.get(each)] as const);
      return { status: response.status, ...Object.fromEntries(found) };
    };
    expect(await ask("/old/1")).toEqual({ status: 200, ...dates });
    expect(await ask("/old/x")).toEqual({ status: 404, ...dates });
    expect(await ask("/old/1", "unknown")).toEqual({ status: 401, ...dates });
    expect(await ask("/new/1")).toEqual({ status: 200, ...none });
    expect(await ask("/old/1", "ann", "POST")).toEqual({ status: 405, ...none });
  });
});

test("links of the handler come first, whatever the case of their name", async () => {
  const server = createTestServer(api, {
    getOld: () => ({ status: 200, headers: { link: '<./2>; rel="next"' }, body: {} }),
  });
  const { headers } = await server.ask("GET /v1/old/1");
  expect(headers["link"]).toBe('<./2>; rel="next", <./new>; rel="sunset"');
});
