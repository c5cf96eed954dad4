import { describe, expect, it } from "vitest";
import { adapterNames } from "./adapters.support.js";
import { ann, startLimitedServer } from "./limited-server.support.js";
import { request, type RawResponse } from "./raw-http.support.js";

const lines = { getPage: "GET /pages/{page}", getPreferences: "GET /profile/preferences" };

describe.each(adapterNames)("%s", (name) => {
  const ask = async (text: string): Promise<RawResponse> => {
    const ok = () => ({ status: 200, body: {} });
    const host = await startLimitedServer({ lines }, { getPage: ok, getPreferences: ok }).listen(name);
    const wire = host.wire();
    wire.send(text);
    return wire.answer();
  };

  it.each([
    "/v1/x/../profile/preferences",
    "/v1/./profile/preferences",
    "/v1/x/%2e%2e/profile/preferences",
    "/v1/x/%2E./profile/preferences",
    "/x/../v1/profile/preferences",
    "/v1/profile/x/..",
  ])("does not resolve the path %s", async (path) => {
    expect((await ask(request(`GET ${path}`, undefined, ann))).status).toBe(404);
  });

  it("has the path of an absolute URL as the client sent it", async () => {
    const plain = "http://localhost/v1/profile/preferences";
    expect((await ask(request(`GET ${plain}`, undefined, ann))).status).toBe(200);
    const odd = "http://localhost/v1/x/../profile/preferences";
    expect((await ask(request(`GET ${odd}`, undefined, ann))).status).toBe(404);
  });

  it.each([
    ["the same twice", ann, ann],
    ["a valid one first", ann, "Authorization: Bearer mallory"],
    ["an empty one", ann, "authorization:"],
    ["another scheme", "Authorization: Basic YTpi", ann],
  ])("responds with 401 to two Authorization headers: %s", async (_, ...headers) => {
    expect((await ask(request("GET /v1/profile/preferences", undefined, ...headers))).status).toBe(401);
  });

  it.each(["localhost", "elsewhere", ""])("responds with 400 to a second Host header: %j", async (second) => {
    const { status, headers, body } = await ask(
      request("GET /v1/profile/preferences", undefined, ann, `Host: ${second}`),
    );
    expect({ status, type: headers["content-type"], connection: headers["connection"], body }).toEqual({
      status: 400,
      type: "application/json",
      connection: "close",
      body: '{"errors":[{"reason":"A request must have exactly one Host header"}]}',
    });
  });
});
