import { scenarios, suite } from "@cloud-compute/conformance";
import { describe, expect, onTestFinished, test } from "vitest";
import { faults } from "./faults/all.js";
import { rightWhenEmpty, runCanned } from "./faults/canned.js";
import { classes } from "./faults/classes.js";
import { startFaulty } from "./faults/faulty.js";
import { shortfalls, sumOf } from "./faults/judging.js";
import { runMatrix } from "./faults/matrix.js";
import { printed } from "./faults/printing.js";
import { oneOfEachClass } from "./faults/sampling.js";

describe("the conformance suite", () => {
  test("finds a fault of each class, and nothing without a fault", { timeout: 600_000 }, async () => {
    const chosen = oneOfEachClass(faults, suite);
    const matrix = await runMatrix({ suite, scenarios, faults: chosen, seed: 1, atOnce: 2 });
    const alarms = matrix.alarms.map(({ id }) => id);
    expect(shortfalls(sumOf(matrix.outcomes), alarms), printed(matrix, classes)).toEqual([]);
  });

  test(
    "passes hardly any case of a server that always answers 200 with an empty object",
    { timeout: 300_000 },
    async () => {
      const service = await startFaulty(undefined, new Map());
      onTestFinished(() => service.close());
      const results = await runCanned(suite, { cases: suite.cases, service });
      const passed = results.filter(({ status }) => status === "pass").map((each) => each.case);
      expect(results.length).toBe(suite.cases.length);
      expect(passed.length).toBeLessThanOrEqual(0.05 * results.length);
      expect(passed.filter(({ operation }) => !rightWhenEmpty.includes(operation)).map(({ id }) => id)).toEqual([]);
    },
  );
});
