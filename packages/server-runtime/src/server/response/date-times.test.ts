import { describe, expect, test } from "vitest";
import { serializeDate, serializeDateTime } from "./date-times.js";
import { UnexpectedStructureError } from "./serializers.js";

describe("a point in time", () => {
  test.each([
    ["2024-01-31T23:59:59Z", "2024-01-31T23:59:59Z"],
    ["2024-01-31T23:59:59.123456Z", "2024-01-31T23:59:59.123456Z"],
    ["2024-01-31T23:59:59", "2024-01-31T23:59:59Z"],
    ["2024-01-31 23:59:59.123456", "2024-01-31T23:59:59.123456Z"],
    ["2024-01-31T23:59", "2024-01-31T23:59:00Z"],
    ["2024-01-31t23:59:59z", "2024-01-31T23:59:59Z"],
    ["2024-02-29T00:30:00+01:00", "2024-02-28T23:30:00Z"],
    ["2024-12-31T23:30:00-00:30", "2025-01-01T00:00:00Z"],
    ["2024-01-01 05:30:00.5+0530", "2024-01-01T00:00:00.5Z"],
    ["2024-01-01 02:00:00+02", "2024-01-01T00:00:00Z"],
    ["1990-12-31T15:59:60-08:00", "1990-12-31T23:59:60Z"],
    ["0001-01-01T00:00:00+00:00", "0001-01-01T00:00:00Z"],
    ["2024-13-01T00:00:00", "2024-13-01T00:00:00"],
    ["yesterday", "yesterday"],
    ["", ""],
    [new Date(1_704_067_200_000), "2024-01-01T00:00:00.000Z"],
    [new Date(Number.NaN), null],
    [null, null],
    [undefined, undefined],
    [5, 5],
  ])("%j is sent as %j", (given, sent) => {
    expect(serializeDateTime(given)).toBe(sent);
  });

  test("accepts no object except one that JSON writes as a text", () => {
    expect(serializeDateTime({ toJSON: () => "2024-01-01T01:00:00+01:00" })).toBe("2024-01-01T00:00:00Z");
    expect(() => serializeDateTime({ hash: "a" })).toThrow(UnexpectedStructureError);
  });
});

test.each([
  [new Date("2024-01-31T23:59:59.999Z"), "2024-01-31"],
  [new Date(Number.NaN), null],
  ["2024-01-31", "2024-01-31"],
  [null, null],
])("the day %j is sent as %j", (given, sent) => {
  expect(serializeDate(given)).toBe(sent);
});
