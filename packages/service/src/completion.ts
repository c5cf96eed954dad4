import { UnknownShellError, formatCompletion, shells, type OptionKind } from "@plumbline/command-line";
import { flags, levels, switches, UsageError } from "./options.js";

/**
 * Returns the script of `cloud-compute completion SHELL`.
 *
 * @throws UsageError when the arguments are not the name of one shell
 */
export function formatServiceCompletion([shell, unexpected]: readonly string[]): string {
  if (unexpected !== undefined) throw new UsageError(`${JSON.stringify(unexpected)} is an unexpected argument.`);
  const kinds: Readonly<Record<string, OptionKind>> = { data: "folder", "upload-dir": "folder", log: levels };
  const options = Object.fromEntries([
    ...flags.map((flag) => [flag, kinds[flag] ?? "text"] as const),
    ...switches.map((flag) => [flag, "flag"] as const),
  ]);
  const commands = { serve: { options }, completion: { options: {}, positional: shells } };
  try {
    return formatCompletion({ program: "cloud-compute", commands }, shell);
  } catch (error) {
    throw error instanceof UnknownShellError ? new UsageError(error.message, { cause: error }) : error;
  }
}
