import { UnknownShellError, formatCompletion, shells, type CompletedCommand } from "@plumbline/command-line";
import { UsageError, type Command } from "./command.js";

/** Creates the command that prints completion scripts. `commands` are all commands, this one included. */
export function createCompletionCommand(commands: Readonly<Record<string, () => Promise<Command>>>): Command {
  return {
    options: {},
    positionals: 1,
    argument: shells,
    help: `plumbline completion SHELL

Prints a script that completes commands, options and their values. SHELL is ${shells.join(", ")}.

Examples
  plumbline completion zsh > ~/.zfunc/_plumbline
  plumbline completion fish > ~/.config/fish/completions/plumbline.fish
  source <(plumbline completion bash)
`,
    run: async ({ positionals }, io) => {
      const completed: Record<string, CompletedCommand> = {};
      for (const [name, load] of Object.entries(commands)) {
        const { options, positionals: count, argument = "text" } = await load();
        completed[name] = { options, ...(count > 0 && { positional: argument }) };
      }
      try {
        io.out.write(formatCompletion({ program: "plumbline", commands: completed }, positionals[0]));
        return 0;
      } catch (error) {
        throw error instanceof UnknownShellError ? new UsageError(error.message, { cause: error }) : error;
      }
    },
  };
}
