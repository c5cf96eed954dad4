import { expect, it } from "vitest";
import type { RateLimitStore } from "../rate-limits/limits.js";
import { describeApi, createTestServer } from "../test-server.support.js";
import { OperationError } from "./errors.js";
import { isUnavailable, UnavailableError } from "./unavailable-error.js";

const global = [{ kind: "rate", id: "global", max: 9, windowSeconds: 60 }] as const;
const body = '{"errors":[{"reason":"Service unavailable"}]}';
const gone = (): never => {
  throw new UnavailableError("the database is gone");
};
const goneLater = async (): Promise<never> => gone();
const limitStore: RateLimitStore = { consume: goneLater };

it.each([
  ["tokens are looked up", {}, { authenticate: { bearer: gone } }],
  ["tokens are looked up later", {}, { authenticate: { bearer: goneLater } }],
  ["rates are counted", {}, { limits: { store: limitStore, global } }],
  ["a transaction begins", {}, { transaction: goneLater }],
  ["a handler runs", { listHouses: gone }, {}],
])("the server responds with 503 and logs a warning if a store fails while %s", async (_, handlers, options) => {
  const { ask, log } = createTestServer(describeApi({ lines: { listHouses: "GET /houses" } }), handlers, options);
  const response = await ask("GET /v1/houses");
  expect([response.status, response.headers["retry-after"], response.text]).toEqual([503, "5", body]);
  expect(log).toMatchObject([
    { level: "warn", message: "the database is gone", requestId: "r", operation: "listHouses" },
  ]);
});

it("the response is the description's own error, with Retry-After", async () => {
  const down = { status: 503, reason: "Back soon", retry: true } as const;
  const api = describeApi({
    lines: { listHouses: "GET /houses" },
    known: { down },
    sharedErrors: { down },
    sharedErrorByStatus: { 503: "down" },
  });
  const { ask } = createTestServer(api, { listHouses: gone });
  const { status, headers, text } = await ask("GET /v1/houses");
  expect([status, headers["retry-after"], text]).toEqual([503, "5", '{"errors":[{"reason":"Back soon"}]}']);
});

it("the error may state when to retry", async () => {
  const { ask } = createTestServer(describeApi({ lines: { listHouses: "GET /houses" } }), {
    listHouses: () => {
      throw new UnavailableError("busy", { retryAfterSeconds: 30, cause: new Error("ECONNREFUSED") });
    },
  });
  expect((await ask("GET /v1/houses")).headers["retry-after"]).toBe("30");
});

it("another error is a 500 as before", async () => {
  const { ask, log } = createTestServer(describeApi({ lines: { listHouses: "GET /houses" } }), {
    listHouses: () => {
      throw new Error("a bug");
    },
  });
  expect((await ask("GET /v1/houses")).status).toBe(500);
  expect(log).toMatchObject([{ level: "error", message: "a bug" }]);
});

it("isUnavailable recognizes errors of another copy of the package by their code", () => {
  expect(isUnavailable(Object.assign(new Error("gone"), { code: "plumbline/unavailable" }))).toBe(true);
  for (const other of [new Error("gone"), new OperationError("gone"), { code: "plumbline/unavailable" }, undefined])
    expect(isUnavailable(other)).toBe(false);
});
