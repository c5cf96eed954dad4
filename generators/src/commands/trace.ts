import path from "node:path";
import { countsOf, isHole, trace as traced } from "../trace.js";
import {
  UsageError,
  outsideHelp,
  outsideOption,
  paint,
  readOrRefuse,
  type Command,
  type ExitCode,
  type Given,
  type Terminal,
} from "./command.js";

export const command: Command = {
  options: { spec: "text", [outsideOption]: "flag", overlay: "text", json: "flag", holes: "flag", prose: "flag" },
  positionals: 1,
  help: `plumbline trace [REQUIREMENT] [--spec FILE] [--overlay FILE,…] [--holes | --prose] [--json]

Prints the positions, the generated code and the conformance cases of each requirement.
Fails when the description does not state a requirement, or no case tests it and no reason says why.

  REQUIREMENT    an id, or a prefix of ids. Default: all
  --overlay LIST overlays of the description, separated by commas, applied in this order
  --holes        only requirements that are not stated or not tested
  --prose        only requirements that a description or summary states, but no keyword and no extension field
  --json         print the counts and the requirements as one JSON object
${outsideHelp}

Examples
  plumbline trace instance.label
  plumbline trace --holes
  plumbline trace --prose
`,
  run: trace,
};

async function trace(given: Given, terminal: Terminal): Promise<ExitCode> {
  const prefix = given.positionals[0] ?? "";
  const [read] = await readOrRefuse({ ...given, positionals: [] }, terminal);
  if (read === undefined || read.api.requirements.length === 0)
    throw new UsageError("This description has no requirements to trace.");
  const suite = await read.suite?.();
  const all = traced(read.api, suite).map((each) => ({
    ...each,
    statedAt: each.requirement.statedAt.map(read.locate),
  }));
  const chosen = all.filter(
    (each) =>
      each.requirement.id.startsWith(prefix) &&
      (!given.flag("holes") || isHole(each, suite)) &&
      (!given.flag("prose") || each.requirement.isProseOnly),
  );
  const counts = countsOf(all, suite);
  const folder = path.basename(read.folder);
  if (given.flag("json")) {
    const shown = chosen.map(({ statedAt, ...each }) => ({ ...each, requirement: { ...each.requirement, statedAt } }));
    terminal.out.write(`${JSON.stringify({ counts, requirements: shown }, undefined, 2)}\n`);
    return counts.holes > 0 ? 1 : 0;
  }
  for (const { requirement, statedAt, settledBy, code, checks, untested } of chosen) {
    const lines = [
      `${paint(terminal.out, "bold", requirement.id)}  ${requirement.section}, line ${requirement.line}`,
      `  ${requirement.open ? "open: " : ""}${requirement.says}`,
      ...(requirement.isProseOnly ? ["  prose only"] : []),
      ...settledBy.map((choice) => `  assumed: ${choice}`),
      ...statedAt.map((origin) => `  ${folder}/${origin.file}:${origin.line}  ${origin.pointer}`),
      ...(code.length > 0 ? [`  generates ${someOf(code, 8)}`] : []),
      ...(checks.length > 0 ? [`  tested by ${someOf(checks, 4)}`] : []),
      ...(untested === undefined ? [] : [`  not tested: ${untested}`]),
    ];
    terminal.out.write(`${lines.join("\n")}\n`);
  }
  const tested = all.filter((each) => each.checks.length > 0).length;
  terminal.out.write(
    `${counts.requirements} requirements, ${counts.requirements - counts.holes} stated, ${counts.holes} holes; ${counts.carried} carried by keywords or fields, ${counts.proseOnly} by prose only; ${counts.open} open points; ${read.api.assumptions.length} assumptions${suite === undefined ? "" : `; ${tested} tested by ${suite.cases.length} cases`}\n`,
  );
  return counts.holes > 0 ? 1 : 0;
}

/** Formats the first items of a list, and the number of the others. */
function someOf(items: readonly string[], most: number): string {
  return `${items.slice(0, most).join(", ")}${items.length > most ? ` and ${items.length - most} more` : ""}`;
}
