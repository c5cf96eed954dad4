import { describe, expect, test } from "vitest";
import {
  createBaseClient,
  defineOperation,
  pathEncoder,
  simpleStyle,
  type ApiPromise,
  type CallOptions,
  type Client,
  type RequestArguments,
} from "./index.js";

type AnyOperation = (client: Client, request?: RequestArguments, options?: CallOptions) => ApiPromise<unknown, unknown>;

/** A `fetch` that keeps what it gets, and responds with JSON. */
function recording() {
  const seen: { readonly url: string; readonly operation: unknown }[] = [];
  const fetch: CallOptions["fetch"] = async (url, { operation }) => {
    seen.push({ url, operation });
    return Response.json({});
  };
  return { seen, fetch };
}

describe("the function of an operation", () => {
  test("fills each parameter of its path, for each of its calls", async () => {
    const { seen, fetch } = recording();
    const client = createBaseClient({ baseUrl: "https://api.example/v4/", fetch });
    const read: AnyOperation = defineOperation("GET", "/a/{x}/b{y}.c", [], {
      pathEncoder: pathEncoder({ y: simpleStyle }),
    });
    await read(client, { path: { x: "1 2", y: [3, 4] } });
    await read(client, { path: { x: true, y: "$&" } });
    expect(seen.map(({ url }) => url)).toEqual([
      "https://api.example/v4/a/1%202/b3,4.c",
      "https://api.example/v4/a/true/b%24%26.c",
    ]);
  });

  test("passes its operation to `fetch`", async () => {
    const { seen, fetch } = recording();
    const read: AnyOperation = defineOperation("GET", "/x", [], { public: true });
    await read(createBaseClient({ baseUrl: "https://api.example", fetch }));
    expect(seen).toEqual([{ url: "https://api.example/x", operation: { method: "GET", path: "/x", public: true } }]);
  });

  test("belongs to no client: calls with several base URLs do not mix them", async () => {
    const { seen, fetch } = recording();
    const read: AnyOperation = defineOperation("GET", "/x");
    const [one, other] = ["https://one.example", "https://other.example/v2?a=1"].map((baseUrl) =>
      createBaseClient({ baseUrl, fetch }),
    ) as [Client, Client];
    await Promise.all([read(one), read(other), read(one)]);
    await expect(read(one, {}, { baseUrl: "ftp://three.example" })).rejects.toMatchObject({
      code: "request",
      url: "/x",
    });
    await expect(read(one, {}, { baseUrl: "ftp://three.example" })).rejects.toMatchObject({
      code: "request",
      url: "/x",
    });
    await read(other);
    expect(seen.map(({ url }) => url)).toEqual([
      "https://one.example/x",
      "https://other.example/v2/x?a=1",
      "https://one.example/x",
      "https://other.example/v2/x?a=1",
    ]);
  });
});
