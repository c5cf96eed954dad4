import type { FaultMatrix } from "./matrix.js";
import { sumOutcomes, type FaultOutcome, type OutcomeSum } from "./outcomes.js";

/** Formats the matrix by class, with the missed faults. */
export function formatMatrix(matrix: FaultMatrix, classes: Readonly<Record<number, string>>): string {
  const { outcomes, alarms, errors, cases } = matrix;
  const rows = Object.entries(classes).flatMap(([number, name]) => {
    const ofClass = outcomes.filter(({ fault }) => fault.class === Number(number));
    return ofClass.length === 0 ? [] : [rowOf(number, name, sumOutcomes(ofClass))];
  });
  const lines = [
    heading,
    ...rows,
    rowOf("", "all", sumOutcomes(outcomes)),
    "",
    `Without a fault: ${cases} cases, ${alarms.length} fail, ${errors.length} could not run.`,
    ...alarms.map(({ id, message }) => `  ${id}: ${message.slice(0, 300)}`),
    ...formatDetails(
      "Missed",
      outcomes.filter((each) => !each.detected),
      formatMissed,
    ),
    ...formatDetails(
      "Detected, but attributed to other requirements",
      outcomes.filter((each) => each.detected && !each.attributed),
      formatMisattributed,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

/** The outcomes as JSON. */
export function formatMatrixJson({ outcomes, ...rest }: FaultMatrix): string {
  const all = outcomes.map(({ fault, ...outcome }) => {
    const { id, class: number, operation, requirements, description } = fault;
    return { id, class: number, operation, requirements, description, ...outcome };
  });
  return `${JSON.stringify({ ...rest, sum: sumOutcomes(outcomes), outcomes: all }, undefined, 2)}\n`;
}

const heading = `${"class".padStart(5)}  ${"".padEnd(52)}${["faults", "detected", "attributed", "requests", "seconds"].map((each) => each.padStart(11)).join("")}`;

function rowOf(
  number: string,
  name: string,
  { faults, detected, attributed, requests, durationSeconds }: OutcomeSum,
): string {
  const cells = [faults, detected, attributed, requests, durationSeconds.toFixed(1)].map((each) =>
    String(each).padStart(11),
  );
  return `${number.padStart(5)}  ${name.padEnd(52)}${cells.join("")}`;
}

function formatDetails(
  title: string,
  outcomes: readonly FaultOutcome[],
  lineOf: (outcome: FaultOutcome) => string,
): readonly string[] {
  return outcomes.length === 0 ? [] : ["", `${title}:`, ...outcomes.map(lineOf)];
}

function formatMissed({ fault, cases, errors, error }: FaultOutcome): string {
  const why = error ?? `${cases} cases, of which ${errors} could not run`;
  return `  ${fault.class}  ${fault.id}: ${fault.description} (${why})`;
}

function formatMisattributed({ fault, failed }: FaultOutcome): string {
  const [first] = failed;
  const laid = [...new Set(failed.flatMap(({ requirements }) => requirements))].slice(0, 6).join(", ");
  return `  ${fault.class}  ${fault.id}: ${fault.requirements.join(", ")} is broken; ${failed.length} cases fail, such as ${first?.id ?? ""}, attributed to ${laid || "no requirement"}`;
}
