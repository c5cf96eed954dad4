import { expect, test } from "vitest";
import { toCompletedCommand, type CompletedCommands } from "./completed-commands.js";
import { completionFormats } from "./completion.js";
import { flag, list, oneOf, requiredArgument, string } from "./options.js";

const pets: CompletedCommands = {
  program: "pet-shop",
  commands: {
    feed: toCompletedCommand({
      menu: string("FILE", "", "file"),
      out: string("FOLDER", "", "folder"),
      kind: list("LIST", "", ["cat", "dog"]),
      note: string("TEXT", ""),
      allAtOnce: flag(""),
    }),
    completion: toCompletedCommand({ shell: requiredArgument(oneOf("SHELL", ["bash"], "")) }),
  },
};

test("zsh completes commands, options and their values", () => {
  expect(completionFormats.zsh(pets)).toBe(`#compdef pet-shop
# Completion of pet-shop in zsh. Load it after compinit with: source <(pet-shop completion zsh)
_pet_shop() {
  if (( CURRENT == 2 )); then
    compadd -- feed completion --help --version
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
    feed)
      _arguments \\
        '*--menu=:menu:_files' \\
        '*--out=:out:_files -/' \\
        '*--kind=:kind:_values -s , kind cat dog' \\
        '*--note=:note: ' \\
        '*--all-at-once' \\
        '--help' ;;
    completion)
      _arguments \\
        '*:argument:_values -s , argument bash' \\
        '--help' ;;
  esac
}
if [[ "\${funcstack[1]}" == _pet_shop ]]; then _pet_shop "$@"; else compdef _pet_shop pet-shop; fi
`);
});

test("fish completes commands, options and their values", () => {
  expect(completionFormats.fish(pets).trimEnd().split("\n")).toEqual([
    "# Completion of pet-shop in fish. Load it with: pet-shop completion fish | source",
    "complete -c pet-shop -f",
    "complete -c pet-shop -n __fish_use_subcommand -a 'feed completion'",
    "complete -c pet-shop -n __fish_use_subcommand -l help",
    "complete -c pet-shop -n __fish_use_subcommand -l version",
    "complete -c pet-shop -n '__fish_seen_subcommand_from feed' -l menu -r -F",
    "complete -c pet-shop -n '__fish_seen_subcommand_from feed' -l out -x -a '(__fish_complete_directories)'",
    "complete -c pet-shop -n '__fish_seen_subcommand_from feed' -l kind -x -a 'cat dog'",
    "complete -c pet-shop -n '__fish_seen_subcommand_from feed' -l note -x",
    "complete -c pet-shop -n '__fish_seen_subcommand_from feed' -l all-at-once",
    "complete -c pet-shop -n '__fish_seen_subcommand_from feed' -l help",
    "complete -c pet-shop -n '__fish_seen_subcommand_from completion' -l help",
    "complete -c pet-shop -n '__fish_seen_subcommand_from completion' -a 'bash'",
  ]);
});
