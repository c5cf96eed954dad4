import { expect, expectTypeOf, test } from "vitest";
import {
  asStream,
  callOperation,
  createBaseClient,
  toResult,
  withResponse,
  type ApiError,
  type ApiPromise,
  type ResponseHeaders,
  type SuccessResponse,
} from "./index.js";
import { sendJson, serve } from "./loopback.support.js";

interface Report {
  readonly rows: number;
}
interface Job {
  readonly job: string;
}
type Headers200 = ResponseHeaders<"X-Request-Id", "X-RateLimit-Remaining">;
type Success = SuccessResponse<200, Report, Headers200> | SuccessResponse<202, Job>;

function makeReport(baseUrl: string): ApiPromise<Report | Job, ApiError<404>, Success> {
  return callOperation(createBaseClient({ baseUrl }), { method: "POST", path: "/reports" });
}

test("a call has its status and its headers beside the data", async () => {
  const { url } = await serve(sendJson({ rows: 3 }, 200, { "X-Request-Id": "r-1" }));
  const made = await withResponse(makeReport(url));
  expect(made.status).toBe(200);
  expect(made.headers.get("x-request-id")).toBe("r-1");
  expect(made.data).toEqual({ rows: 3 });
});

test("the status decides on the data and on the headers", async () => {
  const { url } = await serve(sendJson({ job: "j-1" }, 202));
  const made = await withResponse(makeReport(url));
  expect(made.status === 202 && made.data.job).toBe("j-1");
  if (made.status === 202) expectTypeOf(made.data).toEqualTypeOf<Job>();
  else {
    expectTypeOf(made.data).toEqualTypeOf<Report>();
    expectTypeOf(made.headers.get("X-Request-Id")).toEqualTypeOf<string>();
    expectTypeOf(made.headers.get("X-RateLimit-Remaining")).toEqualTypeOf<string | null>();
    expectTypeOf(made.headers.get("X-Other")).toEqualTypeOf<string | null>();
    expectTypeOf(made.headers).toExtend<Headers>();
  }
});

test("errors stay those of the call", async () => {
  const { url } = await serve(sendJson({ errors: [] }, 404));
  await expect(withResponse(makeReport(url))).rejects.toMatchObject({ status: 404 });
  const result = await toResult(withResponse(makeReport(url)));
  expect(!result.ok && result.error.status).toBe(404);
  if (result.ok) expectTypeOf(result.data).toEqualTypeOf<Success>();
});

test("a stream has its status before its body ends", async () => {
  const { url } = await serve((response) => {
    response.statusCode = 206;
    response.write("begin");
  });
  const pending: ApiPromise<ReadableStream<Uint8Array>, ApiError> = callOperation(createBaseClient({ baseUrl: url }), {
    method: "GET",
    path: "/log",
    decoder: asStream,
  });
  const { status, data } = await withResponse(pending);
  expect(status).toBe(206);
  await data.cancel();
});

test("a promise derived from a call has no response", async () => {
  const { url } = await serve(sendJson({ rows: 1 }));
  const derived = makeReport(url).then((data) => data);
  await expect(withResponse(derived)).rejects.toThrow("needs the promise that a call returned");
});
