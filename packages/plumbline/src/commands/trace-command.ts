import { flag, optionalArgument, string, UsageError, type OptionValues } from "@plumbline/command-line";
import type { SuiteOutline } from "@plumbline/generators/conformance";
import { sourceFolder } from "@plumbline/kit/openapi/files";
import { countTraces, isHole, traceRequirements as traced } from "../trace-requirements.js";
import {
  applyStyle,
  defineCommand,
  descriptionOptions,
  readAllOrThrow,
  type ExitCode,
  type CommandIo,
  type PlumblineCommand,
} from "./command.js";

const { file: _, ...described } = descriptionOptions;
const options = {
  requirement: optionalArgument(string("REQUIREMENT", "an id, or a prefix of ids. Default: all")),
  ...described,
  holes: flag("only requirements that are not stated or not tested"),
  prose: flag("only requirements that a description or summary states, but no keyword and no extension field"),
  json: flag("print the counts and the requirements as one JSON object"),
};

export const traceCommand: PlumblineCommand = defineCommand({
  text: "Prints the positions, the generated code and the conformance cases of each requirement. Fails when the description does not state a requirement, or no case tests it and no reason says why.",
  options,
  examples: ["plumbline trace instance.label", "plumbline trace --holes", "plumbline trace --prose"],
  run: trace,
});

async function trace(
  { requirement: prefix = "", holes, prose, json, ...values }: OptionValues<typeof options>,
  io: CommandIo,
): Promise<ExitCode> {
  const [read] = await readAllOrThrow(values, io);
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
      (!holes || isHole(each, suite)) &&
      (!prose || each.requirement.isProseOnly),
  );
  const counts = countTraces(all, suite);
  const folder = sourceFolder(read.folder);
  if (json) {
    const traces = chosen.map(({ statedAt, ...each }) => ({ ...each, requirement: { ...each.requirement, statedAt } }));
    io.stdout.write(`${JSON.stringify({ counts, requirements: traces }, undefined, 2)}\n`);
    return counts.holes > 0 ? 1 : 0;
  }
  for (const { requirement, statedAt, settledBy, code, checks, untested } of chosen) {
    const lines = [
      `${applyStyle(io.stdout, "bold", requirement.id)}  ${requirement.section}, line ${requirement.line}`,
      `  ${requirement.open ? "open: " : ""}${requirement.text}`,
      ...(requirement.isProseOnly ? ["  prose only"] : []),
      ...settledBy.map((choice) => `  assumed: ${choice}`),
      ...statedAt.map((origin) => `  ${folder}${origin.file}:${origin.line}  ${origin.pointer}`),
      ...(code.length > 0 ? [`  generates ${formatFirst(code, 8)}`] : []),
      ...(checks.length > 0 ? [`  tested by ${formatFirst(checks, 4)}`] : []),
      ...(untested === undefined ? [] : [`  not tested: ${untested}`]),
    ];
    io.stdout.write(`${lines.join("\n")}\n`);
  }
  const tested = all.filter((each) => each.checks.length > 0).length;
  io.stdout.write(
    `${counts.requirements} requirements, ${counts.requirements - counts.holes} stated, ${counts.holes} holes; ${counts.carried} carried by keywords or fields, ${counts.proseOnly} by prose only; ${counts.open} open points; ${read.api.assumptions.length} assumptions${suite === undefined ? "" : `; ${tested} tested by ${suite.cases.length} cases`}\n`,
  );
  return counts.holes > 0 ? 1 : 0;
}

/** Formats the first items of a list, and the number of the others. */
function formatFirst(items: readonly string[], most: number): string {
  return `${items.slice(0, most).join(", ")}${items.length > most ? ` and ${items.length - most} more` : ""}`;
}
