import { scenarios, suite } from "@cloud-compute/conformance";
import { runSuite } from "@plumbline/conformance-runtime";
import { expect, onTestFinished, test } from "vitest";
import { startCloudComputeMock } from "./cloud-compute-mock.js";
import { unstatedBehavior } from "./unstated-behavior.js";

// The description, running by itself, has to pass the suite that is generated from it. No line of the mock is about this API.

test("the mock passes the suite of Cloud Compute, but for what the description does not state", async () => {
  const mock = await startCloudComputeMock(1);
  onTestFinished(mock.close);
  const { url, controls, token } = mock;
  const { results } = await runSuite(suite, {
    url,
    controls,
    credentials: { main: token },
    cases: suite.cases,
    seed: 1,
    // The mock has one answer to a security question for all users, which cases of another worker would see.
    workers: 1,
    scenarios,
  });
  const passed = results.filter(({ status }) => status === "pass").length;
  const others = results.flatMap(({ status, case: { id } }) => (status === "pass" ? [] : [id]));
  const reasons = unstatedBehavior.flatMap(({ cases }) => cases);
  expect(others.filter((id) => !reasons.some((pattern) => pattern.test(id)))).toEqual([]);
  expect(reasons.filter((pattern) => !others.some((id) => pattern.test(id)))).toEqual([]);
  // Skipped cases count as not passed.
  expect(passed / suite.cases.length).toBeGreaterThan(0.98);
});
