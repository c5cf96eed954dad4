import { parseArgs } from "node:util";
import { scenarios, suite } from "@cloud-compute/conformance";
import { faults } from "./all.js";
import { classes } from "./classes.js";
import type { Fault } from "./fault.js";
import { shortfalls, sumOf } from "./judging.js";
import { runMatrix } from "./matrix.js";
import { comparePeers } from "./peers/index.js";
import { jsonOf, printed } from "./printing.js";

const help = `npm run faults -- [--only ID …] [--class N …] [--seed N] [--at-once N] [--json] [--list] [--peers [--most N]]

Runs the cases of the conformance suite on services with one fault each, and prints which faults they find.

  --only ID      only faults with this id or prefix
  --class N      only faults of this class
  --seed N       seed of all runs. Default: 1
  --at-once N    number of concurrent faults. Default: 2
  --json         prints the outcomes as JSON
  --list         lists the faults without running them
  --peers        runs Dredd and Portman instead; installs test/peers
  --most N       maximum number of faults of each class, with --peers

Exit codes: 0 goals met, 1 goals missed, 2 invalid usage.
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const asked = understood(args);
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
    for (const { id, class: number, says } of chosen) process.stdout.write(`${number}  ${id}: ${says}\n`);
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
    atOnce: asked.atOnce,
    onOutcome: ({ fault, detected, attributed, took }, done) => {
      const mark = attributed ? "found" : detected ? "detected, attributed to something else" : "MISSED";
      process.stderr.write(
        `${String(done).padStart(4)}/${chosen.length}  ${mark.padEnd(30)} ${took.toFixed(1)} s  ${fault.id}\n`,
      );
    },
  });
  process.stdout.write(asked.json ? jsonOf(matrix) : printed(matrix, classes));
  const short = shortfalls(
    sumOf(matrix.outcomes),
    matrix.alarms.map(({ id }) => id),
  );
  for (const each of short) process.stderr.write(`${each}\n`);
  return short.length > 0 ? 1 : 0;
}

interface Asked {
  readonly help: boolean;
  readonly list: boolean;
  readonly json: boolean;
  readonly peers: boolean;
  readonly most: number;
  readonly seed: number;
  readonly atOnce: number;
  readonly chosen: readonly Fault[];
}

function understood(args: readonly string[]): Asked | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        only: { type: "string", multiple: true, default: [] },
        class: { type: "string", multiple: true, default: [] },
        seed: { type: "string", default: "1" },
        "at-once": { type: "string", default: "2" },
        json: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        peers: { type: "boolean", default: false },
        most: { type: "string", default: "Infinity" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const { only, class: numbers, seed, help: isHelp, list, json, peers, most } = values;
    const unknown = numbers.find((each) => !(each in classes));
    if (unknown !== undefined) return `Unknown class ${unknown}. Known classes: ${Object.keys(classes).join(", ")}.`;
    const isMeant = ({ id, class: number }: Fault): boolean =>
      (only.length === 0 || only.some((each) => id.startsWith(each))) &&
      (numbers.length === 0 || numbers.includes(String(number)));
    const chosen = faults.filter(isMeant);
    if (chosen.length === 0) return `No fault begins with ${only.join(" or ")}. --list prints all faults.`;
    return {
      help: isHelp,
      list,
      json,
      peers,
      most: Number(most),
      seed: Number(seed),
      atOnce: Number(values["at-once"]),
      chosen,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
