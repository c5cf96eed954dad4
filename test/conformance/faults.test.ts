import { scenarios, suite } from "@cloud-compute/conformance";
import type { Step } from "@plumbline/conformance-runtime";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { allFaults } from "../faults/all-faults.js";
import { faultClasses } from "../faults/classes.js";
import { operationsWithEmptyResponse, runAgainstEmptyResponses } from "../faults/empty-responses.js";
import type { Fault } from "../faults/fault.js";
import { findFaults } from "../faults/find-faults.js";
import { formatMatrix } from "../faults/format-matrix.js";
import { casesForFault, shortfalls, sumOutcomes } from "../faults/outcomes.js";
import { oneOfEachClass } from "../faults/sample-faults.js";
import { startServiceProcess, type ServiceProcess } from "../faults/services.js";

let services: ServiceProcess;
beforeAll(() => {
  services = startServiceProcess();
});
afterAll(() => services.close());

describe("the conformance suite", () => {
  test("finds a fault of each class, by cases that pass without it", async () => {
    const chosen = oneOfEachClass(allFaults, suite);
    expect(chosen.map((fault) => String(fault.class))).toEqual(Object.keys(faultClasses));
    const matrix = await findFaults({ suite, scenarios, faults: chosen, seed: 1, concurrency: 2, services });
    const alarms = matrix.alarms.map(({ id }) => id);
    expect(shortfalls(sumOutcomes(matrix.outcomes), alarms), formatMatrix(matrix, faultClasses)).toEqual([]);
  });

  test("does not find a fault that changes nothing", async () => {
    const none: Fault = {
      id: "none/getPreferences",
      class: 1,
      operation: "getPreferences",
      requirements: [],
      description: "it does as described",
      wire: {},
    };
    const { outcomes, alarms } = await findFaults({
      suite,
      scenarios,
      faults: [none],
      seed: 1,
      concurrency: 1,
      services,
    });
    expect({ found: outcomes.map(({ detected }) => detected), alarms }).toEqual({ found: [false], alarms: [] });
    expect(outcomes[0]?.cases).toBe(casesForFault(none, suite).length);
  });

  test("passes few cases of a server that always responds 200 with an empty object, and only correct ones", async () => {
    const service = await services.start([]);
    onTestFinished(() => service.close());
    const cases = suite.cases.filter((_, index) => index % 25 === 0);
    const results = await runAgainstEmptyResponses(suite, { cases, service });
    const passed = results.filter(({ status }) => status === "pass").map((each) => each.case);
    expect(
      passed.filter(({ operation }) => !operationsWithEmptyResponse.includes(operation)).map(({ id }) => id),
    ).toEqual([]);
    expect(results.filter(({ status }) => status === "fail").length).toBeGreaterThan(50);
  });

  test("has no case that expects nothing", () => {
    expect(suite.cases.filter(({ steps }) => !steps.some(expectsSomething)).map(({ id }) => id)).toEqual([]);
  });

  test("would have one if all of its steps were setup", () => {
    const call: Step = { call: "getDomain" };
    expect([call, { repeat: [call], times: 2 }].map(expectsSomething)).toEqual([true, true]);
    expect(
      [{ ...call, setup: true as const }, { repeat: [], times: 2 }, { advance: "PT1S" }].map(expectsSomething),
    ).toEqual([false, false, false]);
  });
});

/** Every call outside of the setup expects at least a documented success. */
function expectsSomething(step: Step): boolean {
  if ("repeat" in step) return step.repeat.some(expectsSomething);
  if ("call" in step) return step.setup !== true;
  return "check" in step || "parallel" in step || "code" in step || "frame" in step || "rejections" in step;
}
