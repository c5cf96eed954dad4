import { UnknownShellError, formatCompletion, shells, type OptionKind } from "@plumbline/command-line";
import { tagOfCase } from "../report/counts.js";
import type { Suite } from "../suite.js";
import { UsageError } from "./errors.js";
import type { AcceptedArguments, OptionNames } from "./options.js";

/**
 * Returns the completion script of a suite's command.
 *
 * @param accepted What each command accepts.
 * @throws UsageError for the name of an unknown shell.
 */
export function formatSuiteCompletion(
  suite: Suite,
  accepted: Readonly<Record<string, AcceptedArguments>>,
  shell: string | undefined,
): string {
  const cases = new Set(suite.cases.flatMap((each) => [tagOfCase(each, suite), each.kind]).filter(isWord));
  const words: Readonly<Record<string, readonly string[]>> = {
    only: [...cases].toSorted(),
    skip: [...cases].toSorted(),
  };
  const kindOf = (option: string, kind: OptionNames[string]): OptionKind =>
    words[option] ?? (kind === "texts" ? "text" : kind);
  const commands = Object.entries(accepted).map(([name, { options, positionals }]) => [
    name,
    {
      options: Object.fromEntries(Object.entries(options).map(([option, kind]) => [option, kindOf(option, kind)])),
      ...(positionals.length > 0 && { positional: positionals[0] === "SHELL" ? shells : ("text" as const) }),
    },
  ]);
  try {
    return formatCompletion({ program: suite.command, commands: Object.fromEntries(commands) }, shell);
  } catch (error) {
    throw error instanceof UnknownShellError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** Scripts contain names without quotes. */
function isWord(name: string): boolean {
  return /^[\w./:-]+$/.test(name);
}
