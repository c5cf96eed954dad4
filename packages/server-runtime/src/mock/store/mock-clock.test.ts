import { expect, test } from "vitest";
import { durationMs, formatTime, MockClock } from "./mock-clock.js";

test("a clock runs with its base, and only forward", () => {
  let base = 1000;
  const clock = new MockClock(() => base);
  clock.advance(500);
  clock.advance(-200);
  base += 1;
  expect(clock.now()).toBe(1501);
});

test.each([
  ["PT30S", 30_000],
  ["PT1.5S", 1500],
  ["P1DT2H3M", 93_780_000],
  ["P2W", 1_209_600_000],
])("%s has %i milliseconds", (text, milliseconds) => {
  expect(durationMs(text)).toBe(milliseconds);
});

test.each(["30", "P", "PT", "P1M", "PT1", "-PT1S"])("%s is rejected", (text) => {
  expect(() => durationMs(text)).toThrow(TypeError);
});

test("times have whole seconds, in UTC", () => {
  expect(formatTime(Date.UTC(2026, 10, 27, 8, 9, 10, 999))).toBe("2026-11-27T08:09:10Z");
});
