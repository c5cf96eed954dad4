import { shells } from "@plumbline/command-line";
import type { Suite } from "../suite.js";

export type CommandName = "run" | "list" | "explain" | "clean" | "completion";

/** The help texts of the command. */
export function formatOverview({ command, title, version }: Suite): string {
  return `${command}: checks a server against the description of ${title} ${version}.

Usage: ${command} COMMAND [options]

  run         runs the cases against a server and reports the results
  list        prints the ids of all cases, or all requirements
  explain     prints the steps of a case, or the cases of a requirement
  clean       deletes what an interrupted run has left on the server
  completion  prints a script that completes commands and options in bash, zsh or fish

  --help      after a command: its options, with examples
  --version   the version of the suite

Exit codes: 0 passed, 1 failed, 2 invalid usage, 130 interrupted.
`;
}

const selectionHelp = `  --only LIST    runs only matching cases: ids or prefixes, requirements, areas, operations or kinds, with * for any
                 text, separated by commas; may be repeated. An operation selects the cases of others that test it, too
  --skip LIST    excludes matching cases, likewise
  --read-only    runs only cases that change nothing on the server
  --shard I/N    runs only part I of N of these cases, such as 2/3: each machine of several runs another part`;

const targetHelp = `  --url URL      address of the API with its base path. Default: CONFORMANCE_URL, else the first server of the description
  --token TOKEN  token of an unrestricted user. Default: CONFORMANCE_TOKEN, which process lists do not show
  --profile FILE JSON {"url", "controls", "main", "otherAccount"}: the last two are tokens of two accounts
  --controls URL address of the server's test controls: they create users for each worker and advance the clock`;

export function formatCommandHelp(name: CommandName, { command, cases }: Suite): string {
  const id = cases[0]?.id ?? "area/operation/case";
  const area = id.split("/")[0] ?? id;
  const texts = {
    run: `${command} run [options]

Runs the cases against a server, checks the responses, and deletes what the cases created. The report ends with what to fix first. The run
stops early when the server rejects the credential, or when the address is not that of the API.

${targetHelp}
${selectionHelp}
  --seed N       integer that determines order and values. Default: random; the run prints it
  --workers N    workers side by side
  --request-budget N
                 starts no case after this many requests. Default: no limit
  --quick        runs for at most about 60 s: as many requirements as fit, those of security and loss of data first
  --fail-fast    stops at the first case that fails or cannot run
  --known-failures FILE
                 JSON [{"id", "message"}]: cases that may fail with this message; an entry that passes fails the run
  --journal FILE records each created object here. Default: .conformance/RUNID.jsonl
  --report FORMAT=FILE
                 writes a report: junit, json or html; may be repeated
  --json         prints the JSON report on standard output instead of text

Examples
  ${command} run --url http://127.0.0.1:8080/v4 --controls http://127.0.0.1:8081
  ${command} run --url https://staging.example/v4 --profile staging.json --report html=report.html
  ${command} run --quick --fail-fast
  ${command} run --read-only --only ${area}
  ${command} run --only ${id} --seed 7
`,
    list: `${command} list [options]

Prints the id of each case, a line each.

${selectionHelp}
  --requirements prints each requirement with the number of its cases, or why it has none
  --json         a JSON array

Examples
  ${command} list --only ${area} --skip limits
  ${command} list --requirements
`,
    explain: `${command} explain ID

Prints the steps of a case, what they expect, and the requirements that it tests. With the id of a requirement: its locations, and
its cases.

Examples
  ${command} explain ${id}
`,
    clean: `${command} clean --run-id ID [options]

Deletes the objects in a run's journal that the run has not deleted, newest first.

  --run-id ID    id of the run, as it has printed it
  --journal FILE path of the journal. Default: .conformance/RUNID.jsonl
${targetHelp}

Examples
  ${command} clean --run-id k3f9x2ab --url https://staging.example/v4
`,
    completion: `${command} completion SHELL

Prints a script that completes commands, options and their values. SHELL is ${shells.join(", ")}.

Examples
  source <(${command} completion bash)
  ${command} completion fish > ~/.config/fish/completions/${command}.fish
`,
  } satisfies Record<CommandName, string>;
  return texts[name];
}
