import { expect, test } from "vitest";
import type { CompletedCommands } from "./completed-commands.js";
import { formatCompletion, UnknownShellError } from "./completion.js";

const pets: CompletedCommands = {
  program: "pet-shop",
  commands: {
    feed: { options: { menu: "file", out: "folder", kind: ["cat", "dog"], note: "text", all: "flag" } },
    completion: { options: {}, positional: ["bash"] },
  },
};

test("zsh completes commands, options and their values", () => {
  expect(formatCompletion(pets, "zsh")).toBe(`#compdef pet-shop
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
        '*--all' \\
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
  expect(formatCompletion(pets, "fish").trimEnd().split("\n")).toEqual([
    "# Completion of pet-shop in fish. Load it with: pet-shop completion fish | source",
    "complete -c pet-shop -f",
    "complete -c pet-shop -n __fish_use_subcommand -a 'feed completion'",
    "complete -c pet-shop -n __fish_use_subcommand -l help",
    "complete -c pet-shop -n __fish_use_subcommand -l version",
    "complete -c pet-shop -n '__fish_seen_subcommand_from feed' -l menu -r -F",
    "complete -c pet-shop -n '__fish_seen_subcommand_from feed' -l out -x -a '(__fish_complete_directories)'",
    "complete -c pet-shop -n '__fish_seen_subcommand_from feed' -l kind -x -a 'cat dog'",
    "complete -c pet-shop -n '__fish_seen_subcommand_from feed' -l note -x",
    "complete -c pet-shop -n '__fish_seen_subcommand_from feed' -l all",
    "complete -c pet-shop -n '__fish_seen_subcommand_from feed' -l help",
    "complete -c pet-shop -n '__fish_seen_subcommand_from completion' -l help",
    "complete -c pet-shop -n '__fish_seen_subcommand_from completion' -a 'bash'",
  ]);
});

test.each([
  ["tcsh", 'Unknown shell "tcsh". Known shells: bash, zsh, fish.'],
  [undefined, "Missing shell. Pass one of bash, zsh, fish."],
])("rejects the shell %s", (shell, message) => {
  expect(() => formatCompletion(pets, shell)).toThrow(new UnknownShellError(message));
});
