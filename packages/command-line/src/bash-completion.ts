import { functionName, programOptions, type CompletedCommands, type OptionKind } from "./completed-commands.js";

/** Returns a script for bash 4 or later. Version 3.2, which has no `compopt`, does not quote the paths that it completes. */
export function formatBashCompletion({ program, commands }: CompletedCommands): string {
  const name = functionName(program);
  const cases = Object.entries(commands).flatMap(([command, { options, positional }]) => [
    ...Object.entries(options).flatMap(([option, kind]) =>
      kind === "flag" ? [] : [`    "${command} --${option}") ${actionOf(kind)} ;;`],
    ),
    `    "${command} "*)`,
    `      case "$current" in`,
    `        -*) words="${[...Object.keys(options).map((option) => `--${option}`), "--help"].join(" ")}" ;;`,
    `        *) ${positional === undefined ? ":" : actionOf(positional)} ;;`,
    `      esac ;;`,
  ]);
  return `# Completion of ${program} in bash. Load it with: source <(${program} completion bash)
${name}() {
  local IFS=$' \\t\\n' current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words="" paths="" head=""
  # In --option=value, bash takes the equals sign for a word.
  if [[ $current == "=" ]]; then current=""
  elif [[ $previous == "=" ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  if (( COMP_CWORD == 1 )); then words="${[...Object.keys(commands), ...programOptions].join(" ")}"
  else case "\${COMP_WORDS[1]} $previous" in
${cases.join("\n")}
  esac; fi
  COMPREPLY=()
  if [[ -n $words ]]; then
    # The words of a list are separated by commas.
    if [[ $current == *,* ]]; then head="\${current%,*},"; fi
    COMPREPLY=($(compgen -P "$head" -W "$words" -- "\${current##*,}"))
  elif [[ -n $paths ]]; then
    IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen "$paths" -- "$current"))
  fi
}
complete -F ${name} ${program}
`;
}

function actionOf(kind: OptionKind): string {
  if (kind === "file") return 'paths="-f"';
  if (kind === "folder") return 'paths="-d"';
  return typeof kind === "string" ? ":" : `words="${kind.join(" ")}"`;
}
