import {
  defineCommand,
  formatSuggestion,
  requiredArgument,
  string,
  UsageError,
  type Command,
} from "@plumbline/command-line";
import { pluralize } from "../report/format-text.js";
import { formatDocumentLocation } from "../report/requirements.js";
import type { Case, Suite } from "../suite.js";
import { formatSteps } from "./format-steps.js";
import type { CommandIo } from "./io.js";
import { exampleNames } from "./list.js";

/** Creates the command that prints a case or a requirement. */
export function createExplainCommand(suite: Suite): Command<CommandIo> {
  return defineCommand({
    text: "Prints the steps of a case, what they expect, and the requirements that it tests. With the id of a requirement: its locations, and its cases.",
    options: { id: requiredArgument(string("ID", "the id of a case or of a requirement")) },
    examples: [`${suite.command} explain ${exampleNames(suite).id}`],
    run: ({ id }, { stdout }: CommandIo) => {
      stdout.write(explain(suite, id));
      return 0;
    },
  });
}

function explain(suite: Suite, id: string): string {
  const match = suite.cases.find((each) => each.id === id);
  if (match !== undefined) return formatCase(match, suite);
  if (Object.hasOwn(suite.requirements, id)) return formatRequirement(id, suite);
  const names = new Set([...suite.cases.map((each) => each.id), ...Object.keys(suite.requirements)]);
  const within = suite.cases.filter((each) => each.id.startsWith(`${id}/`));
  const hint =
    within.length === 0
      ? formatSuggestion(id, names)
      : ` ${pluralize(within.length, "id")} begin with it: \`${suite.command} list --only ${id}\`.`;
  throw new UsageError(
    `Unknown case or requirement ${JSON.stringify(id)}.${hint} \`${suite.command} list\` lists all ids.`,
  );
}

function formatCase(one: Case, suite: Suite): string {
  const { id, title, kind, operation, requires, requirements, steps } = one;
  const facts = suite.operations[operation];
  const notes = [
    ...(one.exclusive === true ? ["Runs when nothing else does."] : []),
    ...(one.readOnly === true ? ["Changes nothing on the server."] : []),
  ];
  return `${[
    id,
    `  ${title}`,
    "",
    `kind       ${kind}`,
    `operation  ${operation}${facts === undefined ? "" : `, ${facts.method} ${facts.path} (${facts.location})`}`,
    `needs      ${requires.length === 0 ? "only the server" : requires.join(", ")}`,
    ...notes.map((each) => `           ${each}`),
    "",
    "Tests",
    ...(requirements.length === 0 ? ["  the description, but no requirement of its documents"] : []),
    ...requirements.flatMap((each) => requirementLines(each, suite)),
    "",
    "Steps",
    ...formatSteps(steps, suite),
  ].join("\n")}\n`;
}

function formatRequirement(id: string, suite: Suite): string {
  const cases = suite.cases.filter((each) => each.requirements.includes(id));
  const untested = suite.requirements[id]?.untested;
  return `${[
    ...requirementLines(id, suite).map((line) => line.slice(2)),
    "",
    cases.length === 0
      ? `No case tests it${untested === undefined ? "." : `: ${untested}`}`
      : `${pluralize(cases.length, "case")}:`,
    ...cases.map((each) => `  ${each.id}  ${each.title}`),
  ].join("\n")}\n`;
}

function requirementLines(id: string, suite: Suite): readonly string[] {
  const facts = Object.hasOwn(suite.requirements, id) ? suite.requirements[id] : undefined;
  if (facts === undefined) return [`  ${id}`];
  return [
    `  ${id}`,
    `    ${facts.text}`,
    `    ${formatDocumentLocation(facts)}`,
    ...facts.locations.map((each) => `    ${each}`),
  ];
}
