import { scenarios, suite } from "@cloud-compute/conformance";
import { runSuite, type RunReport } from "@plumbline/conformance-runtime";
import { describe, expect, it } from "vitest";
import { start } from "../src/testing.support.js";

// SEED says with which one the cases run, SEEDS with how many from there on; each has them in another order.
const first = Number(process.env["SEED"] ?? 1);
const count = Number(process.env["SEEDS"] ?? 1);
const seeds = Array.from({ length: count }, (_, index) => first + index);

describe("the conformance suite", () => {
  it.each(seeds)(
    "holds of the service, and leaves nothing behind: seed %i",
    async (seed) => {
      const report = await run(seed);
      expect(wrongIn(report)).toEqual([]);
      expect(report.problems).toEqual([]);
      expect(report.results.filter(({ status }) => status === "pass")).toHaveLength(suite.cases.length);
      expect(suite.cases.length).toBeGreaterThan(6000);
    },
    600_000,
  );
});

async function run(seed: number): Promise<RunReport> {
  // Jobs are due when they are made, so that letting them end moves the clock of other cases by nothing.
  const world = await start(["--pace", "0"]);
  return runSuite(suite, {
    url: world.service.url,
    controls: world.service.controls ?? "",
    credentials: { main: world.token },
    cases: suite.cases,
    seed,
    scenarios,
  });
}

/** Each case that did not pass, and the first reason. */
function wrongIn({ results }: RunReport): readonly string[] {
  return results
    .filter(({ status }) => status !== "pass")
    .map(({ case: { id }, status, differences }) => `${status} ${id}: ${differences[0]?.message ?? ""}`);
}
