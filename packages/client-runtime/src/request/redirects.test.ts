import { describe, expect, test } from "vitest";
import { apiKeyAuth } from "../auth.js";
import { callOperation } from "../call-operation.js";
import { createBaseClient } from "../client.js";
import { errorOf, sendJson, serve, type Loopback } from "../loopback.support.js";
import { withRetry } from "../retry/retry.js";
import { jsonBody, rawBody } from "./bodies.js";

const create = { method: "POST", path: "/x", encoders: [jsonBody] };
const replace = { method: "PUT", path: "/x", encoders: [jsonBody] };
const body = { secret: "in the body" };

/** A server that redirects `/x`, and responds elsewhere. */
function moving(status: number, location: string): Promise<Loopback> {
  return serve((response, { url = "" }) => {
    if (url.startsWith("/x")) response.writeHead(status, { location }).end();
    else sendJson({ a: 1 })(response);
  });
}

describe("a redirect to another origin", () => {
  test.each([
    [307, create],
    [308, create],
    [307, replace],
    [308, replace],
    [301, replace],
    [302, replace],
  ])("by %d does not get the body, and the call fails", async (status, operation) => {
    const other = await serve();
    const { url } = await moving(status, `${other.url}/gather`);
    const error = await errorOf(callOperation(createBaseClient({ baseUrl: url, token: "t0k" }), operation, { body }));
    expect(error).toMatchObject({ code: "network", status: 0 });
    expect(other.seen).toEqual([]);
  });

  test("does not get the body of a client that says `follow`", async () => {
    const other = await serve();
    const { url } = await moving(307, `${other.url}/gather`);
    const client = createBaseClient({ baseUrl: url, redirect: "follow" });
    expect(await errorOf(callOperation(client, create, { body }))).toMatchObject({ code: "network", status: 0 });
    expect(other.seen).toEqual([]);
  });

  test.each([301, 302, 303])("by %d of a POST sends neither body nor credentials", async (status) => {
    const other = await serve(sendJson({ a: 2 }));
    const { url } = await moving(status, `${other.url}/y`);
    const headers = { cookie: "session=1" };
    expect(await callOperation(createBaseClient({ baseUrl: url, token: "t0k", headers }), create, { body })).toEqual({
      a: 2,
    });
    expect(other.seen).toMatchObject([{ method: "GET", url: "/y", body: "" }]);
    for (const name of ["authorization", "cookie", "content-type"])
      expect(other.seen[0]?.headers).not.toHaveProperty(name);
  });

  test("is not followed with a key in a header, nor through another fetch", async () => {
    const other = await serve();
    const { url } = await moving(307, `${other.url}/y`);
    const authorize = apiKeyAuth({ in: "header", name: "X-Key" }, "k3y");
    const fetch = withRetry({ maxAttempts: 2, baseDelayMs: 1 });
    for (const options of [{ authorize }, { fetch }])
      expect(
        await errorOf(callOperation(createBaseClient({ baseUrl: url, ...options }), create, { body })),
      ).toMatchObject({
        code: "network",
      });
    expect(other.seen).toEqual([]);
  });
});

describe("a redirect within the origin", () => {
  test.each([307, 308])("by %d is followed with the same body", async (status) => {
    const { url, seen } = await moving(status, "/y");
    expect(await callOperation(createBaseClient({ baseUrl: url, token: "t0k" }), create, { body })).toEqual({ a: 1 });
    expect(seen.map((each) => [each.method, each.url, each.body, each.headers.authorization])).toEqual([
      ["POST", "/x", JSON.stringify(body), "Bearer t0k"],
      ["POST", "/y", JSON.stringify(body), "Bearer t0k"],
    ]);
  });

  test.each([301, 302, 303])("by %d of a POST is followed by GET, with the credentials", async (status) => {
    const { url, seen } = await moving(status, "/y");
    expect(await callOperation(createBaseClient({ baseUrl: url, token: "t0k" }), create, { body })).toEqual({ a: 1 });
    expect(seen[1]).toMatchObject({ method: "GET", url: "/y", body: "", headers: { authorization: "Bearer t0k" } });
  });

  test("is followed at most twenty times", async () => {
    const { url, seen } = await moving(307, "/x");
    expect(await errorOf(callOperation(createBaseClient({ baseUrl: url }), create, { body }))).toMatchObject({
      code: "network",
    });
    expect(seen).toHaveLength(21);
  });

  test("is not followed with a stream, which can be read once", async () => {
    const { url, seen } = await moving(307, "/y");
    const stream = new Blob(["data"]).stream();
    const sending = callOperation(
      createBaseClient({ baseUrl: url }),
      { ...create, encoders: [rawBody("text/plain")] },
      { body: stream },
    );
    expect(await errorOf(sending)).toMatchObject({ code: "network" });
    expect(seen).toHaveLength(1);
  });
});
