import { scenarios, suite } from "@cloud-compute/conformance";
import { describe, expect, onTestFinished, test } from "vitest";
import { allFaults } from "../faults/all-faults.js";
import { faultClasses } from "../faults/classes.js";
import { operationsWithEmptyResponse, runAgainstEmptyResponses } from "../faults/empty-responses.js";
import { startFaultyService } from "../faults/faulty-service.js";
import { formatMatrix } from "../faults/format-matrix.js";
import { runMatrix } from "../faults/matrix.js";
import { shortfalls, sumOutcomes } from "../faults/outcomes.js";
import { oneOfEachClass } from "../faults/sample-faults.js";

describe("the conformance suite", () => {
  test("finds a fault of each class, and nothing without a fault", async () => {
    const chosen = oneOfEachClass(allFaults, suite);
    const matrix = await runMatrix({ suite, scenarios, faults: chosen, seed: 1, concurrency: 2 });
    const alarms = matrix.alarms.map(({ id }) => id);
    expect(shortfalls(sumOutcomes(matrix.outcomes), alarms), formatMatrix(matrix, faultClasses)).toEqual([]);
  });

  test("passes hardly any case of a server that always answers 200 with an empty object", async () => {
    const service = await startFaultyService(undefined, new Map());
    onTestFinished(() => service.close());
    const results = await runAgainstEmptyResponses(suite, { cases: suite.cases, service });
    const passed = results.filter(({ status }) => status === "pass").map((each) => each.case);
    expect(results.length).toBe(suite.cases.length);
    expect(passed.length).toBeLessThanOrEqual(0.05 * results.length);
    expect(
      passed.filter(({ operation }) => !operationsWithEmptyResponse.includes(operation)).map(({ id }) => id),
    ).toEqual([]);
  });
});
