import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deadlineOf, formatRateHeaders, retryAfterSeconds } from "./limits.js";

beforeAll(() => vi.stubEnv("TZ", "America/New_York"));
afterAll(() => vi.unstubAllEnvs());

const tally = { isAllowed: true, remaining: 7, resetAt: 1_000_001 };

test("headers have the limit, the remaining requests, and the second from which one more is allowed", () => {
  expect(formatRateHeaders(tally, { max: 10 })).toEqual({ limit: 10, remaining: 7, reset: 1001 });
  expect(formatRateHeaders({ ...tally, resetAt: 1_000_000 }, { max: 10 })).toEqual({
    limit: 10,
    remaining: 7,
    reset: 1000,
  });
});

test.each([
  [999_001, 1],
  [999_000, 2],
  [1_000_001, 1],
  [1_000_002, 1],
])("at %d a request waits %d seconds until 1000001", (now, seconds) => {
  expect(retryAfterSeconds(tally, now)).toBe(seconds);
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
