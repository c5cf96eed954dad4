import { formatBashCompletion } from "./bash-completion.js";
import type { CompletedCommands } from "./completed-commands.js";
import { formatFishCompletion } from "./fish-completion.js";
import { formatZshCompletion } from "./zsh-completion.js";

/** The shells with completion. */
export const shells = ["bash", "zsh", "fish"] as const;

/** Formats a script that completes the commands of a program and their options. The shell has to load it. */
export const completionFormats: Readonly<Record<(typeof shells)[number], (completed: CompletedCommands) => string>> = {
  bash: formatBashCompletion,
  zsh: formatZshCompletion,
  fish: formatFishCompletion,
};
