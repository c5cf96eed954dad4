import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deadlineOf, formatRateHeaders, retryAfterSeconds } from "./limits.js";

beforeAll(() => vi.stubEnv("TZ", "America/New_York"));
afterAll(() => vi.unstubAllEnvs());

const limit = { kind: "rate", id: "reads", max: 10, windowSeconds: 30 } as const;
const result = { isAllowed: true, remaining: 7, resetAt: 1_000_001 };

test.each([
  [1_000_001, 999_001, { reset: "1001", rateLimit: '"reads";r=7;t=1' }],
  [1_000_000, 970_000, { reset: "1000", rateLimit: '"reads";r=7;t=30' }],
  [1_000_000, 1_000_500, { reset: "1000", rateLimit: '"reads";r=7;t=0' }],
])("headers of a rate whose window ends at %d, at %d", (resetAt, now, values) => {
  expect(formatRateHeaders({ limit, result: { ...result, resetAt }, now })).toEqual({
    limit: "10",
    remaining: "7",
    rateLimitPolicy: '"reads";q=10;w=30',
    ...values,
  });
});

test.each([
  [999_001, 1],
  [999_000, 2],
  [1_000_001, 1],
  [1_000_002, 1],
])("at %d a request waits %d seconds until 1000001", (now, seconds) => {
  expect(retryAfterSeconds({ result, now })).toBe(seconds);
});

const day = { windowSeconds: 86_400 };

test.each([
  ["a date", new Date("2024-02-28T12:00:00Z")],
  ["milliseconds", Date.UTC(2024, 1, 28, 12)],
  ["a date-time", "2024-02-28T12:00:00Z"],
  ["a date-time of another zone", "2024-02-28T10:00:00-02:00"],
  ["a date-time without a zone", "2024-02-28T12:00:00"],
])("a time limit starts at %s", (_, from) => {
  expect(deadlineOf(day, from).toISOString()).toBe("2024-02-29T12:00:00.000Z");
});

test("an invalid time has no deadline", () => {
  expect(() => deadlineOf(day, "soon")).toThrow(
    new RangeError("soon is not a valid point in time. Pass a Date, milliseconds since 1970 or an ISO 8601 text."),
  );
  expect(() => deadlineOf(day, 8.64e15)).toThrow(RangeError);
  expect(deadlineOf(day, 8.64e15 - 86_400_000).getTime()).toBe(8.64e15);
});
