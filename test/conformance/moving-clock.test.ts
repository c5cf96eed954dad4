import { scenarios, suite } from "@cloud-compute/conformance";
import type { Case } from "@plumbline/conformance-runtime";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runCases } from "../faults/matrix.js";
import { startServiceProcess, type ServiceProcess } from "../faults/services.js";

let services: ServiceProcess;
beforeAll(() => {
  services = startServiceProcess();
});
afterAll(() => services.close());

/** The operations that codes with a lifetime are for. */
const withCodes = new Set([
  "enableTwoFactor",
  "confirmTwoFactor",
  "sendPhoneCode",
  "verifyPhoneNumber",
  "deletePhoneNumber",
]);

/** Cases that run beside others, with the time between their steps that jobs of these take. */
function movedCases(): readonly Case[] {
  const chosen = suite.cases.filter(
    ({ exclusive, kind, operation }) => exclusive !== true && kind !== "frame" && withCodes.has(operation),
  );
  return chosen.map((each) => ({
    ...each,
    steps: each.steps.flatMap((step) => [step, { advance: "PT15M" } as const]),
  }));
}

test("a case that runs beside others does not depend on the time between its steps", async () => {
  const service = await services.start([]);
  onTestFinished(() => service.close());
  const cases = movedCases();
  const { results } = await runCases(service, { suite, scenarios, cases, seed: 1, workers: 1 });
  const failed = results.filter(({ status }) => status === "fail" || status === "error");
  expect(failed.map((each) => `${each.case.id}: ${each.failures[0]?.message ?? ""}`)).toEqual([]);
  expect(cases.length).toBeGreaterThan(30);
});
