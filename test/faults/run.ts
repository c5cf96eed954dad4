import { parseArgs } from "node:util";
import { scenarios, suite } from "@cloud-compute/conformance";
import { allFaults } from "./all-faults.js";
import { faultClasses } from "./classes.js";
import type { Fault } from "./fault.js";
import { formatMatrixJson, formatMatrix } from "./format-matrix.js";
import { runMatrix } from "./matrix.js";
import { runMutantsCommand } from "./mutants/main.js";
import { shortfalls, sumOutcomes } from "./outcomes.js";
import { comparePeers } from "./peers/index.js";

const help = `npm run faults -- [--only ID …] [--class N …] [--seed N] [--concurrency N] [--json] [--list] [--peers [--max-per-class N]]
npm run faults -- --mutants [--kind KIND …] [--only TEXT …] [--limit N] [--seed N] [--description NAME] [--json] [--list]

Runs the cases of the conformance suite on services with one fault each, and prints which faults they find.

  --only ID         only faults with this id or prefix
  --class N         only faults of this class
  --seed N          seed of all runs. Default: 1
  --concurrency N   number of concurrent faults. Default: 2
  --json            prints the outcomes as JSON
  --list            lists the faults without running them
  --peers           runs Dredd and Portman instead; installs test/peers
  --max-per-class N maximum number of faults of each class, with --peers
  --mutants         runs violations that are generated from the description instead
  --kind KIND       only mutants of this kind
  --limit N         a sample of N mutants, spread over the kinds
  --description NAME  library, garage or clinic. Default: Cloud Compute

Exit codes: 0 goals met, 1 goals missed, 2 invalid usage.
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--mutants")) return runMutantsCommand(args);
  const asked = parseArguments(args);
  if (typeof asked === "string") {
    process.stderr.write(`${asked}\nTry npm run faults -- --help.\n`);
    return 2;
  }
  if (asked.help) {
    process.stdout.write(help);
    return 0;
  }
  const { chosen } = asked;
  if (asked.list) {
    for (const { id, class: number, description } of chosen) process.stdout.write(`${number}  ${id}: ${description}\n`);
    return 0;
  }
  if (asked.peers) {
    process.stdout.write(await comparePeers({ ...asked, faults: chosen }));
    return 0;
  }
  process.stderr.write(`${chosen.length} faults; first the cases without a fault\n`);
  const matrix = await runMatrix({
    suite,
    scenarios,
    faults: chosen,
    seed: asked.seed,
    concurrency: asked.concurrency,
    onOutcome: ({ fault, detected, attributed, durationSeconds }, done) => {
      const mark = attributed ? "found" : detected ? "detected, attributed to something else" : "MISSED";
      process.stderr.write(
        `${String(done).padStart(4)}/${chosen.length}  ${mark.padEnd(30)} ${durationSeconds.toFixed(1)} s  ${fault.id}\n`,
      );
    },
  });
  process.stdout.write(asked.json ? formatMatrixJson(matrix) : formatMatrix(matrix, faultClasses));
  const short = shortfalls(
    sumOutcomes(matrix.outcomes),
    matrix.alarms.map(({ id }) => id),
  );
  for (const each of short) process.stderr.write(`${each}\n`);
  return short.length > 0 ? 1 : 0;
}

interface ParsedArgs {
  readonly help: boolean;
  readonly list: boolean;
  readonly json: boolean;
  readonly peers: boolean;
  readonly maxPerClass: number;
  readonly seed: number;
  readonly concurrency: number;
  readonly chosen: readonly Fault[];
}

function parseArguments(args: readonly string[]): ParsedArgs | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: "string", multiple: true, default: [] },
        class: { type: "string", multiple: true, default: [] },
        seed: { type: "string", default: "1" },
        concurrency: { type: "string", default: "2" },
        json: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        peers: { type: "boolean", default: false },
        "max-per-class": { type: "string", default: "Infinity" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const { only, class: numbers, seed, help: isHelp, list, json, peers, concurrency } = values;
    const unknown = numbers.find((each) => !(each in faultClasses));
    if (unknown !== undefined)
      return `Unknown class ${unknown}. Known classes: ${Object.keys(faultClasses).join(", ")}.`;
    const isMeant = ({ id, class: number }: Fault): boolean =>
      (only.length === 0 || only.some((each) => id.startsWith(each))) &&
      (numbers.length === 0 || numbers.includes(String(number)));
    const chosen = allFaults.filter(isMeant);
    if (chosen.length === 0) return `No fault begins with ${only.join(" or ")}. --list prints all faults.`;
    return {
      help: isHelp,
      list,
      json,
      peers,
      maxPerClass: Number(values["max-per-class"]),
      seed: Number(seed),
      concurrency: Number(concurrency),
      chosen,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
