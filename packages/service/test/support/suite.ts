import { scenarios, suite } from "@cloud-compute/conformance";
import { runSuite, type Case, type RunReport } from "@plumbline/conformance-runtime";
import type { World } from "../../src/testing.support.js";

/** Runs cases of the conformance suite on a service whose jobs are due at once, so that settling does not move the clock of other cases. */
export function runCases({ service, token }: World, cases: readonly Case[], seed: number): Promise<RunReport> {
  return runSuite(suite, {
    url: service.url,
    controls: service.controls ?? "",
    credentials: { main: token },
    cases,
    seed,
    scenarios,
  });
}

/** Each case that did not pass, with the first reason, and the errors of the run. */
export function wrongIn({ results, errors }: RunReport): readonly string[] {
  const failed = results.filter(({ status }) => status !== "pass");
  const lines = failed.map(({ case: { id }, status, failures }) => `${status} ${id}: ${failures[0]?.message ?? ""}`);
  return [...lines, ...errors.map(String)];
}
