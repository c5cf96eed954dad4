import { sourceFolder } from "@plumbline/kit/openapi/files";
import type { SuiteOutline } from "@plumbline/generators/conformance";
import { countTraces, isHole, traceRequirements as traced } from "../trace-requirements.js";
import {
  UsageError,
  allowOutsideHelp,
  allowOutsideOption,
  applyStyle,
  readAllOrThrow,
  type Command,
  type ExitCode,
  type ParsedArgs,
  type CommandIo,
} from "./command.js";

export const traceCommand: Command = {
  options: { spec: "file", [allowOutsideOption]: "flag", overlay: "file", json: "flag", holes: "flag", prose: "flag" },
  positionals: 1,
  help: `plumbline trace [REQUIREMENT] [--spec FILE] [--overlay FILE,…] [--holes | --prose] [--json]

Prints the positions, the generated code and the conformance cases of each requirement.
Fails when the description does not state a requirement, or no case tests it and no reason says why.

  REQUIREMENT    an id, or a prefix of ids. Default: all
  --overlay LIST overlays of the description, separated by commas, applied in this order
  --holes        only requirements that are not stated or not tested
  --prose        only requirements that a description or summary states, but no keyword and no extension field
  --json         print the counts and the requirements as one JSON object
${allowOutsideHelp}

Examples
  plumbline trace instance.label
  plumbline trace --holes
  plumbline trace --prose
`,
  run: trace,
};

async function trace(args: ParsedArgs, io: CommandIo): Promise<ExitCode> {
  const prefix = args.positionals[0] ?? "";
  const [read] = await readAllOrThrow({ ...args, positionals: [] }, io);
  if (read === undefined || read.api.requirements.length === 0)
    throw new UsageError("This description has no requirements to trace.");
  const suite = (await read.data("conformance")) as SuiteOutline | undefined;
  const all = traced(read.api, suite).map((each) => ({
    ...each,
    statedAt: each.requirement.statedAt.map(read.locate),
  }));
  const chosen = all.filter(
    (each) =>
      each.requirement.id.startsWith(prefix) &&
      (!args.flag("holes") || isHole(each, suite)) &&
      (!args.flag("prose") || each.requirement.isProseOnly),
  );
  const counts = countTraces(all, suite);
  const folder = sourceFolder(read.folder);
  if (args.flag("json")) {
    const shown = chosen.map(({ statedAt, ...each }) => ({ ...each, requirement: { ...each.requirement, statedAt } }));
    io.out.write(`${JSON.stringify({ counts, requirements: shown }, undefined, 2)}\n`);
    return counts.holes > 0 ? 1 : 0;
  }
  for (const { requirement, statedAt, settledBy, code, checks, untested } of chosen) {
    const lines = [
      `${applyStyle(io.out, "bold", requirement.id)}  ${requirement.section}, line ${requirement.line}`,
      `  ${requirement.open ? "open: " : ""}${requirement.text}`,
      ...(requirement.isProseOnly ? ["  prose only"] : []),
      ...settledBy.map((choice) => `  assumed: ${choice}`),
      ...statedAt.map((origin) => `  ${folder}${origin.file}:${origin.line}  ${origin.pointer}`),
      ...(code.length > 0 ? [`  generates ${formatFirst(code, 8)}`] : []),
      ...(checks.length > 0 ? [`  tested by ${formatFirst(checks, 4)}`] : []),
      ...(untested === undefined ? [] : [`  not tested: ${untested}`]),
    ];
    io.out.write(`${lines.join("\n")}\n`);
  }
  const tested = all.filter((each) => each.checks.length > 0).length;
  io.out.write(
    `${counts.requirements} requirements, ${counts.requirements - counts.holes} stated, ${counts.holes} holes; ${counts.carried} carried by keywords or fields, ${counts.proseOnly} by prose only; ${counts.open} open points; ${read.api.assumptions.length} assumptions${suite === undefined ? "" : `; ${tested} tested by ${suite.cases.length} cases`}\n`,
  );
  return counts.holes > 0 ? 1 : 0;
}

/** Formats the first items of a list, and the number of the others. */
function formatFirst(items: readonly string[], most: number): string {
  return `${items.slice(0, most).join(", ")}${items.length > most ? ` and ${items.length - most} more` : ""}`;
}
