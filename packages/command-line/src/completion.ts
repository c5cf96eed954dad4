import { formatBashCompletion } from "./bash-completion.js";
import type { CompletedCommands } from "./completed-commands.js";
import { formatFishCompletion } from "./fish-completion.js";
import { formatZshCompletion } from "./zsh-completion.js";

/** The shells with completion. */
export const shells = ["bash", "zsh", "fish"] as const;

/**
 * Returns a script that completes the commands of a program and their options. The shell has to load it.
 *
 * @throws UnknownShellError for the name of another shell.
 */
export function formatCompletion(completed: CompletedCommands, shell: string | undefined): string {
  const known = shells.find((each) => each === shell);
  if (known !== undefined) return formats[known](completed);
  const names = shells.join(", ");
  throw new UnknownShellError(
    shell === undefined ? `Missing shell. Pass one of ${names}.` : `Unknown shell "${shell}". Known shells: ${names}.`,
  );
}

/** There is no completion for this shell. The message is for the user. */
export class UnknownShellError extends Error {
  override readonly name = "UnknownShellError";
}

const formats = {
  bash: formatBashCompletion,
  zsh: formatZshCompletion,
  fish: formatFishCompletion,
} satisfies Record<(typeof shells)[number], (completed: CompletedCommands) => string>;
