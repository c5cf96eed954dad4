import { scenarios, suite } from "@cloud-compute/conformance";
import { runSuite, type Case, type RunReport } from "@plumbline/conformance-runtime";
import { describe, expect, inject, it } from "vitest";
import { start } from "../src/testing.support.js";
import { isFull } from "./support/form.js";
import { sampleCases } from "./support/sample.js";

// SEED says with which one the cases run, SEEDS with how many from there on; each has them in another order.
const first = Number(process.env["SEED"] ?? 1);
const count = Number(process.env["SEEDS"] ?? 1);
const seeds = Array.from({ length: count }, (_, index) => first + index);

describe(isFull ? "the conformance suite" : "a sample of the conformance suite", () => {
  it.each(seeds)(
    "holds of the service, and leaves nothing behind: seed %i",
    async (seed) => {
      const cases = isFull ? suite.cases : sampleCases(suite, { seed, groupOf });
      const report = await run(cases, seed);
      expect(wrongIn(report)).toEqual([]);
      expect(report.problems).toEqual([]);
      expect(report.results.filter(({ status }) => status === "pass")).toHaveLength(cases.length);
      expect(cases.length).toBeGreaterThan(isFull ? 6000 : 100);
    },
    600_000,
  );
});

/** PostgreSQL takes three times the processor time: a case of each kind there, and of each kind for each tag in the embedded store. */
function groupOf({ kind, operation }: Case): string {
  return inject("postgres") === undefined ? `${suite.operations[operation]?.area} ${kind}` : kind;
}

async function run(cases: readonly Case[], seed: number): Promise<RunReport> {
  // Jobs are due when they are made, so that letting them end moves the clock of other cases by nothing.
  const world = await start(["--pace", "0"]);
  return runSuite(suite, {
    url: world.service.url,
    controls: world.service.controls ?? "",
    credentials: { main: world.token },
    cases,
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
