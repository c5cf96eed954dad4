import { expect, test } from "vitest";
import { steadyTime } from "./steady-time.js";

const hour = 3_600_000;
const start = Date.UTC(2030, 0, 1);

/** A steady time on clocks that the test moves. */
function clocks(): {
  readonly now: () => number;
  pass(by: number): void;
  set(by: number): void;
  sleep(by: number): void;
} {
  let [wall, elapsed] = [start, 12.75];
  return {
    now: steadyTime({ wall: () => wall, elapsed: () => elapsed }),
    pass: (by) => {
      wall += by;
      elapsed += by;
    },
    set: (by) => (wall += by),
    sleep: (by) => (wall += by),
  };
}

test("is the machine's time, in whole milliseconds", () => {
  const { now, pass } = clocks();
  expect(now()).toBe(start);
  pass(1.5);
  expect(now()).toBe(start + 1);
  const before = Date.now();
  const real = steadyTime()();
  // Rounded down to a millisecond.
  expect(real).toBeGreaterThanOrEqual(before - 1);
  expect(real).toBeLessThanOrEqual(Date.now());
});

test("continues at the same speed when the machine's clock is set back, and when it is corrected", () => {
  const { now, pass, set } = clocks();
  now();
  set(-hour);
  expect(now()).toBe(start);
  pass(1000);
  expect(now()).toBe(start + 1000);
  set(hour);
  pass(1000);
  expect(now()).toBe(start + 2000);
});

test("follows a clock that is set forward, and a machine that slept", () => {
  const { now, pass, set, sleep } = clocks();
  now();
  set(hour);
  expect(now()).toBe(start + hour);
  pass(1000);
  sleep(hour);
  expect(now()).toBe(start + 2 * hour + 1000);
});
