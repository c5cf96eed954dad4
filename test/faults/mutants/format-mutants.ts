import { mutantKinds } from "./mutant.js";
import type { MutantOutcome, MutantReport } from "./run-mutants.js";

/** A row of the report: the mutants of one kind. */
export interface MutantScore {
  readonly kind: string;
  readonly detected: number;
  /** Of these, those that only cases of other requirements found. */
  readonly byOthers: number;
  readonly missed: number;
  readonly untested: number;
}

export function scoresByKind({ outcomes }: Pick<MutantReport, "outcomes">): readonly MutantScore[] {
  return mutantKinds.flatMap((kind) => {
    const those = outcomes.filter(({ mutant }) => mutant.kind === kind);
    return those.length === 0 ? [] : [scoreOf(kind, those)];
  });
}

export function scoreOf(kind: string, outcomes: readonly MutantOutcome[]): MutantScore {
  const count = (status: MutantOutcome["status"]): number => outcomes.filter((each) => each.status === status).length;
  const byOthers = outcomes.filter(({ isByOthers }) => isByOthers).length;
  return { kind, detected: count("detected"), byOthers, missed: count("missed"), untested: count("untested") };
}

/** The tested requirements of mutants, and those of them that no found mutant confirms. */
export function unconfirmedRequirements({ outcomes }: Pick<MutantReport, "outcomes">): {
  readonly all: number;
  readonly unconfirmed: readonly string[];
} {
  const tested = new Set(outcomes.flatMap(({ status, mutant }) => (status === "untested" ? [] : mutant.requirements)));
  const confirmed = new Set(outcomes.flatMap((each) => each.confirmed));
  return { all: tested.size, unconfirmed: [...tested].filter((each) => !confirmed.has(each)).toSorted() };
}

export function formatMutants(report: MutantReport): string {
  const { all, unconfirmed } = unconfirmedRequirements(report);
  const summary =
    all === 0
      ? []
      : [
          `\n${all - unconfirmed.length} of ${all} requirements confirmed`,
          ...unconfirmed.map((each) => `, not ${each}`),
          ".\n",
        ];
  const rows = [...scoresByKind(report), scoreOf("all", report.outcomes)].map(
    ({ kind, detected, byOthers, missed, untested }) =>
      `| ${kind} | ${detected} | ${byOthers} | ${missed} | ${untested} | ${share(detected, missed)} |\n`,
  );
  const alarms = report.alarms.map(({ id, message }) => `false alarm: ${id}: ${message}\n`);
  return [
    "| kind | detected | by other cases | missed | untested | score |\n",
    "|---|---|---|---|---|---|\n",
    ...rows,
    ...summary,
    ...alarms,
  ].join("");
}

export function formatMutantsJson({ outcomes, alarms }: MutantReport): string {
  const rows = outcomes.map(({ mutant: { start: _start, ...mutant }, ...outcome }) => ({ ...mutant, ...outcome }));
  return `${JSON.stringify({ ...unconfirmedRequirements({ outcomes }), outcomes: rows, alarms }, undefined, 2)}\n`;
}

function share(detected: number, missed: number): string {
  return detected + missed === 0 ? "" : `${((100 * detected) / (detected + missed)).toFixed(1)} %`;
}
