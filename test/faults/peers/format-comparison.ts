import { peerTools, type ToolComparison, type PeerOutcome, type PeerTool } from "./comparison.js";

/** The number of faults that each tool finds, by class. */
export function tableOf(
  { outcomes, sound, operations }: ToolComparison,
  classes: Readonly<Record<number, string>>,
): string {
  const rows = Object.entries(classes).flatMap(([number, name]) => {
    const own = outcomes.filter(({ fault }) => fault.class === Number(number));
    return own.length === 0 ? [] : [rowOf(number, name, own)];
  });
  const unprepared = outcomes.filter((each) => each.unprepared);
  const lines = [
    `${"class".padStart(5)}  ${"".padEnd(52)}${["faults", ...peerTools].map((each) => each.padStart(9)).join("")}`,
    ...rows,
    rowOf("", "all", outcomes),
    "",
    ...peerTools.map((tool) => {
      const { tests, failing, errors } = sound[tool];
      return `Without a fault ${tool} has ${tests} tests of ${operations} operations; ${failing.length} fail and are skipped, ${errors.length} operations could not be run.`;
    }),
    ...peerTools.flatMap((tool) => [...sound[tool].failing, ...sound[tool].errors].map((each) => `  ${tool}: ${each}`)),
    `Of ${unprepared.length} faults the setup of the request failed, which counts as detected.`,
  ];
  return `${lines.join("\n")}\n`;
}

/** The comparison as JSON. */
export function comparisonJson(comparison: ToolComparison, versions: Readonly<Record<PeerTool, string>>): string {
  const outcomes = comparison.outcomes.map(({ fault, ...rest }) => {
    const { id, class: number, operation, description } = fault;
    return { id, class: number, operation, description, ...rest };
  });
  const sum = Object.fromEntries(peerTools.map((tool) => [tool, detectedBy(tool, comparison.outcomes)]));
  return `${JSON.stringify({ versions, ...comparison, sum: { faults: outcomes.length, ...sum }, outcomes }, undefined, 2)}\n`;
}

function rowOf(number: string, name: string, outcomes: readonly PeerOutcome[]): string {
  const cells = [outcomes.length, ...peerTools.map((tool) => detectedBy(tool, outcomes))];
  return `${number.padStart(5)}  ${name.padEnd(52)}${cells.map((each) => String(each).padStart(9)).join("")}`;
}

function detectedBy(tool: PeerTool, outcomes: readonly PeerOutcome[]): number {
  return outcomes.filter(({ verdicts }) => verdicts[tool].detected).length;
}
