import { expect, test } from "vitest";
import { readInstant } from "./instant.js";

test.each([
  ["2026-01-01", 1_767_225_600],
  ["2023-06-30T23:59:59Z", 1_688_169_599],
  ["2028-02-29", 1_835_395_200],
])("%s is %i seconds", (text, seconds) => {
  expect(readInstant(text)).toEqual({ text, seconds });
});

test.each([
  "2027-02-29",
  "2027-02-30",
  "2027-13-01",
  "2027-06-30T24:00:00Z",
  "2027-06-30T12:00:00+02:00",
  "soon",
  "2027-6-3",
  undefined,
])("%j is not a date", (text) => {
  expect(readInstant(text)).toBeUndefined();
});
