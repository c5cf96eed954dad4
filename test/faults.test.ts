import type { Step } from "@plumbline/conformance-runtime";
import { scenarios, suite } from "@cloud-compute/conformance";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { faults } from "./faults/all.js";
import { rightWhenEmpty, runCanned } from "./faults/canned.js";
import { classes } from "./faults/classes.js";
import { findEach } from "./faults/finding.js";
import { casesFor, shortfalls, sumOf } from "./faults/judging.js";
import { printed } from "./faults/printing.js";
import { oneOfEachClass } from "./faults/sampling.js";
import { startProcess, type ServiceProcess } from "./faults/services.js";
import type { Fault } from "./faults/fault.js";

let services: ServiceProcess;
beforeAll(() => {
  services = startProcess();
});
afterAll(() => services.close());

describe("the conformance suite", () => {
  test("finds a fault of each class, by cases that pass without it", { timeout: 600_000 }, async () => {
    const chosen = oneOfEachClass(faults, suite);
    expect(chosen.map((fault) => String(fault.class))).toEqual(Object.keys(classes));
    const matrix = await findEach({ suite, scenarios, faults: chosen, seed: 1, atOnce: 2, services });
    const alarms = matrix.alarms.map(({ id }) => id);
    expect(shortfalls(sumOf(matrix.outcomes), alarms), printed(matrix, classes)).toEqual([]);
  });

  test("does not find a fault that changes nothing", async () => {
    const none: Fault = {
      id: "none/getPreferences",
      class: 1,
      operation: "getPreferences",
      requirements: [],
      says: "it does as described",
      wire: {},
    };
    const { outcomes, alarms } = await findEach({ suite, scenarios, faults: [none], seed: 1, atOnce: 1, services });
    expect({ found: outcomes.map(({ detected }) => detected), alarms }).toEqual({ found: [false], alarms: [] });
    expect(outcomes[0]?.cases).toBe(casesFor(none, suite).length);
  });

  test("passes few cases of a server that always responds 200 with an empty object, and only correct ones", async () => {
    const service = await services.start([]);
    onTestFinished(() => service.close());
    const cases = suite.cases.filter((_, index) => index % 10 === 0);
    const results = await runCanned(suite, { cases, service });
    const passed = results.filter(({ status }) => status === "pass").map((each) => each.case);
    expect(passed.filter(({ operation }) => !rightWhenEmpty.includes(operation)).map(({ id }) => id)).toEqual([]);
    expect(results.filter(({ status }) => status === "fail").length).toBeGreaterThan(100);
  });

  test("has no case that expects nothing", () => {
    expect(suite.cases.filter(({ steps }) => !steps.some(expectsSomething)).map(({ id }) => id)).toEqual([]);
  });

  test("would have one if all of its steps were setup", () => {
    const call: Step = { call: "getDomain" };
    expect([call, { repeat: [call], times: 2 }].map(expectsSomething)).toEqual([true, true]);
    expect(
      [{ ...call, given: true as const }, { repeat: [], times: 2 }, { advance: "PT1S" }].map(expectsSomething),
    ).toEqual([false, false, false]);
  });
});

/** Every call outside of the setup expects at least a documented success. */
function expectsSomething(step: Step): boolean {
  if ("repeat" in step) return step.repeat.some(expectsSomething);
  if ("call" in step) return step.given !== true;
  return "check" in step || "parallel" in step || "code" in step;
}
