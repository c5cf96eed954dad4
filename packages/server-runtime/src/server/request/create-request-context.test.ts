import { expect, it } from "vitest";
import { WebServerRequest } from "../adapters/fetch/web-request.js";
import { createRequestContext } from "./create-request-context.js";

it("a context with additions keeps everything, and does not change the original", () => {
  const webRequest = new Request("http://localhost/", { headers: { "x-a": "1" } });
  const request = createRequestContext(new WebServerRequest(webRequest, () => "192.0.2.1"), {
    operation: "get",
    requestId: "r",
    now: 5,
  });
  request.caller = { user: "ann" };
  const call = request.with({ database: "db" });
  expect([call.header("x-a"), call.header("x-b"), call.signal, call.address]).toEqual([
    "1",
    undefined,
    request.signal,
    "192.0.2.1",
  ]);
  expect({ ...call }).toEqual({
    operation: "get",
    requestId: "r",
    now: 5,
    caller: { user: "ann" },
    auth: { requiredScopes: [] },
    database: "db",
  });
  expect("database" in request).toBe(false);
});
