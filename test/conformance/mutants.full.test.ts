import { expect, it } from "vitest";
import { annotatedNames, annotatedTarget } from "../faults/mutants/annotated-target.js";
import { cloudCompute } from "../faults/mutants/cloud-compute.js";
import { createMutants, sampleMutants } from "../faults/mutants/create-mutants.js";
import { formatMutants, scoreOf } from "../faults/mutants/format-mutants.js";
import { runMutants } from "../faults/mutants/run-mutants.js";
import type { MutantTarget } from "../faults/mutants/targets.js";

/** The share of mutants that the suites of the annotated descriptions find. */
const minShare = 0.95;

/** A sample has as many mutants of rare kinds as of frequent ones, and the rare kinds have more that nothing finds. */
const minShareOfSample = 0.8;

it.each(annotatedNames)(
  "the suite of a %s finds the mutants of its description",
  async (name) => {
    await expectShare(await annotatedTarget(name), { limit: Infinity, least: minShare });
  },
  900_000,
);

it("the suite of Cloud Compute finds a sample of the mutants of its description", async () => {
  await expectShare(await cloudCompute(), { limit: 200, least: minShareOfSample });
});

async function expectShare(
  target: MutantTarget,
  { limit, least }: { readonly limit: number; readonly least: number },
): Promise<void> {
  const mutants = sampleMutants(createMutants(target.api, 1), { limit, seed: 1 });
  const report = await runMutants(target, mutants, { seed: 1 });
  const { detected, missed } = scoreOf("all", report.outcomes);
  expect(report.alarms).toEqual([]);
  expect(detected / (detected + missed), formatMutants(report)).toBeGreaterThanOrEqual(least);
}
