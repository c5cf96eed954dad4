import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asDate } from "./as-date.js";
import { asInstant, asPlainDate } from "./temporal.js";

describe("a Date", () => {
  test.each([
    ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59.000Z"],
    ["2024-01-01t00:00:00.5z", "2024-01-01T00:00:00.500Z"],
    ["2024-01-01T00:00:00.123999999Z", "2024-01-01T00:00:00.123Z"],
    ["1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"],
    ["2024-01-01T00:00:00+05:45", "2023-12-31T18:15:00.000Z"],
    ["2024-01-01T00:00:00-00:00", "2024-01-01T00:00:00.000Z"],
    ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"],
    ["2017-01-01T05:44:60+05:45", "2016-12-31T23:59:59.000Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
    ["0050-01-01T00:00:00Z", "0050-01-01T00:00:00.000Z"],
  ])("of %s is %s", (text, expected) => {
    expect((asDate.decode(text, undefined) as Date).toISOString()).toBe(expected);
  });

  test.each([
    "2023-02-29T00:00:00Z",
    "2024-13-01T00:00:00Z",
    "2024-01-32T00:00:00Z",
    "2024-00-01T00:00:00Z",
    "2024-01-01T24:00:00Z",
    "2024-01-01T00:60:00Z",
    "2024-01-01T00:00:61Z",
    "2024-01-01T12:59:60Z",
    "2024-01-01T00:00:00",
    "2024-01-01 00:00:00Z",
    "2024-01-01T00:00:00+24:00",
    "2024-01-01T00:00:00+0100",
    "2024-01-01T00:00Z",
    "+002024-01-01T00:00:00Z",
    "2024-01-01T00:00:00Z\n",
    "２024-01-01T00:00:00Z",
    "2024-01-01",
    "",
  ])("of %j is an error", (text) => {
    expect(() => asDate.decode(text, undefined)).toThrow("is not a date-time of RFC 3339");
    expect(() => asDate.encode(text)).toThrow("is not a date-time of RFC 3339");
  });

  test("of another context is one, and other values stay", () => {
    expect(asDate.encode(runInNewContext("new Date(5)"))).toBe("1970-01-01T00:00:00.005Z");
    for (const value of [5, null, true, undefined]) {
      expect(asDate.decode(value, undefined)).toBe(value);
      expect(asDate.encode(value)).toBe(value);
    }
  });
});

// Node 20 has Temporal behind a flag. A new context gets what the flags say.
setFlagsFromString("--harmony-temporal");
const temporal: unknown = runInNewContext("globalThis.Temporal");

describe.skipIf(temporal === undefined)("with Temporal", () => {
  const own = globalThis as { Temporal?: unknown };
  const before = own.Temporal;
  beforeAll(() => {
    own.Temporal = temporal;
  });
  afterAll(() => {
    if (before === undefined) delete own.Temporal;
    else own.Temporal = before;
  });

  test.each([
    ["2024-01-01T00:00:00.123456789Z", "2024-01-01T00:00:00.123456789Z"],
    ["2024-01-01t00:00:00.1234567899+01:00", "2023-12-31T23:00:00.123456789Z"],
    ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"],
  ])("an instant of %s is %s", (text, expected) => {
    const instant = asInstant.decode(text, undefined);
    expect(Object.prototype.toString.call(instant)).toBe("[object Temporal.Instant]");
    expect(asInstant.encode(instant)).toBe(expected);
  });

  test("a date of a day is one", () => {
    const day = asPlainDate.decode("2024-02-29", undefined);
    expect(Object.prototype.toString.call(day)).toBe("[object Temporal.PlainDate]");
    expect(asPlainDate.encode(day)).toBe("2024-02-29");
    expect(() => asPlainDate.decode("2023-02-29", undefined)).toThrow("is not a date of RFC 3339");
    expect(() => asPlainDate.decode("2024-02-29T00:00:00Z", undefined)).toThrow("is not a date of RFC 3339");
  });
});

test.skipIf("Temporal" in globalThis)("without Temporal, an error says what is missing", () => {
  expect(() => asInstant.decode("2024-01-01T00:00:00Z", undefined)).toThrow("import a polyfill");
});
