import type { Suite } from "../suite.js";

export type CommandName = "run" | "list" | "explain" | "clean";

/** What the program says about itself. */
export function overview({ command, title, version }: Suite): string {
  return `${command}: does a server do what the description of ${title} ${version} says?

Usage: ${command} COMMAND [options]

  run        asks a server, and says what holds and what does not
  list       prints the ids of all cases, or all requirements
  explain    prints what a case asks and why, or which cases test a requirement
  clean      takes away what an interrupted run has left behind

  --help     after a command: its options, with examples
  --version  the version of the suite

Exit codes: 0 all of it holds, 1 something does not, 2 wrong usage, 130 after an interrupt.
`;
}

const selecting = `  --only LIST    only these: ids or the beginning of one, requirements, areas, operations or kinds of checks, with * for any
                 text, separated by commas; may come several times
  --skip LIST    all but these, likewise
  --safe         only what changes nothing on the server, and makes nothing`;

const reaching = `  --url URL      the API, with its base path; or CONFORMANCE_URL; else the first server of the description
  --token TOKEN  of an unrestricted user, for everything; or CONFORMANCE_TOKEN, which no list of processes shows
  --profile FILE JSON {"url", "controls", "main", "stranger"}: main and stranger are tokens of two accounts
  --controls URL the server's test controls: users of its own for each lane, and a clock that can be moved`;

export function helpOf(name: CommandName, { command, cases }: Suite): string {
  const id = cases[0]?.id ?? "area/operation/case";
  const area = id.split("/")[0] ?? id;
  const texts = {
    run: `${command} run [options]

Asks a server what each case says, judges the answers, and takes away whatever it has made.

${reaching}
${selecting}
  --seed N       order and values follow from it; a new one unless given, and printed
  --workers N    lanes side by side
  --request-budget N
                 no case is begun after this many requests
  --known-failures FILE
                 JSON [{"id", "message"}]: cases that fail as the message says; one that passes fails the run
  --journal FILE what is made is written down here; .conformance/RUNID.jsonl unless given
  --report FORMAT=FILE
                 junit, json or html; may come several times
  --json         the JSON report on standard output, in place of text

Examples
  ${command} run --url http://127.0.0.1:8080/v4 --controls http://127.0.0.1:8081
  ${command} run --url https://staging.example/v4 --profile staging.json --report html=report.html
  ${command} run --safe --only ${area}
  ${command} run --only ${id} --seed 7
`,
    list: `${command} list [options]

Prints the id of each case, a line each.

${selecting}
  --requirements each requirement, with the number of its cases, or why it has none
  --json         a JSON array

Examples
  ${command} list --only ${area} --skip limits
  ${command} list --requirements
`,
    explain: `${command} explain ID

Prints what a case asks, what has to come of it, and the statements that it tests. With the id of a requirement: where it is stated, and
which cases test it.

Examples
  ${command} explain ${id}
`,
    clean: `${command} clean --run-id ID [options]

Takes away what a run has made and not taken away itself, the newest first, as its journal tells.

  --run-id ID    as the run has printed it
  --journal FILE .conformance/RUNID.jsonl unless given
${reaching}

Examples
  ${command} clean --run-id k3f9x2ab --url https://staging.example/v4
`,
  } satisfies Record<CommandName, string>;
  return texts[name];
}
