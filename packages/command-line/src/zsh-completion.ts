import { functionName, programOptions, type CompletedCommands, type OptionKind } from "./completed-commands.js";

/** Returns a script for zsh 5 or later: to load, or as a file in a folder of \`fpath\`. */
export function formatZshCompletion({ program, commands }: CompletedCommands): string {
  const name = functionName(program);
  const cases = Object.entries(commands).flatMap(([command, { options, positional }]) => [
    `    ${command})`,
    `      _arguments \\`,
    ...Object.entries(options).map(([option, kind]) => `        '*--${option}${valueOf(option, kind)}' \\`),
    ...(positional === undefined ? [] : [`        '*${valueOf("argument", positional).slice(1)}' \\`]),
    `        '--help' ;;`,
  ]);
  return `#compdef ${program}
# Completion of ${program} in zsh. Load it after compinit with: source <(${program} completion zsh)
${name}() {
  if (( CURRENT == 2 )); then
    compadd -- ${[...Object.keys(commands), ...programOptions].join(" ")}
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join("\n")}
  esac
}
if [[ "\${funcstack[1]}" == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi
`;
}

/** The equals sign: the value is part of the option's word or the next word. */
function valueOf(option: string, kind: OptionKind): string {
  if (kind === "flag") return "";
  if (kind === "file") return `=:${option}:_files`;
  if (kind === "folder") return `=:${option}:_files -/`;
  return kind === "text" ? `=:${option}: ` : `=:${option}:_values -s , ${option} ${kind.join(" ")}`;
}
