import { expect, expectTypeOf, test } from "vitest";
import {
  callOperation,
  createBaseClient,
  toResult,
  type ApiError,
  type CallError,
  type UndocumentedStatus,
  type ApiPromise,
  type StatusInRange,
} from "./index.js";
import { sendJson, serve } from "./loopback.support.js";

interface Instance {
  readonly label: string;
}
interface Errors {
  readonly errors: readonly { readonly reason: string }[];
}
interface Missing {
  readonly missing: true;
}

function getInstance(
  baseUrl: string,
  options = {},
): ApiPromise<Instance, ApiError<400, Errors> | ApiError<404, Missing>> {
  return callOperation(createBaseClient({ baseUrl, ...options }), { method: "GET", path: "/x" });
}

test("a success is its data", async () => {
  const { url } = await serve(sendJson({ label: "web" }));
  const result = await toResult(getInstance(url));
  expect(result).toEqual({ ok: true, data: { label: "web" } });
  if (result.ok) {
    expectTypeOf(result.data).toEqualTypeOf<Instance>();
    expectTypeOf(result).not.toHaveProperty("error");
  }
});

test("an error narrows by status to its body", async () => {
  const { url } = await serve(sendJson({ missing: true }, 404));
  const result = await toResult(getInstance(url));
  if (result.ok) throw new Error("did not fail");
  const { error } = result;
  expect(error).toMatchObject({ code: "http", status: 404 });
  if (error.status === 404) {
    expect(error.body.missing).toBe(true);
    expectTypeOf(error).toEqualTypeOf<ApiError<404, Missing>>();
    expectTypeOf(error.body).toEqualTypeOf<Missing>();
  } else if (error.status === 400) expectTypeOf(error.body).toEqualTypeOf<Errors>();
  else if (error.status === 0) expectTypeOf(error.body).toEqualTypeOf<undefined>();
  else expectTypeOf(error).toEqualTypeOf<ApiError<UndocumentedStatus<400 | 404>, unknown>>();
  switch (error.status) {
    case 400:
      expectTypeOf(error.body).toEqualTypeOf<Errors>();
      break;
    case 404:
      expectTypeOf(error.body).toEqualTypeOf<Missing>();
      break;
    default:
      expectTypeOf(error).toEqualTypeOf<ApiError<0, undefined> | ApiError<UndocumentedStatus<400 | 404>, unknown>>();
  }
});

test("an undocumented status, such as a proxy's, can be compared and has an unknown body", async () => {
  const { url } = await serve(sendJson("down", 502));
  const result = await toResult(getInstance(url));
  if (result.ok || result.error.status !== 502) throw new Error("did not fail with 502");
  expect(result.error.body).toBe("down");
  expectTypeOf(result.error.body).toEqualTypeOf<unknown>();
});

test("types have every status once", () => {
  expectTypeOf<100 | 299 | 599>().toExtend<UndocumentedStatus>();
  expectTypeOf<99 | 600>().not.toExtend<UndocumentedStatus>();
  expectTypeOf<404>().not.toExtend<UndocumentedStatus<404>>();
  expectTypeOf<400 | 499>().toExtend<StatusInRange<"4XX">>();
  expectTypeOf<399>().not.toExtend<StatusInRange<"4XX">>();
  expectTypeOf<500>().not.toExtend<StatusInRange<"4XX">>();
  expectTypeOf<StatusInRange<"4XX"> & UndocumentedStatus<StatusInRange<"4XX">>>().toBeNever();
  // A `default` response documents the rest, and an untyped error all.
  expectTypeOf<CallError<ApiError<404, 1> | ApiError<UndocumentedStatus<404>, 2>>>().toEqualTypeOf<
    ApiError<0, undefined> | ApiError<404, 1> | ApiError<UndocumentedStatus<404>, 2>
  >();
  // A range documents only its own statuses, at either end.
  type Within<Range extends "1XX" | "5XX"> = CallError<ApiError<StatusInRange<Range>>>;
  expectTypeOf<ApiError<404>>().toExtend<Within<"1XX">>();
  expectTypeOf<ApiError<404>>().toExtend<Within<"5XX">>();
  expectTypeOf<CallError<ApiError>>().toEqualTypeOf<ApiError | ApiError<0, undefined>>();
});

test("no response is an error of status 0", async () => {
  const result = await toResult(getInstance("http://127.0.0.1:2"));
  expect(result.ok ? undefined : [result.error.code, result.error.status, result.error.body]).toEqual([
    "network",
    0,
    undefined,
  ]);
});

test("exceptions of hooks pass unchanged", async () => {
  const reason = new RangeError("a bug");
  const onRequest = () => {
    throw reason;
  };
  await expect(toResult(getInstance("http://127.0.0.1:2", { onRequest }))).rejects.toBe(reason);
});

test("any promise works", async () => {
  const result = await toResult(Promise.resolve(5));
  expect(result).toEqual({ ok: true, data: 5 });
  if (!result.ok)
    expectTypeOf(result.error).toEqualTypeOf<ApiError<0, undefined> | ApiError<UndocumentedStatus, unknown>>();
});
