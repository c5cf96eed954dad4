import { describe, expect, expectTypeOf, test } from "vitest";
import {
  callOperation,
  createBaseClient,
  defineOperation,
  encodeHeaders,
  isApiError,
  jsonBody,
  encodeQuery,
  type ApiError,
  type CallOptions,
  type Client,
  type ApiPromise,
} from "./index.js";
import { errorOf, sendJson, serve } from "./loopback.support.js";

interface Instance {
  readonly id: number;
  readonly label: string;
}
interface Errors {
  readonly errors: readonly { readonly field?: string; readonly reason: string }[];
}
type CreateInstanceFailure = ApiError<400, Errors> | ApiError<401, Errors>;
interface CreateInstanceRequest {
  readonly body: { readonly label: string; readonly tags?: readonly string[] | undefined };
}
interface ListInstancesRequest {
  readonly query?: { readonly page?: number; readonly page_size?: number };
  readonly headers?: { readonly "X-Filter"?: string };
}

// As generated code has them.
const createInstance: (
  client: Client,
  request: CreateInstanceRequest,
  options?: CallOptions,
) => ApiPromise<Instance, CreateInstanceFailure> = defineOperation("POST", "/compute/instances", [jsonBody]);
const listInstances: (
  client: Client,
  request?: ListInstancesRequest,
  options?: CallOptions,
) => ApiPromise<{ data: readonly Instance[] }, ApiError<401, Errors>> = defineOperation("GET", "/compute/instances", [
  encodeQuery,
  encodeHeaders,
]);

describe("a call", () => {
  test("sends the arguments and returns the response", async () => {
    const { url, seen } = await serve(sendJson({ id: 5, label: "web" }));
    const client = createBaseClient({ baseUrl: `${url}/v4`, token: "secret" });
    const instance = await createInstance(client, { body: { label: "web", tags: undefined } });
    expect(instance).toEqual({ id: 5, label: "web" });
    expect(seen[0]).toEqual({
      method: "POST",
      url: "/v4/compute/instances",
      headers: {
        accept: "application/json, */*;q=0.5",
        "accept-encoding": "gzip, deflate",
        "accept-language": "*",
        authorization: "Bearer secret",
        connection: "keep-alive",
        "content-length": "15",
        "content-type": "application/json",
        host: new URL(url).host,
        "sec-fetch-mode": "cors",
        "user-agent": "node",
      },
      body: '{"label":"web"}',
    });
  });

  test("needs no request if all its parts are optional", async () => {
    const { url, seen } = await serve(sendJson({ data: [] }));
    await listInstances(createBaseClient({ baseUrl: url }));
    await listInstances(createBaseClient({ baseUrl: url }), {
      query: { page: 2 },
      headers: { "X-Filter": '{"label":"web"}' },
    });
    expect(seen.map((each) => [each.url, each.headers["x-filter"], each.headers["content-type"], each.body])).toEqual([
      ["/compute/instances", undefined, undefined, ""],
      ["/compute/instances?page=2", '{"label":"web"}', undefined, ""],
    ]);
  });

  test("fails with the entries of the error response", async () => {
    const { url } = await serve(
      sendJson({ errors: [{ field: "label", reason: "too short" }, { reason: "no" }] }, 400, { "X-Request-Id": "r1" }),
    );
    const error = await errorOf(createInstance(createBaseClient({ baseUrl: url }), { body: { label: "w" } }));
    expect(isApiError(error) && { ...error, body: error.body, message: error.message }).toEqual({
      message: `POST ${url}/compute/instances: 400 too short (label); no`,
      code: "http",
      status: 400,
      body: { errors: [{ field: "label", reason: "too short" }, { reason: "no" }] },
      errors: [{ field: "label", reason: "too short" }, { reason: "no" }],
      requestId: "r1",
      method: "POST",
      url: `${url}/compute/instances`,
    });
  });

  test("sends JSON's null for a null body, and no body for undefined", async () => {
    const { url, seen } = await serve();
    const client = createBaseClient({ baseUrl: url });
    await callOperation(client, { method: "POST", path: "/", encoders: [jsonBody] }, { body: null });
    await callOperation(client, { method: "POST", path: "/", encoders: [jsonBody] }, { body: undefined });
    expect(seen.map((each) => [each.body, each.headers["content-type"]])).toEqual([
      ["null", "application/json"],
      ["", undefined],
    ]);
  });

  test("is a promise whose type has its error", () => {
    expectTypeOf<ApiPromise<Instance, CreateInstanceFailure>>().toExtend<Promise<Instance>>();
    expectTypeOf<Promise<Instance>>().toExtend<ApiPromise<Instance, CreateInstanceFailure>>();
    expectTypeOf<ApiPromise<Instance, ApiError<400>>>().not.toExtend<ApiPromise<Instance, ApiError<404>>>();
    expectTypeOf<Awaited<ReturnType<typeof createInstance>>>().toEqualTypeOf<Instance>();
    expectTypeOf(createInstance).parameter(1).toEqualTypeOf<CreateInstanceRequest>();
  });
});

describe("a body that JSON cannot represent", () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  test.each([
    ["a bigint", { size: 10n }, "BigInt"],
    ["a circle", circular, "circular"],
  ])("fails before anything is sent: %s", async (_, body, reason) => {
    const { url, seen } = await serve();
    const error = await errorOf(
      callOperation(createBaseClient({ baseUrl: url }), { method: "POST", path: "/x", encoders: [jsonBody] }, { body }),
    );
    expect(error.cause).toBeUndefined();
    expect(error).toMatchObject({
      code: "request",
      status: 0,
      url: `${url}/x`,
      message: expect.stringContaining(reason),
    });
    expect(seen).toEqual([]);
  });
});
