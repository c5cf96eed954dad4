import { sumOf, type Outcome, type Sum } from "./judging.js";
import type { Matrix } from "./matrix.js";

/** Formats the matrix by class, with the missed faults. */
export function printed(matrix: Matrix, classes: Readonly<Record<number, string>>): string {
  const { outcomes, alarms, couldNotRun, cases } = matrix;
  const rows = Object.entries(classes).flatMap(([number, name]) => {
    const ofClass = outcomes.filter(({ fault }) => fault.class === Number(number));
    return ofClass.length === 0 ? [] : [rowOf(number, name, sumOf(ofClass))];
  });
  const lines = [
    heading,
    ...rows,
    rowOf("", "all", sumOf(outcomes)),
    "",
    `Without a fault: ${cases} cases, ${alarms.length} fail, ${couldNotRun.length} could not run.`,
    ...alarms.map(({ id, message }) => `  ${id}: ${message.slice(0, 300)}`),
    ...told(
      "Missed",
      outcomes.filter((each) => !each.detected),
      missedOf,
    ),
    ...told(
      "Detected, but attributed to other requirements",
      outcomes.filter((each) => each.detected && !each.attributed),
      elsewhereOf,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

/** The outcomes as JSON. */
export function jsonOf({ outcomes, ...rest }: Matrix): string {
  const all = outcomes.map(({ fault, ...outcome }) => {
    const { id, class: number, operation, requirements, says } = fault;
    return { id, class: number, operation, requirements, says, ...outcome };
  });
  return `${JSON.stringify({ ...rest, sum: sumOf(outcomes), outcomes: all }, undefined, 2)}\n`;
}

const heading = `${"class".padStart(5)}  ${"".padEnd(52)}${["faults", "detected", "attributed", "requests", "seconds"].map((each) => each.padStart(11)).join("")}`;

function rowOf(number: string, name: string, { faults, detected, attributed, requests, took }: Sum): string {
  const cells = [faults, detected, attributed, requests, took.toFixed(1)].map((each) => String(each).padStart(11));
  return `${number.padStart(5)}  ${name.padEnd(52)}${cells.join("")}`;
}

function told(title: string, outcomes: readonly Outcome[], lineOf: (outcome: Outcome) => string): readonly string[] {
  return outcomes.length === 0 ? [] : ["", `${title}:`, ...outcomes.map(lineOf)];
}

function missedOf({ fault, cases, couldNotRun, problem }: Outcome): string {
  const why = problem ?? `${cases} cases, of which ${couldNotRun} could not run`;
  return `  ${fault.class}  ${fault.id}: ${fault.says} (${why})`;
}

function elsewhereOf({ fault, failed }: Outcome): string {
  const [first] = failed;
  const laid = [...new Set(failed.flatMap(({ requirements }) => requirements))].slice(0, 6).join(", ");
  return `  ${fault.class}  ${fault.id}: ${fault.requirements.join(", ")} is broken; ${failed.length} cases fail, such as ${first?.id ?? ""}, attributed to ${laid || "no requirement"}`;
}
