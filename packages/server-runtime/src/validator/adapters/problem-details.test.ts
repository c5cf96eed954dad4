import { describe, expect, it, onTestFinished } from "vitest";
import { addIssueAt, toProblemDetails } from "../../http/index.js";
import { adapters, type AdapterName, type AdapterTestOptions } from "./adapters.support.js";

const json = { "content-type": "application/json" };
const requests: readonly (readonly [string, RequestInit, object])[] = [
  [
    "/pets",
    { method: "POST", headers: json, body: '{"name":"x","friends":[{"name":"Rex","age":"old"}]}' },
    {
      status: 400,
      title: "Bad Request",
      detail: "name must be 3 to 20 characters; friends.0.age must be an integer",
      errors: [
        { detail: "must be 3 to 20 characters", pointer: "#/name" },
        { detail: "must be an integer", pointer: "#/friends/0/age" },
      ],
    },
  ],
  [
    "/pets?page=0",
    { headers: { "X-Filter": "{" } },
    {
      status: 400,
      title: "Bad Request",
      detail: "page must be 1 to 1000; X-Filter must be valid JSON",
      errors: [
        { detail: "must be 1 to 1000", parameter: "page" },
        { detail: "must be valid JSON", header: "X-Filter" },
      ],
    },
  ],
  ["/nowhere", {}, { status: 404, title: "Not Found", detail: "Not found" }],
  [
    "/pets",
    { method: "DELETE" },
    { status: 405, title: "Method Not Allowed", detail: "Method not allowed. Use GET, POST or HEAD" },
  ],
  [
    "/pets",
    { headers: { accept: "text/csv" } },
    { status: 406, title: "Not Acceptable", detail: "Accept must allow application/json" },
  ],
  [
    "/pets",
    { method: "POST", headers: json, body: `"${"x".repeat(100)}"` },
    { status: 413, title: "Content Too Large", detail: "Body must be at most 90 bytes" },
  ],
  [
    "/pets",
    { method: "POST", headers: { "content-type": "text/plain" }, body: "x" },
    {
      status: 415,
      title: "Unsupported Media Type",
      detail: "Content-Type must be application/json or application/x-www-form-urlencoded",
    },
  ],
];

describe.each(Object.keys(adapters) as AdapterName[])("problem details on %s", (name) => {
  async function ask(path: string, init: RequestInit, options: AdapterTestOptions = {}) {
    const { port, close } = await adapters[name]({ errorFormat: toProblemDetails, bodyLimit: 90, ...options });
    onTestFinished(close);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return { status: response.status, type: response.headers.get("content-type"), body: await response.json() };
  }

  it.each(requests)("%s %j", async (path, init, problem) => {
    const { status } = problem as { readonly status: number };
    const type = "application/problem+json";
    expect(await ask(path, init)).toEqual({ status, type, body: { type: "about:blank", ...problem } });
  });

  it("replaces an invalid response", async () => {
    const { status, type, body } = await ask(
      "/pets/5",
      {},
      {
        validateResponses: "enforce",
        onInvalidResponse: () => undefined,
        responseValidators: async () => ({
          getPet: { "200": { "application/json": (_, issues) => addIssueAt(issues, "secret", "required") } },
        }),
      },
    );
    expect([status, type]).toEqual([500, "application/problem+json"]);
    expect(body).toEqual({
      type: "about:blank",
      title: "Internal Server Error",
      status: 500,
      detail: "The response does not match the description of the API",
    });
  });

  it("onError has the last word", async () => {
    const { body } = await ask(
      "/nowhere",
      {},
      { onError: ({ body: formed }) => ({ body: { ...(formed as object), type: "urn:a" } }) },
    );
    expect(body).toEqual({ type: "urn:a", title: "Not Found", status: 404, detail: "Not found" });
  });
});
