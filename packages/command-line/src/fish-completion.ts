import type { CompletedCommands, OptionKind } from "./completed-commands.js";

/** Returns a script for fish 3 or later. */
export function formatFishCompletion({ program, commands }: CompletedCommands): string {
  const names = Object.keys(commands);
  const lines = Object.entries(commands).flatMap(([command, { options, positional }]) => {
    const start = `complete -c ${program} -n '__fish_seen_subcommand_from ${command}'`;
    return [
      ...Object.entries(options).map(([option, kind]) => `${start} -l ${option}${valueOf(kind)}`),
      `${start} -l help`,
      ...(positional === undefined ? [] : [`${start}${valueOf(positional).replace(/^ -[rx]/, "")}`]),
    ];
  });
  return `# Completion of ${program} in fish. Load it with: ${program} completion fish | source
complete -c ${program} -f
complete -c ${program} -n __fish_use_subcommand -a '${names.join(" ")}'
complete -c ${program} -n __fish_use_subcommand -l help
complete -c ${program} -n __fish_use_subcommand -l version
${lines.join("\n")}
`;
}

function valueOf(kind: OptionKind): string {
  if (kind === "flag") return "";
  if (kind === "file") return " -r -F";
  if (kind === "folder") return " -x -a '(__fish_complete_directories)'";
  return kind === "text" ? " -x" : ` -x -a '${kind.join(" ")}'`;
}
