import { formatCompletion, shells, UnknownShellError } from "@plumbline/command-line";
import type { Toolset } from "../toolset.js";
import { UsageError } from "./errors.js";
import type { OptionKinds } from "./options.js";

/**
 * Returns the completion script of a toolset's command.
 *
 * @throws UsageError for the name of an unknown shell.
 */
export function formatToolsetCompletion(
  { command, tools }: Toolset,
  options: Readonly<Record<"serve" | "list", OptionKinds>>,
  shell: string | undefined,
): string {
  const names = tools.map(({ name }) => name);
  const words: OptionKinds = {
    allow: ["write", "delete", ...names],
    tools: [...new Set([...tools.map(({ tag }) => tag).filter(isWord), ...names])],
  };
  const withWords = (kinds: OptionKinds): OptionKinds =>
    Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, words[name] ?? kind]));
  const commands = {
    serve: { options: withWords(options.serve) },
    list: { options: withWords(options.list) },
    completion: { options: {}, positional: shells },
  };
  try {
    return formatCompletion({ program: command, commands }, shell);
  } catch (error) {
    throw error instanceof UnknownShellError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** Scripts contain names without quotes. */
function isWord(name: string): boolean {
  return /^[\w./:-]+$/.test(name);
}
