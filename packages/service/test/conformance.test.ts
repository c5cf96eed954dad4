import { scenarios, suite } from "@cloud-compute/conformance";
import { runSuite, type Case, type RunReport } from "@plumbline/conformance-runtime";
import { describe, expect, inject, it } from "vitest";
import { start } from "../src/testing.support.js";
import { isFull } from "./support/form.js";
import { sampleCases } from "./support/sample.js";

// SEED is the first seed, and SEEDS the number of seeds. Each runs the cases in another order.
const first = Number(process.env["SEED"] ?? 1);
const count = Number(process.env["SEEDS"] ?? 1);
const seeds = Array.from({ length: count }, (_, index) => first + index);

describe(isFull ? "the conformance suite" : "a sample of the conformance suite", () => {
  it.each(seeds)(
    "passes, and leaves nothing behind: seed %i",
    async (seed) => {
      const cases = isFull ? suite.cases : sampleCases(suite, { seed, groupOf });
      const report = await run(cases, seed);
      expect(wrongIn(report)).toEqual([]);
      expect(report.errors).toEqual([]);
      expect(report.results.filter(({ status }) => status === "pass")).toHaveLength(cases.length);
      expect(cases.length).toBeGreaterThan(isFull ? 6000 : 100);
    },
    600_000,
  );
});

/** PostgreSQL takes three times the processor time: one case of each kind there, and one of each kind and tag on the embedded store. */
function groupOf({ kind, operation }: Case): string {
  return inject("postgres") === undefined ? `${suite.operations[operation]?.tag} ${kind}` : kind;
}

async function run(cases: readonly Case[], seed: number): Promise<RunReport> {
  // New jobs are due at once, so settling does not move the clock of other cases.
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

/** Each case that did not pass, with the first reason. */
function wrongIn({ results }: RunReport): readonly string[] {
  return results
    .filter(({ status }) => status !== "pass")
    .map(({ case: { id }, status, failures }) => `${status} ${id}: ${failures[0]?.message ?? ""}`);
}
