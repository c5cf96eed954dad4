import { beforeAll, describe, expect, it } from "vitest";
import { annotatedTarget } from "../faults/mutants/annotated-target.js";
import { createMutants, sampleMutants } from "../faults/mutants/create-mutants.js";
import { scoreOf, scoresByKind, unconfirmedRequirements } from "../faults/mutants/format-mutants.js";
import type { Mutant, MutantKind } from "../faults/mutants/mutant.js";
import { runMutants } from "../faults/mutants/run-mutants.js";
import type { MutantTarget } from "../faults/mutants/targets.js";
import { plumbline } from "../support/run.js";

/** One of each family: values of responses and requests, callers, limits, states, errors, references, and what else changes. */
const kinds: readonly MutantKind[] = [
  "response type",
  "request pattern",
  "security",
  "scope",
  "unique",
  "transition accepted",
  "error status",
  "reference",
  "frame",
];

describe("the mutants of a library's description", () => {
  let target: MutantTarget;
  let mutants: readonly Mutant[];
  beforeAll(async () => {
    target = await annotatedTarget("library", (folder) => plumbline(["generate"], { in: folder }));
    mutants = createMutants(target.api, 1);
  });

  it("are found by the suite, and nothing else is", async () => {
    const some = kinds.flatMap((kind) => mutants.filter((each) => each.kind === kind).slice(0, 1));
    const report = await runMutants(target, some, { seed: 1 });
    expect(report.alarms).toEqual([]);
    expect(report.outcomes.map(({ mutant, status }) => [mutant.kind, status])).toEqual(
      kinds.map((kind) => [kind, "detected"]),
    );
  });

  it("count as missed when nothing is violated, whether a case tests the requirement or not", async () => {
    const nothing = { kind: "list", description: "it does as described", start: () => ({}) } as const;
    const { outcomes } = await runMutants(
      target,
      [
        { ...nothing, id: "changes-nothing", requirements: [], operations: ["listLoans"] },
        { ...nothing, id: "is-not-tested", requirements: ["library.opening-hours"], operations: ["listLoans"] },
      ],
      { seed: 1 },
    );
    expect(outcomes.map(({ status, applied }) => [status, applied])).toEqual([
      ["missed", false],
      ["missed", false],
    ]);
    expect(outcomes.map(({ cases }) => cases > 0)).toEqual([true, true]);
    expect(scoreOf("all", outcomes)).toEqual({ kind: "all", detected: 0, byOthers: 0, missed: 2, untested: 0 });
    expect(unconfirmedRequirements({ outcomes })).toEqual({ all: 1, unconfirmed: ["library.opening-hours"] });
    expect(scoresByKind({ outcomes }).map(({ kind }) => kind)).toEqual(["list"]);
  });

  it("are sampled from all kinds, by a seed", () => {
    const all = new Set(mutants.map(({ kind }) => kind));
    const sample = sampleMutants(mutants, { limit: all.size, seed: 1 });
    expect(new Set(sample.map(({ kind }) => kind))).toEqual(all);
    expect(sampleMutants(mutants, { limit: all.size, seed: 1 })).toEqual(sample);
    expect(sampleMutants(mutants, { limit: all.size, seed: 2 })).not.toEqual(sample);
  });
});
